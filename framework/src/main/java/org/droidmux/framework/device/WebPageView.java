package org.droidmux.framework.device;

import android.content.Context;
import android.graphics.Color;
import android.net.Uri;
import android.text.InputType;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.webkit.WebView;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.ScrollView;
import android.widget.TextView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A page's parts as views in a column, which say of themselves what a phone's browser says of its pages. */
final class WebPageView {
  private final WebPage page;
  private final Consumer<String> follow;
  private final ScrollView scroll;
  private final LinearLayout column;
  private final Map<View, WebPage.Part> fields = new LinkedHashMap<>();
  private final Map<String, View> named = new LinkedHashMap<>();

  /** Links, and buttons that send a form, lead to an address, which is handed to {@code follow}. */
  WebPageView(Context context, WebPage page, float scale, Consumer<String> follow) {
    this.page = page;
    this.follow = follow;
    scroll = new ScrollView(context);
    scroll.setFillViewport(true);
    scroll.setBackgroundColor(Color.WHITE);
    told(scroll, WebView.class.getName(), page.title());
    column = new LinearLayout(context);
    column.setOrientation(LinearLayout.VERTICAL);
    column.setPadding(24, 24, 24, 24);
    told(column, View.class.getName(), null);
    scroll.addView(column);
    for (WebPage.Part part : page.parts()) {
      add(context, part, scale);
    }
  }

  View view() {
    return scroll;
  }

  int height() {
    return column.getHeight();
  }

  /** Scrolls to the part of this name, once it has its place. */
  void show(String fragment) {
    View view = fragment == null ? null : named.get(fragment);
    if (view != null) {
      scroll.post(() -> scroll.scrollTo(0, view.getTop()));
    }
  }

  boolean page(boolean down, boolean whole) {
    return whole ? scroll.fullScroll(down ? View.FOCUS_DOWN : View.FOCUS_UP) : scroll.pageScroll(down ? View.FOCUS_DOWN : View.FOCUS_UP);
  }

  private void add(Context context, WebPage.Part part, float scale) {
    TextView view =
        switch (part.kind()) {
          case FIELD -> field(context, part);
          case CHECK -> check(context, part);
          default -> new TextView(context);
        };
    view.setTextColor(part.kind() == WebPage.Kind.LINK ? Color.rgb(0, 0, 238) : Color.BLACK);
    view.setTextSize(part.size() * scale);
    view.setText(part.text());
    view.setPadding(0, 16, 0, 16);
    if (part.kind() == WebPage.Kind.LINK || part.kind() == WebPage.Kind.BUTTON) {
      view.setFocusable(true);
      view.setOnClickListener(clicked -> clicked(part));
    }
    told(view, part.kind().className, null);
    if (!part.id().isEmpty()) {
      named.putIfAbsent(part.id(), view);
    }
    column.addView(view);
  }

  private EditText field(Context context, WebPage.Part part) {
    EditText field = new EditText(context);
    field.setSingleLine(true);
    if (part.on()) {
      field.setInputType(InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD);
    }
    fields.put(field, part);
    return field;
  }

  private CheckBox check(Context context, WebPage.Part part) {
    CheckBox check = new CheckBox(context);
    check.setChecked(part.on());
    fields.put(check, part);
    return check;
  }

  private void clicked(WebPage.Part part) {
    if (part.to() == null) {
      return;
    }
    if (part.kind() == WebPage.Kind.LINK) {
      follow.accept(part.to());
      return;
    }
    Uri.Builder sent = Uri.parse(part.to()).buildUpon().clearQuery().fragment(null);
    page.hiddenOf(part.to()).forEach(sent::appendQueryParameter);
    fields.forEach((view, field) -> {
      boolean of = part.to().equals(field.to()) && field.name() != null && !field.name().isEmpty();
      if (of && view instanceof CheckBox check) {
        if (check.isChecked()) {
          sent.appendQueryParameter(field.name(), field.text());
        }
      } else if (of) {
        sent.appendQueryParameter(field.name(), ((TextView) view).getText().toString());
      }
    });
    follow.accept(sent.build().toString());
  }

  private static void told(View view, String className, String text) {
    view.setAccessibilityDelegate(
        new View.AccessibilityDelegate() {
          @Override
          public void onInitializeAccessibilityNodeInfo(View host, AccessibilityNodeInfo info) {
            super.onInitializeAccessibilityNodeInfo(host, info);
            info.setClassName(className);
            if (text != null && !text.isEmpty()) {
              info.setText(text);
            }
          }
        });
  }
}
