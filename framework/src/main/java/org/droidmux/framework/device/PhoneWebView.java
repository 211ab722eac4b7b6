package org.droidmux.framework.device;

import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.text.TextUtils;
import android.util.Base64;
import android.util.Log;
import android.view.KeyEvent;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.ValueCallback;
import android.webkit.WebBackForwardList;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceResponse;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowWebView;

/**
 * A plain browser: texts, links and simple forms of a page, which is read off the main thread and told of as on a phone.
 * Styles and pictures are not shown, and scripts not run.
 */
@Implements(className = "android.webkit.WebView")
public class PhoneWebView extends ShadowWebView {
  private static final String STATE = "droidmux:pages";

  @RealObject private WebView real;
  private final WebHistory history = new WebHistory();
  private int load;
  private int progress = 100;
  private String title;
  private WebPageView shown;

  @Override
  @Implementation
  protected void loadUrl(String address) {
    loadUrl(address, Map.of());
  }

  @Override
  @Implementation
  protected void loadUrl(String address, Map<String, String> headers) {
    super.loadUrl(address, headers);
    if (address == null || address.isEmpty()) {
      return;
    }
    if (address.startsWith("javascript:")) {
      Log.i("WebView", "scripts are not run");
      return;
    }
    Map<String, String> sent = headers == null ? Map.of() : Map.copyOf(headers);
    visit(new WebPageRequest(address, null, null, address, sent));
  }

  @Implementation
  protected void postUrl(String address, byte[] data) {
    loadUrl(address, Map.of());
  }

  @Override
  @Implementation
  protected void loadData(String data, String type, String encoding) {
    super.loadData(data, type, encoding);
    String text = data == null ? "" : data;
    boolean packed = "base64".equals(encoding);
    String html = packed ? new String(Base64.decode(text, Base64.DEFAULT), StandardCharsets.UTF_8) : Uri.decode(text);
    visit(new WebPageRequest("data:" + (type == null ? "text/html" : type) + "," + text, html, type, null, Map.of()));
  }

  @Override
  @Implementation
  protected void loadDataWithBaseURL(String base, String data, String type, String encoding, String history) {
    super.loadDataWithBaseURL(base, data, type, encoding, history);
    visit(new WebPageRequest(history, data == null ? "" : data, type, base, Map.of()));
  }

  private void visit(WebPageRequest entry) {
    history.visit(entry);
    load(entry);
  }

  /** What is told comes after the call that asked for it. */
  private void load(WebPageRequest entry) {
    int number = ++load;
    Handler main = new Handler(Looper.getMainLooper());
    main.post(() -> started(number, entry));
    if (entry.html() != null) {
      main.post(() -> arrived(number, entry, new WebSource.Content(entry.html(), entry.type())));
      return;
    }
    Context context = real.getContext().getApplicationContext();
    WebViewClient client = getWebViewClient();
    Thread reader =
        new Thread(
            () -> {
              try {
                WebResourceResponse given = client == null ? null : client.shouldInterceptRequest(real, entry);
                WebSource.Content content =
                    given == null ? WebSource.read(context, entry.address(), entry.headers()) : WebSource.given(given);
                main.post(() -> arrived(number, entry, content));
              } catch (WebSource.Missing e) {
                main.post(() -> failed(number, entry, e));
              }
            },
            "WebViewReader");
    reader.setDaemon(true);
    reader.start();
  }

  private void started(int number, WebPageRequest entry) {
    if (number != load) {
      return;
    }
    progress = 10;
    if (getWebViewClient() != null) {
      getWebViewClient().onPageStarted(real, entry.shown(), null);
    }
    tellProgress();
  }

  private void arrived(int number, WebPageRequest entry, WebSource.Content content) {
    if (number != load) {
      return;
    }
    boolean html = content.type() == null || content.type().contains("html") || content.type().contains("xml");
    show(html ? WebPage.of(content.text(), entry.base()) : WebPage.plain(content.text()), entry);
    finished(entry);
  }

  private void failed(int number, WebPageRequest entry, WebSource.Missing missing) {
    if (number != load) {
      return;
    }
    String words = missing.getMessage();
    String html = "<title>Webpage not available</title><h1>Webpage not available</h1><p>The webpage at "
        + TextUtils.htmlEncode(entry.shown()) + " could not be loaded because:</p><p>" + words + "</p>";
    show(WebPage.of(html, null), entry);
    if (getWebViewClient() != null) {
      getWebViewClient().onReceivedError(real, entry, new WebFailure(missing.code, words));
    }
    finished(entry);
  }

  private void finished(WebPageRequest entry) {
    progress = 100;
    WebChromeClient chrome = getWebChromeClient();
    if (chrome != null) {
      chrome.onReceivedTitle(real, getTitle());
    }
    tellProgress();
    if (getWebViewClient() != null) {
      getWebViewClient().doUpdateVisitedHistory(real, entry.shown(), false);
      getWebViewClient().onPageFinished(real, entry.shown());
    }
  }

