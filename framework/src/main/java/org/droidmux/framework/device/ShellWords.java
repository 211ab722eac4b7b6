package org.droidmux.framework.device;

import android.os.ShellCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** Words of a command, for the framework's parsers, which want a whole shell command. */
final class ShellWords extends ShellCommand {
  private final PrintWriter nowhere = new PrintWriter(new StringWriter());

  ShellWords(List<String> words) {
    init(null, null, null, null, words.toArray(new String[0]), 0);
  }

  @Override
  public PrintWriter getOutPrintWriter() {
    return nowhere;
  }

  @Override
  public PrintWriter getErrPrintWriter() {
    return nowhere;
  }

  @Override
  public int onCommand(String command) {
    return 0;
  }

  @Override
  public void onHelp() {}
}
