package org.droidmux.trial;

import android.app.Activity;
import android.os.Bundle;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import android.widget.LinearLayout;
import android.widget.TextView;

/** A page in a web view, and what the app is told of it. */
public final class PageActivity extends Activity {
  private WebView web;
  private TextView status;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    LinearLayout content = new LinearLayout(this);
    content.setOrientation(LinearLayout.VERTICAL);
    status = new TextView(this);
    status.setId(R.id.status);
    content.addView(status);
    web = new WebView(this);
    content.addView(web, new LinearLayout.LayoutParams(-1, 0, 1));
    setContentView(content);
    web.getSettings().setJavaScriptEnabled(true);
    web.setWebChromeClient(new WebChromeClient() {
      @Override
      public void onReceivedTitle(WebView view, String title) {
        status.setText(title);
      }
    });
    web.setWebViewClient(new WebViewClient() {
      @Override
      public boolean shouldOverrideUrlLoading(WebView view, WebResourceRequest request) {
        boolean away = request.getUrl().getScheme().equals("https");
        if (away) {
          status.setText("away to " + request.getUrl());
        }
        return away;
      }

      @Override
      public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
        status.append(" " + error.getErrorCode());
      }

      @Override
      public void onPageFinished(WebView view, String url) {
        status.append(" at " + url.substring(url.lastIndexOf('/') + 1) + (view.canGoBack() ? " after another" : ""));
      }
    });
    web.loadUrl("file:///android_asset/page.html");
  }

  @Override
  public void onBackPressed() {
    if (web.canGoBack()) {
      web.goBack();
    } else {
      super.onBackPressed();
    }
  }
}
