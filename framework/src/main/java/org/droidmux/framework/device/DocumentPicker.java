package org.droidmux.framework.device;

import android.content.Intent;
import java.nio.file.Files;
import java.nio.file.Path;

/** The system's picker of documents: one is chosen or created, or a folder, and its address goes back with the right to use it. */
final class DocumentPicker {
  private DocumentPicker() {}

  static void show(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    switch (String.valueOf(intent.getAction())) {
      case Intent.ACTION_CREATE_DOCUMENT -> {
        String title = intent.getStringExtra(Intent.EXTRA_TITLE);
        String name = title == null || title.isBlank() ? "Untitled" : title;
        screen.addText(name, OtherApp.id("title"));
        screen.addButton("Save", OtherApp.id("save"), () -> screen.answer(Documents.create(name)));
      }
      case Intent.ACTION_OPEN_DOCUMENT_TREE -> {
        screen.addText("Use this folder", OtherApp.id("title"));
        for (Path folder : Storage.all()) {
          if (Files.isDirectory(folder) && folder.getParent().equals(Storage.root())) {
            screen.addButton(
                folder.getFileName().toString(), OtherApp.id("item"), () -> screen.answer(StorageDocuments.tree(folder)));
          }
        }
      }
      case Intent.ACTION_VIEW -> screen.addText(Documents.nameOf(intent.getData()), OtherApp.id("title"));
      default -> open(screen, intent);
    }
  }

  private static void open(OutsideActivity screen, Intent intent) {
    screen.addText("Recent", OtherApp.id("title"));
    for (String name : Documents.taken(intent)) {
      screen.addButton(name, OtherApp.id("item"), () -> screen.answer(Documents.address(name)));
    }
    for (Path file : Documents.stored(intent)) {
      String place = Storage.root().relativize(file).toString();
      screen.addButton(place, OtherApp.id("item"), () -> screen.answer(StorageDocuments.document(file)));
    }
  }
}
