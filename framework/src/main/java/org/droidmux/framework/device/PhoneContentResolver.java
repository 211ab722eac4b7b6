package org.droidmux.framework.device;

import android.content.ContentProvider;
import android.content.ContentResolver;
import android.content.res.AssetFileDescriptor;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.os.CancellationSignal;
import android.util.Log;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowContentResolver;

/**
 * The way to providers: the app's own, also for streams, and those of the system. A provider that throws when it is
 * asked for a type has told none, as on a phone.
 */
@Implements(className = "android.content.ContentResolver")
public class PhoneContentResolver extends ShadowContentResolver {
  @Override
  @Implementation
  protected String getType(Uri address) {
    try {
      return super.getType(address);
    } catch (RuntimeException e) {
      Log.w("ContentResolver", "Failed to get type for: " + address + " (" + e.getMessage() + ")");
      return null;
    }
  }

  /** Providers are asked in the later form, whichever the app uses: those of documents know no other. */
  @Override
  @Implementation
  protected Cursor query(
      Uri address, String[] projection, String selection, String[] arguments, String order, CancellationSignal signal) {
    Bundle how = ContentResolver.createSqlQueryBundle(selection, arguments, order);
    Cursor found = super.query(address, projection, how, signal);
    return found == null && SystemProviders.has(address) ? SystemProviders.empty(projection) : found;
  }

  @Override
  @Implementation
  protected Cursor query(Uri address, String[] projection, String selection, String[] arguments, String order) {
    return query(address, projection, selection, arguments, order, (CancellationSignal) null);
  }

  @Override
  @Implementation
  protected OutputStream openOutputStream(Uri address) throws FileNotFoundException {
    return openOutputStream(address, "w");
  }

  @Override
  @Implementation
  protected OutputStream openOutputStream(Uri address, String mode) throws FileNotFoundException {
    ContentProvider provider = provider(address);
    if (provider == null) {
      return super.openOutputStream(address, mode);
    }
    try {
      return opened(provider, address, mode).createOutputStream();
    } catch (IOException e) {
      throw notFound(e);
    }
  }

  @Override
  @Implementation
  protected InputStream openInputStream(Uri address) throws FileNotFoundException {
    ContentProvider provider = provider(address);
    if (provider == null) {
      return super.openInputStream(address);
    }
    try {
      return opened(provider, address, "r").createInputStream();
    } catch (IOException e) {
      throw notFound(e);
    }
  }

  private static ContentProvider provider(Uri address) {
    return ContentResolver.SCHEME_CONTENT.equals(address.getScheme())
        ? ShadowContentResolver.getProvider(address)
        : null;
  }

  private static AssetFileDescriptor opened(ContentProvider provider, Uri address, String mode)
      throws FileNotFoundException {
    AssetFileDescriptor file = provider.openAssetFile(address, mode);
    if (file == null) {
      throw new FileNotFoundException(address.toString());
    }
    return file;
  }

  private static FileNotFoundException notFound(IOException e) {
    return e instanceof FileNotFoundException told ? told : new FileNotFoundException(String.valueOf(e));
  }
}