  private void tellProgress() {
    if (getWebChromeClient() != null) {
      getWebChromeClient().onProgressChanged(real, progress);
    }
  }

  private void show(WebPage page, WebPageRequest entry) {
    title = page.title();
    if (shown != null) {
      real.removeView(shown.view());
    }
    shown = new WebPageView(real.getContext(), page, getSettings().getTextZoom() / 100f, this::follow);
    real.addView(shown.view(), new ViewGroup.LayoutParams(-1, -1));
    shown.show(Uri.parse(entry.shown()).getFragment());
  }

  /** A person goes to an address: the app may have its own way, else it is shown here. */
  private void follow(String address) {
    WebPageRequest entry = WebPageRequest.to(address);
    String here = history.now() == null ? "" : history.now().shown().replaceFirst("#.*$", "");
    if (address.startsWith("#") || address.startsWith(here + "#")) {
      shown.show(address.substring(address.indexOf('#') + 1));
      return;
    }
    if (address.startsWith("javascript:")) {
      return;
    }
    WebViewClient client = getWebViewClient();
    if (client != null) {
      if (!client.shouldOverrideUrlLoading(real, entry)) {
        visit(entry);
      }
      return;
    }
    // Nobody has said that pages are to be shown here: a browser does it.
    try {
      real.getContext().startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(address)).addCategory(Intent.CATEGORY_BROWSABLE));
    } catch (ActivityNotFoundException e) {
      Log.w("WebView", "nothing opens " + address);
    }
  }

  @Override
  @Implementation
  protected void reload() {
    super.reload();
    if (history.now() != null) {
      load(history.now());
    }
  }

  @Implementation
  protected void stopLoading() {
    load++;
    progress = 100;
  }

  /** Nobody is told any more of what was under way: the app's views are gone by then. */
  @Override
  @Implementation
  protected void destroy() {
    super.destroy();
    stopLoading();
  }

  @Override
  @Implementation
  protected String getUrl() {
    return history.now() == null ? null : history.now().shown();
  }

  @Override
  @Implementation
  protected String getOriginalUrl() {
    return getUrl();
  }

  @Override
  @Implementation
  protected String getTitle() {
    return title == null || title.isEmpty() ? getUrl() : title;
  }

  @Implementation
  protected int getProgress() {
    return progress;
  }

  @Implementation
  protected int getContentHeight() {
    return shown == null ? 0 : Math.round(shown.height() / real.getResources().getDisplayMetrics().density);
  }

  @Override
  @Implementation
  protected boolean canGoBack() {
    return history.reaches(-1);
  }

  @Override
  @Implementation
  protected boolean canGoForward() {
    return history.reaches(1);
  }

  @Implementation
  protected boolean canGoBackOrForward(int steps) {
    return history.reaches(steps);
  }

  @Override
  @Implementation
  protected void goBack() {
    goBackOrForward(-1);
  }

  @Override
  @Implementation
  protected void goForward() {
    goBackOrForward(1);
  }

  @Override
  @Implementation
  protected void goBackOrForward(int steps) {
    if (history.reaches(steps)) {
      load(history.go(steps));
    }
  }

  @Override
  @Implementation
  protected void clearHistory() {
    super.clearHistory();
    history.forget();
  }

  @Implementation
  protected boolean pageDown(boolean whole) {
    return shown != null && shown.page(true, whole);
  }

  @Implementation
  protected boolean pageUp(boolean whole) {
    return shown != null && shown.page(false, whole);
  }

  /** Scripts are not run: the answer is that of one that says nothing. */
  @Override
  @Implementation
  protected void evaluateJavascript(String script, ValueCallback<String> callback) {
    super.evaluateJavascript(script, callback);
    if (callback != null) {
      new Handler(Looper.getMainLooper()).post(() -> callback.onReceiveValue("null"));
    }
  }

  @Override
  @Implementation
  protected WebBackForwardList saveState(Bundle state) {
    if (state == null) {
      return null;
    }
    state.putStringArrayList(STATE, history.addresses());
    return copyBackForwardList();
  }

  @Override
  @Implementation
  protected WebBackForwardList restoreState(Bundle state) {
    List<String> addresses = state == null ? null : state.getStringArrayList(STATE);
    if (addresses == null || addresses.isEmpty()) {
      return null;
    }
    addresses.forEach(address -> history.visit(WebPageRequest.to(address)));
    load(history.now());
    return copyBackForwardList();
  }

  // What a web view leaves to its browser, which is not there: the parts of a page are views.

  @Implementation
  protected View findFocus() {
    return Shadow.directlyOn((ViewGroup) real, ViewGroup.class, "findFocus");
  }

  @Implementation
  protected boolean setFrame(int left, int top, int right, int bottom) {
    return real.new PrivateAccess().super_setFrame(left, top, right, bottom);
  }

  @Implementation
  protected Handler getHandler() {
    return Shadow.directlyOn((View) real, View.class, "getHandler");
  }

  @Implementation
  protected boolean dispatchKeyEvent(KeyEvent event) {
    return real.new PrivateAccess().super_dispatchKeyEvent(event);
  }
}
