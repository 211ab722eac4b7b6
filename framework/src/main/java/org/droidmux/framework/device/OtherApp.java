package org.droidmux.framework.device;

import android.content.ComponentName;
import android.content.Intent;
import android.content.IntentFilter;
import android.net.Uri;
import android.provider.CalendarContract;
import android.provider.ContactsContract;
import android.provider.MediaStore;
import android.provider.Settings;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The other apps of the phone: what each answers, by the filters of its manifest as it were, and the screen that it shows.
 * Where several take an intent, the first one gets it.
 */
enum OtherApp {
  CAMERA("Camera", CameraScreen::show, actions(MediaStore.ACTION_IMAGE_CAPTURE, MediaStore.ACTION_VIDEO_CAPTURE,
      MediaStore.INTENT_ACTION_STILL_IMAGE_CAMERA, MediaStore.INTENT_ACTION_VIDEO_CAMERA)),
  CONTACTS("Contacts", ContactsScreen::show,
      typed(List.of(Intent.ACTION_PICK, Intent.ACTION_GET_CONTENT, Intent.ACTION_VIEW, Intent.ACTION_EDIT, Intent.ACTION_INSERT,
          Intent.ACTION_INSERT_OR_EDIT),
          ContactsContract.Contacts.CONTENT_TYPE, ContactsContract.Contacts.CONTENT_ITEM_TYPE,
          ContactsContract.RawContacts.CONTENT_TYPE, ContactsContract.RawContacts.CONTENT_ITEM_TYPE,
          ContactsContract.CommonDataKinds.Phone.CONTENT_TYPE, ContactsContract.CommonDataKinds.Phone.CONTENT_ITEM_TYPE,
          ContactsContract.CommonDataKinds.Email.CONTENT_TYPE, ContactsContract.CommonDataKinds.Email.CONTENT_ITEM_TYPE,
          ContactsContract.CommonDataKinds.StructuredPostal.CONTENT_TYPE,
          ContactsContract.CommonDataKinds.StructuredPostal.CONTENT_ITEM_TYPE)),
  CALENDAR("Calendar", CalendarScreen::show,
      typed(List.of(Intent.ACTION_VIEW, Intent.ACTION_EDIT, Intent.ACTION_INSERT),
          CalendarProvider.EVENTS, CalendarProvider.EVENT, "time/epoch")),
  GALLERY("Gallery", GalleryScreen::show,
      actions(MediaStore.ACTION_PICK_IMAGES),
      typed(List.of(MediaStore.ACTION_PICK_IMAGES, Intent.ACTION_PICK, Intent.ACTION_VIEW), "image/*", "video/*", "audio/*",
          "vnd.android.cursor.dir/image", "vnd.android.cursor.dir/video", "vnd.android.cursor.dir/audio")),
  DOCUMENTS("Files", DocumentPicker::show,
      actions(Intent.ACTION_GET_CONTENT, Intent.ACTION_OPEN_DOCUMENT, Intent.ACTION_CREATE_DOCUMENT,
          Intent.ACTION_OPEN_DOCUMENT_TREE),
      typed(List.of(Intent.ACTION_GET_CONTENT, Intent.ACTION_OPEN_DOCUMENT, Intent.ACTION_CREATE_DOCUMENT), "*/*"),
      typed(List.of(Intent.ACTION_VIEW), "text/*")),
  NOTES("Notes", Composer::show, actions(Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE),
      typed(List.of(Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE), "*/*")),
  MESSAGES("Messages", Composer::show, actions(Intent.ACTION_SEND),
      typed(List.of(Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE), "text/*", "image/*", "video/*"),
      schemes(List.of(Intent.ACTION_SENDTO, Intent.ACTION_VIEW), "sms", "smsto", "mms", "mmsto")),
  MAIL("Mail", Composer::show, typed(List.of(Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE), "*/*"),
      schemes(List.of(Intent.ACTION_SENDTO, Intent.ACTION_VIEW), "mailto")),
  BROWSER("Browser", BrowserScreen::show, schemes(List.of(Intent.ACTION_VIEW), "http", "https"),
      actions(Intent.ACTION_WEB_SEARCH)),
  DIALLER("Phone", DiallerScreen::show, actions(Intent.ACTION_DIAL),
      schemes(List.of(Intent.ACTION_DIAL, Intent.ACTION_CALL, Intent.ACTION_VIEW), "tel", "voicemail")),
  MAPS("Maps", OtherApp::told, schemes(List.of(Intent.ACTION_VIEW), "geo")),
  STORE("Store", OtherApp::told, schemes(List.of(Intent.ACTION_VIEW), "market")),
  CLOCK("Clock", OtherApp::told, actions("android.intent.action.SET_ALARM", "android.intent.action.SET_TIMER",
      "android.intent.action.SHOW_ALARMS", "android.intent.action.SHOW_TIMERS")),
  SOUNDS("Sounds", OtherApp::told, actions("android.intent.action.RINGTONE_PICKER",
      "android.media.action.DISPLAY_AUDIO_EFFECT_CONTROL_PANEL")),
  WALLPAPER("Wallpaper", OtherApp::told, actions(Intent.ACTION_SET_WALLPAPER, "android.service.wallpaper.CHANGE_LIVE_WALLPAPER",
      "android.service.wallpaper.LIVE_WALLPAPER_CHOOSER"),
      typed(List.of(Intent.ACTION_ATTACH_DATA, "android.service.wallpaper.CROP_AND_SET_WALLPAPER"), "image/*")),
  INSTALLER("Installer", OtherApp::told, typed(List.of(Intent.ACTION_VIEW, Intent.ACTION_INSTALL_PACKAGE),
      "application/vnd.android.package-archive"),
      schemes(List.of(Intent.ACTION_DELETE, Intent.ACTION_UNINSTALL_PACKAGE), "package")),
  // What the system itself asks a person; here nobody says yes.
  SYSTEM("System", OtherApp::told, actions("android.appwidget.action.APPWIDGET_PICK", "android.appwidget.action.APPWIDGET_BIND",
      "android.bluetooth.adapter.action.REQUEST_ENABLE", "android.bluetooth.adapter.action.REQUEST_DISCOVERABLE",
      "android.app.action.ADD_DEVICE_ADMIN", "android.app.action.SET_NEW_PASSWORD",
      "android.app.action.CONFIRM_DEVICE_CREDENTIAL", "android.credentials.INSTALL")),
  SETTINGS("Settings", SettingsScreen::show, settings()),
  CHOOSER("Share", ShareSheet::show, actions(Intent.ACTION_CHOOSER));

