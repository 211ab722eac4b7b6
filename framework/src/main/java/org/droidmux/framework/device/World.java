package org.droidmux.framework.device;

import android.app.Application;
import android.content.ContentProvider;
import android.content.pm.ProviderInfo;
import android.os.Build;
import java.util.List;
import org.robolectric.shadows.ShadowContentResolver;

/** What a process finds on the phone besides its app: shared storage, and the providers of the other apps. It ends with the process. */
final class World {
  private final ContactsProvider contacts = new ContactsProvider();
  private final CalendarProvider calendar = new CalendarProvider();
  private final MediaProvider media = new MediaProvider();

  /** Before the app's own code runs. */
  void install(Application application) {
    int target = application.getApplicationInfo().targetSdkVersion;
    Phone.get().storage().mount(target < Build.VERSION_CODES.R);
    register(application, ContactsProvider.AUTHORITY, contacts);
    register(application, "contacts", contacts);
    register(application, CalendarProvider.AUTHORITY, calendar);
    register(application, MediaProvider.AUTHORITY, media);
    register(application, Documents.AUTHORITY, new Documents());
    ContentProvider documents = new StorageDocuments();
    ShadowContentResolver.registerProviderInternal(StorageDocuments.AUTHORITY, documents);
    documents.attachInfo(application, StorageDocuments.info());
    Phone.get().access().applyTo(application);
  }

  private static void register(Application application, String authority, ContentProvider provider) {
    ProviderInfo info = new ProviderInfo();
    info.authority = authority;
    info.exported = true;
    info.grantUriPermissions = true;
    ShadowContentResolver.registerProviderInternal(authority, provider);
    provider.attachInfo(application, info);
  }

  /** The provider of an authority, or null. */
  TableProvider provider(String authority) {
    return switch (String.valueOf(authority)) {
      case ContactsProvider.AUTHORITY, "contacts" -> contacts;
      case CalendarProvider.AUTHORITY -> calendar;
      case MediaProvider.AUTHORITY -> media;
      default -> null;
    };
  }

  ContactsProvider contacts() {
    return contacts;
  }

  CalendarProvider calendar() {
    return calendar;
  }

  MediaProvider media() {
    return media;
  }

  void end() {
    List.of(contacts, calendar, media).forEach(TableProvider::close);
  }
}
