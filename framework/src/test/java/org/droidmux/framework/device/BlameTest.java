package org.droidmux.framework.device;

import static org.junit.Assert.assertEquals;

import java.security.KeyStoreException;
import org.junit.Test;

/** Stacks from the top to the bottom, and whose fault they are. */
public class BlameTest {
  private static final String BODY = "android.widget.TextView.$$robo$$android_widget_TextView$setText";
  private static final String SHADOW = "org.robolectric.shadows.ShadowTextView.setText";
  private static final String APP = "org.example.Main.onCreate";
  private static final String LOOPER = "android.os.Looper.loop";

  private static boolean ofLab(Throwable thrown, String... frames) {
    StackTraceElement[] stack = new StackTraceElement[frames.length];
    for (int i = 0; i < frames.length; i++) {
      int dot = frames[i].lastIndexOf('.');
      stack[i] = new StackTraceElement(frames[i].substring(0, dot), frames[i].substring(dot + 1), "Some.java", 1);
    }
    thrown.setStackTrace(stack);
    return new Blame(name -> name.startsWith("org.example.")).isOfLab(thrown);
  }

  @Test
  public void whoThrewItIsToBlame() {
    Object[][] rows = {
      {"the app", false, new String[] {APP, "android.app.Activity.performCreate", LOOPER}},
      {"the JDK, called by the app", false, new String[] {"java.util.ArrayList.get", APP, LOOPER}},
      {"the framework, called by the app", false, new String[] {BODY, "java.lang.invoke.Handle.call", APP}},
      {"a shadow that hands on the same call", false, new String[] {BODY, SHADOW, APP}},
      {"a shadow that hands on the same call in a lambda", false,
        new String[] {BODY, "jdk.internal.reflect.GeneratedMethodAccessor14.invoke",
          "org.robolectric.shadows.ShadowTextView.lambda$setText$0", SHADOW, APP}},
      {"the framework, called by a shadow in a lambda on its own account", true,
        new String[] {"android.view.View.invalidate", "org.robolectric.shadows.ShadowTextView.lambda$setText$0", SHADOW, APP}},
      {"a shadow", true, new String[] {SHADOW, APP}},
      {"the JDK, called by a shadow", true, new String[] {"java.util.Objects.requireNonNull", SHADOW, APP}},
      {"the framework, called by a shadow on its own account", true,
        new String[] {"android.view.View.invalidate", SHADOW, APP}},
      {"the host", true, new String[] {"org.droidmux.framework.device.PhoneParcel.read", APP}},
      {"the framework, in a message of its own", false, new String[] {"android.view.View.layout", LOOPER, SHADOW}},
      {"the loader of the app's classes, which the framework asks for one", false,
        new String[] {"java.net.URLClassLoader.findClass", AppClasses.class.getName() + ".loadClass",
          "android.preference.GenericInflater.createItem", APP}},
      {"the framework, in a message that an idling looper runs", false,
        new String[] {"android.view.View.layout", "android.os.Handler.dispatchMessage",
          "org.robolectric.shadows.ShadowPausedMessage.doRun", "org.robolectric.shadows.ShadowPausedLooper$IdlingRunnable.run"}},
      {"a shadow, in a message of the framework's", true, new String[] {SHADOW, "android.view.View.layout", LOOPER}},
      {"the app, called by the host", false, new String[] {APP, Lifecycle.class.getName() + ".bringUp"}},
    };
    for (Object[] row : rows) {
      assertEquals((String) row[0], row[1], ofLab(new IllegalStateException(), (String[]) row[2]));
    }
  }

  @Test
  public void someKindsAreAlwaysSomebodys() {
    assertEquals("a class that does not link", true, ofLab(new VerifyError(), APP));
    assertEquals("native code", true, ofLab(new UnsatisfiedLinkError(), "java.lang.System.loadLibrary", APP));
    // Where a class is asked for whose initialiser threw before, the JVM has only the words of that.
    String before = "Exception java.lang.UnsatisfiedLinkError: 'int a.B.c()' [in thread \"main\"]";
    assertEquals("code that failed to link before", true, ofLab(new ExceptionInInitializerError(before), APP));
    String of = "Exception java.lang.IllegalStateException [in thread \"main\"]";
    assertEquals("a class of the app's that failed to begin before", false, ofLab(new ExceptionInInitializerError(of), APP));
    assertEquals("no memory", true, ofLab(new OutOfMemoryError(), APP));
    assertEquals("a provider of phones", true, ofLab(new KeyStoreException("AndroidKeyStore not found"), APP));
    assertEquals("a key store of the app's", false, ofLab(new KeyStoreException("Uninitialized keystore"), APP));
    String factory = "android.webkit.WebViewFactory.getProvider";
    String asked = "Cannot invoke \"android.webkit.IWebViewUpdateService.waitForAndGetProvider()\" because it is null";
    assertEquals("a service of phones", true, ofLab(new NullPointerException(asked), factory, APP));
    assertEquals("one that the app asks", false, ofLab(new NullPointerException(asked), APP));
    String bitmap = "Cannot invoke \"android.graphics.Bitmap.getWidth()\" because \"<parameter1>\" is null";
    assertEquals("nothing given to the framework", false, ofLab(new NullPointerException(bitmap), factory, APP));
    assertEquals("a permission that is missing", false, ofLab(new SecurityException(), SHADOW, APP));
    Throwable wrapped = new RuntimeException(new VerifyError());
    assertEquals("what it was in the beginning", true, new Blame(name -> true).isOfLab(wrapped));
  }
}
