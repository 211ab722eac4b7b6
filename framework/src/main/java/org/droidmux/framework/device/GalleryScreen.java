package org.droidmux.framework.device;

import android.content.ClipData;
import android.content.Intent;
import android.database.Cursor;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.net.Uri;
import android.provider.MediaStore;
import android.widget.CheckBox;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The gallery, which is also the picker of photos: one is picked, or several, or one is shown. */
final class GalleryScreen {
  private GalleryScreen() {}

  static void show(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    if (Intent.ACTION_VIEW.equals(intent.getAction())) {
      view(screen, intent.getData());
      return;
    }
    int most = intent.getIntExtra(MediaStore.EXTRA_PICK_IMAGES_MAX, intent.getBooleanExtra(Intent.EXTRA_ALLOW_MULTIPLE, false) ? 100 : 1);
    screen.addText("Photos", OtherApp.id("title"));
    Map<String, Uri> items = items(intent);
    if (items.isEmpty()) {
      screen.addText("No photos or videos", null);
    }
    if (most <= 1) {
      items.forEach((name, address) -> screen.addButton(name, OtherApp.id("item"), () -> screen.answer(address)));
      return;
    }
    Map<CheckBox, Uri> checks = new LinkedHashMap<>();
    items.forEach((name, address) -> checks.put(screen.addCheck(name, OtherApp.id("item")), address));
    screen.addButton("Add", OtherApp.id("add"), () -> answer(screen, checks, most));
  }

  private static void answer(OutsideActivity screen, Map<CheckBox, Uri> checks, int most) {
    List<Uri> chosen = new ArrayList<>();
    checks.forEach((check, address) -> {
      if (check.isChecked() && chosen.size() < most) {
        chosen.add(address);
      }
    });
    if (chosen.isEmpty()) {
      return;
    }
    ClipData clip = new ClipData(null, new String[] {"image/*"}, new ClipData.Item(chosen.get(0)));
    chosen.stream().skip(1).forEach(address -> clip.addItem(new ClipData.Item(address)));
    chosen.forEach(Phone.get().grants()::allow);
    Intent data = new Intent();
    data.setClipData(clip);
    screen.answer(data);
  }

  private static Map<String, Uri> items(Intent intent) {
    MediaProvider media = AppProcess.current().world().media();
    String type = String.valueOf(intent.resolveType(AppProcess.current().application().getContentResolver()));
    boolean videos = type.startsWith("video/") || type.endsWith("/video");
    boolean pictures = type.startsWith("image/") || type.endsWith("/image");
    String wanted = videos ? "media_type = 3" : pictures ? "media_type = 1" : "media_type IN (1, 3)";
    Map<String, Uri> items = new LinkedHashMap<>();
    media.refresh(null);
    String[] columns = {"_id", "_display_name", "media_type"};
    try (Cursor rows = media.select(new TableProvider.Source("files", wanted), columns, null, null, "datetaken DESC, _id", "")) {
      while (rows.moveToNext()) {
        items.put(rows.getString(1), MediaProvider.address(rows.getLong(0), rows.getInt(2) == 3));
      }
    }
    return items;
  }

  private static void view(OutsideActivity screen, Uri address) {
    screen.addText(Documents.nameOf(address), OtherApp.id("title"));
    try (InputStream in = screen.getContentResolver().openInputStream(address)) {
      Bitmap picture = BitmapFactory.decodeStream(in);
      if (picture != null) {
        screen.addPicture(picture, Documents.nameOf(address));
        return;
      }
    } catch (IOException | RuntimeException e) {
      // What cannot be read is told as what cannot be shown.
    }
    screen.addText("This item cannot be shown.", null);
  }
}
