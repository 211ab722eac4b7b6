package org.droidmux.framework.device;

import android.app.SearchManager;
import android.content.Intent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The browser: the address, and the page where a file of that name lies among the downloads. */
final class BrowserScreen {
  private static final int LONGEST = 4_000;

  private BrowserScreen() {}

  static void show(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    String query = intent.getStringExtra(SearchManager.QUERY);
    String address = intent.getDataString() == null ? "search: " + query : intent.getDataString();
    screen.addText(address, OtherApp.id("url_bar"));
    Path page = intent.getData() == null ? null : Storage.download(intent.getData().getLastPathSegment());
    if (page == null) {
      screen.addText("This page is not here.", OtherApp.id("page"));
      return;
    }
    try {
      String text = Files.readString(page);
      screen.addText(text.substring(0, Math.min(LONGEST, text.length())), OtherApp.id("page"));
    } catch (IOException e) {
      screen.addText("This page cannot be read.", OtherApp.id("page"));
    }
  }
}
