package org.droidmux.framework.device;

import android.app.PendingIntent;
import android.app.RemoteInput;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.os.Bundle;
import android.view.Gravity;
import android.view.ViewGroup;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputMethodManager;
import android.widget.EditText;
import android.widget.ImageButton;
import android.widget.LinearLayout;
import java.util.Arrays;

/**
 * Where a person writes an answer to a notification. In flows a text, out flows the intent of the button with it; the field
 * goes then. Named as AOSP names it.
 */
final class ReplyField extends LinearLayout {
  private final RemoteInput[] inputs;
  private final PendingIntent intent;
  private final Runnable sent;
  private final EditText text;

  ReplyField(Context context, RemoteInput[] inputs, PendingIntent intent, Runnable sent) {
    super(context);
    this.inputs = inputs;
    this.intent = intent;
    this.sent = sent;
    setGravity(Gravity.CENTER_VERTICAL);
    NamedView.name(this, ShadePanel.ID + "remote_input", null);
    text = new EditText(context);
    text.setHint(input().getLabel());
    text.setSingleLine(true);
    text.setImeOptions(EditorInfo.IME_ACTION_SEND);
    text.setOnEditorActionListener((view, action, event) -> {
      send();
      return true;
    });
    NamedView.name(text, ShadePanel.ID + "remote_input_text", null);
    addView(text, new LayoutParams(0, ViewGroup.LayoutParams.WRAP_CONTENT, 1));
    ImageButton button = new ImageButton(context);
    button.setImageResource(android.R.drawable.ic_menu_send);
    button.setContentDescription("Send");
    button.setOnClickListener(touched -> send());
    NamedView.name(button, ShadePanel.ID + "remote_input_send", null);
    addView(button);
  }

  /** The one that takes what a person writes. */
  private RemoteInput input() {
    return Arrays.stream(inputs).filter(RemoteInput::getAllowFreeFormInput).findFirst().orElseThrow();
  }

  /** The cursor is in it, and the keyboard comes. */
  void begin() {
    text.requestFocus();
    getContext().getSystemService(InputMethodManager.class).showSoftInput(text, 0);
  }

  private void send() {
    String answer = text.getText().toString();
    if (answer.isEmpty()) {
      return;
    }
    Bundle results = new Bundle();
    results.putString(input().getResultKey(), answer);
    Intent more = new Intent().addFlags(Intent.FLAG_RECEIVER_FOREGROUND);
    RemoteInput.addResultsToIntent(inputs, more, results);
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
      RemoteInput.setResultsSource(more, RemoteInput.SOURCE_FREE_FORM_INPUT);
    }
    Phone.get().keyboard().hide();
    if (getParent() instanceof ViewGroup parent) {
      parent.removeView(this);
    }
    Phone.get().notifications().send(intent, more);
    sent.run();
  }
}
