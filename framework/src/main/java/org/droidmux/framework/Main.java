package org.droidmux.framework;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's command line. Requests come on standard input, answers go to standard output, a line of
 * JSON each (docs/framework.md); whatever else is printed goes to standard error.
 */
public final class Main {
  private static final String USAGE =
      "usage: run APP [--api LEVEL] [--class-path JARS] [--size WIDTHxHEIGHT] [--density DPI]";

  private Main() {}

  public static void main(String[] arguments) {
    PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false);
    System.setOut(System.err);
    Wire wire = new Wire(new FileInputStream(FileDescriptor.in), answers);
    int status = 0;
    try (HostFolder folder = HostFolder.take()) {
      Options options = Options.read(arguments);
      try (Host host = new Host(options)) {
        wire.hello(host.start());
        wire.serve(host);
      }
    } catch (AppException e) {
      // Exception messages may have several lines.
      wire.failed(String.join(" ", e.getMessage().strip().split("\\s*\\R\\s*")));
      status = 2;
    } catch (Throwable e) {
      e.printStackTrace();
      wire.failed("the host broke: " + e);
      status = 3;
    }
    answers.flush();
    // The app's threads would keep the machine alive.
    Runtime.getRuntime().halt(status);
  }

  /** What the command line says. */
  record Options(LoadedApp app, int api, Path sdkFolder, Path faults, int width, int height, int density) {
    static Options read(String[] arguments) throws AppException {
      Path app = null;
      List<Path> more = new ArrayList<>();
      int api = 34;
      int[] size = {1080, 2340};
      int density = 480;
      for (int i = 0; i < arguments.length; i++) {
        String argument = arguments[i];
        if (!argument.startsWith("--")) {
          if (app != null) {
            throw new AppException("two apps named: " + app + " and " + argument + "; " + USAGE);
          }
          app = Path.of(argument);
          continue;
        }
        if (i + 1 == arguments.length) {
          throw new AppException(argument + " needs a value; " + USAGE);
        }
        String value = arguments[++i];
        switch (argument) {
          case "--api" -> api = number(argument, value, 21, 99);
          case "--density" -> density = number(argument, value, 72, 1000);
          case "--size" -> size = size(value);
          case "--class-path" -> {
            for (String entry : value.split(File.pathSeparator)) {
              if (!entry.isEmpty()) {
                more.add(Path.of(entry));
              }
            }
          }
          default -> throw new AppException(argument + ": no such option; " + USAGE);
        }
      }
      if (app == null) {
        throw new AppException(USAGE);
      }
      if (size[0] * 160 % density != 0 || size[1] * 160 % density != 0) {
        // Resource qualifiers, from which Robolectric makes the display, know only whole dp.
        throw new AppException("--size: " + size[0] + "x" + size[1] + " is no whole number of dp at " + density + " dpi");
      }
      Path sdk = Path.of(System.getProperty("droidmux.sdk", "target/sdk"));
      if (!Files.isDirectory(sdk)) {
        throw new AppException(sdk + ": no such folder; run mvn package in the folder framework");
      }
      Path faults = Path.of(System.getProperty("droidmux.faults", "target/faults.jsonl"));
      return new Options(LoadedApp.at(app, more), api, sdk.toAbsolutePath(), faults, size[0], size[1], density);
    }

    private static int number(String option, String value, int least, int most) throws AppException {
      try {
        int number = Integer.parseInt(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Reported below.
      }
      throw new AppException(option + ": a number from " + least + " to " + most + ", not " + value);
    }

    private static int[] size(String value) throws AppException {
      String[] parts = value.split("x", -1);
      if (parts.length != 2) {
        throw new AppException("--size: WIDTHxHEIGHT, not " + value);
      }
      return new int[] {number("--size", parts[0], 200, 4000), number("--size", parts[1], 200, 4000)};
    }
  }
}
