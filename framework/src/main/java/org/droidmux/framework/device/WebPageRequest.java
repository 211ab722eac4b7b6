package org.droidmux.framework.device;

import android.net.Uri;
import android.webkit.WebResourceRequest;
import java.util.Map;

/**
 * A page that was asked for, as an app is told of it.
 *
 * @param html what is shown, if it was given and is not to be looked up
 * @param base to which the links of a page relate
 */
record WebPageRequest(String address, String html, String type, String base, Map<String, String> headers)
    implements WebResourceRequest {
  static WebPageRequest to(String address) {
    return new WebPageRequest(address, null, null, address, Map.of());
  }

  /** The address that the app is told. */
  String shown() {
    return address == null ? "about:blank" : address;
  }

  @Override
  public Uri getUrl() {
    return Uri.parse(shown());
  }

  @Override
  public boolean isForMainFrame() {
    return true;
  }

  @Override
  public boolean isRedirect() {
    return false;
  }

  @Override
  public boolean hasGesture() {
    return true;
  }

  @Override
  public String getMethod() {
    return "GET";
  }

  @Override
  public Map<String, String> getRequestHeaders() {
    return headers;
  }
}
