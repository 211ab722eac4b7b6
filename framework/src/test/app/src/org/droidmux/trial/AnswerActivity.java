package org.droidmux.trial;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.util.Log;
import android.widget.Button;

public final class AnswerActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    Log.i("Trial", "called by " + getCallingActivity());
    Button button = new Button(this);
    button.setText("Forty-two");
    button.setOnClickListener(
        view -> {
          setResult(RESULT_OK, new Intent().putExtra("answer", 42));
          finish();
        });
    setContentView(button);
  }
}
