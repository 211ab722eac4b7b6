package org.droidmux.framework.device;

import android.content.AsyncQueryHandler;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.database.Cursor;
import android.net.Uri;
import android.os.Handler;
import android.os.Looper;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.util.ReflectionHelpers.ClassParameter;

/**
 * Queries are run at once, so that their order is always the same, and answered later, so that no one is told within
 * its own call.
 */
@Implements(className = "android.content.AsyncQueryHandler")
public class PhoneAsyncQuery {
  @RealObject private AsyncQueryHandler real;
  private WeakReference<ContentResolver> resolver;
  private final Map<Integer, Integer> cancelled = new HashMap<>();
  private int asked;

  @Implementation
  protected void __constructor__(ContentResolver given) {
    Shadow.invokeConstructor(AsyncQueryHandler.class, real, ClassParameter.from(ContentResolver.class, given));
    resolver = new WeakReference<>(given);
  }

  private void later(int token, String method, Object cookie, Class<?> kind, Object result) {
    int number = ++asked;
    new Handler(Looper.getMainLooper()).post(() -> {
      if (cancelled.getOrDefault(token, 0) < number) {
        ReflectionHelpers.callInstanceMethod(
            AsyncQueryHandler.class, real, method, ClassParameter.from(int.class, token),
            ClassParameter.from(Object.class, cookie), new ClassParameter<>((Class) kind, result));
      }
    });
  }

  @Implementation
  protected void startQuery(
      int token, Object cookie, Uri uri, String[] projection, String selection, String[] arguments, String order) {
    Cursor cursor;
    try {
      cursor = resolver.get().query(uri, projection, selection, arguments, order);
      if (cursor != null) {
        cursor.getCount();
      }
    } catch (Exception e) {
      android.util.Log.w("AsyncQuery", "Exception thrown during handling EVENT_ARG_QUERY", e);
      cursor = null;
    }
    later(token, "onQueryComplete", cookie, Cursor.class, cursor);
  }

  @Implementation
  protected final void startInsert(int token, Object cookie, Uri uri, ContentValues values) {
    later(token, "onInsertComplete", cookie, Uri.class, resolver.get().insert(uri, values));
  }

  @Implementation
  protected final void startUpdate(
      int token, Object cookie, Uri uri, ContentValues values, String selection, String[] arguments) {
    later(token, "onUpdateComplete", cookie, int.class, resolver.get().update(uri, values, selection, arguments));
  }

  @Implementation
  protected final void startDelete(int token, Object cookie, Uri uri, String selection, String[] arguments) {
    later(token, "onDeleteComplete", cookie, int.class, resolver.get().delete(uri, selection, arguments));
  }

  @Implementation
  protected final void cancelOperation(int token) {
    cancelled.put(token, asked);
  }
}