  /** The package of all of them. */
  static final String PACKAGE = "org.droidmux.outside";

  private static final String ID = PACKAGE + ":id/";

  private final String label;
  private final Consumer<OutsideActivity> screen;
  private final List<IntentFilter> filters = new ArrayList<>();

  @SafeVarargs
  OtherApp(String label, Consumer<OutsideActivity> screen, List<IntentFilter>... filters) {
    this.label = label;
    this.screen = screen;
    for (List<IntentFilter> each : filters) {
      this.filters.addAll(each);
    }
  }

  String label() {
    return label;
  }

  List<IntentFilter> filters() {
    return List.copyOf(filters);
  }

  ComponentName component() {
    return new ComponentName(PACKAGE, PACKAGE + "." + label);
  }

  /** How it names a widget of its own. */
  static String id(String name) {
    return ID + name;
  }

  void show(OutsideActivity activity) {
    screen.accept(activity);
  }

  /** The app that an intent with a type opens; null where a phone would find none. */
  static OtherApp answering(Intent intent, String type) {
    if (intent.getPackage() != null && !intent.getPackage().equals(PACKAGE)) {
      return null;
    }
    List<OtherApp> answering = new ArrayList<>();
    for (OtherApp app : values()) {
      if (intent.getComponent() != null ? intent.getComponent().equals(app.component()) : app.takes(intent, type)) {
        answering.add(app);
      }
    }
    // Who has files of every kind comes before who has one kind, where any will do.
    Optional<OtherApp> general = answering.stream().filter(app -> app.isFor(type)).findFirst();
    return general.or(() -> answering.stream().findFirst()).orElse(null);
  }

  /** Whether a type such as {@code image/*} stands in its filters as it is. */
  private boolean isFor(String type) {
    return type != null
        && type.endsWith("/*")
        && filters.stream().anyMatch(filter -> types(filter).contains(type.replace("/*", "")));
  }

  /** As a filter keeps them: {@code image} for {@code image/*}. */
  private static List<String> types(IntentFilter filter) {
    List<String> types = new ArrayList<>();
    for (int i = 0; i < filter.countDataTypes(); i++) {
      types.add(filter.getDataType(i));
    }
    return types;
  }

  boolean takes(Intent intent, String type) {
    Uri data = intent.getData();
    return filters.stream()
        .anyMatch(
            filter ->
                filter.match(intent.getAction(), type, intent.getScheme(), data, intent.getCategories(), "droidmux") >= 0);
  }

  /** An app that shows what it was asked, and nothing else. */
  private static void told(OutsideActivity screen) {
    Intent intent = screen.getIntent();
    screen.addText(intent.getData() == null ? String.valueOf(intent.getAction()) : intent.getDataString(), id("title"));
  }

  private static List<IntentFilter> actions(String... actions) {
    return List.of(filter(List.of(actions)));
  }

  private static List<IntentFilter> typed(List<String> actions, String... types) {
    IntentFilter filter = filter(actions);
    for (String type : types) {
      try {
        filter.addDataType(type);
      } catch (IntentFilter.MalformedMimeTypeException e) {
        throw new IllegalStateException("a type of ours is wrong", e);
      }
    }
    return List.of(filter);
  }

  private static List<IntentFilter> schemes(List<String> actions, String... schemes) {
    IntentFilter filter = filter(actions);
    for (String scheme : schemes) {
      filter.addDataScheme(scheme);
    }
    return List.of(filter);
  }

  private static IntentFilter filter(List<String> actions) {
    IntentFilter filter = new IntentFilter();
    actions.forEach(filter::addAction);
    for (String category :
        List.of(Intent.CATEGORY_DEFAULT, Intent.CATEGORY_OPENABLE, Intent.CATEGORY_BROWSABLE, "android.intent.category.TYPED_OPENABLE")) {
      filter.addCategory(category);
    }
    return filter;
  }

  /** All screens of the settings that this level knows; those of one app have it in their address. */
  private static List<IntentFilter> settings() {
    TreeSet<String> actions = new TreeSet<>();
    for (Field field : Settings.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getName().startsWith("ACTION_") && field.getType() == String.class) {
        try {
          actions.add((String) field.get(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(field + " is public", e);
        }
      }
    }
    IntentFilter plain = filter(List.copyOf(actions));
    IntentFilter ofApp = new IntentFilter(plain);
    ofApp.addDataScheme("package");
    return List.of(plain, ofApp);
  }
}
