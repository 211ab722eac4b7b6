package org.droidmux.framework.apk;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.os.IInterface;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;

/** Which methods are pretended, by a class, its shadow and a host of our own, and in the table of this build. */
public class PretenceTableTest {
  /** Stands for a class of the framework. */
  public static class Thing {
    private Missing missing;
    private Offered offered;

    public void nothing() {}

    public int constant() {
      return Integer.parseInt("1");
    }

    public void noted(int what) {}

    public void fails() {}

    public int doubled(int what) {
      return what;
    }

    public void keep(int what) {}

    public int kept() {
      return 0;
    }

    public int real() {
      return 1;
    }

    public boolean takes(Thing other) {
      return other == this;
    }

    public boolean later() {
      return true;
    }

    private native int raw(int what);

    public int reachesRaw() {
      return raw(1);
    }

    public int asksNobody() {
      return missing.number();
    }

    public int asksTheHost() {
      return offered.number();
    }

    int closed() {
      return raw(2);
    }
  }

  /** A service that nobody offers. */
  public interface Missing extends IInterface {
    int number();
  }

  /** One that the host offers. */
  public interface Offered extends IInterface {
    int number();
  }

  /** Stands for a shadow of Robolectric's. */
  @Implements(className = "org.droidmux.framework.apk.PretenceTableTest$Thing")
  public static class ShadowThing {
    @RealObject private Thing real;
    private final List<Integer> noted = new ArrayList<>();
    private int answer = 3;
    private int kept;

    @Implementation
    protected void nothing() {}

    @Implementation
    protected int constant() {
      return answer;
    }

    @Implementation
    protected void noted(int what) {
      noted.add(what);
    }

    @Implementation
    protected void fails() {
      throw new UnsupportedOperationException("not here");
    }

    @Implementation
    protected int doubled(int what) {
      return 2 * what;
    }

    @Implementation
    protected void keep(int what) {
      set(what);
    }

    private void set(int what) {
      kept = what;
    }

    @Implementation
    protected int kept() {
      return kept;
    }

    @Implementation
    protected int real() {
      return real.doubled(answer);
    }

    @Implementation
    protected boolean takes(Object other) {
      return false;
    }

    @Implementation(minSdk = 99)
    protected boolean later() {
      return false;
    }

    /** What a test may set. */
    public void setAnswer(int answer) {
      this.answer = answer;
    }

    /** What a test may look at. */
    public List<Integer> noted() {
      return noted;
    }
  }

  /** Stands for a class of this host. */
  public static class Host {
    Class<?> offers() {
      return Offered.class;
    }
  }

  /** A shadow of this host's: it does what has to be done. */
  @Implements(className = "org.droidmux.framework.apk.PretenceTableTest$Thing")
  public static class OwnThing extends ShadowThing {
    @Override
    @Implementation
    protected void nothing() {}
  }

  private static byte[] code(Class<?> of) throws IOException {
    String name = of.getName().replace('.', '/') + ".class";
    try (InputStream in = of.getClassLoader().getResourceAsStream(name)) {
      return in.readAllBytes();
    }
  }

  private static String told(Class<?>... host) throws IOException {
    PretenceSources sources = new PretenceSources();
    for (Class<?> each : new Class<?>[] {Thing.class, Missing.class, Offered.class}) {
      sources.framework(code(each));
    }
    sources.shadow(code(ShadowThing.class));
    for (Class<?> each : host) {
      sources.host(code(each));
    }
    StringBuilder told = new StringBuilder();
    for (String line : new PretenceTable(sources, 34).lines()) {
      String[] parts = line.split("\t");
      told.append(parts[1]).append(' ').append(parts[3]).append('\n');
    }
    return told.toString();
  }

  @Test
  public void aMethodIsPretendedByWhatItsShadowDoes() throws Exception {
    String expected = "asksNobody service\nconstant constant\nfails fails\nnoted noted\nnothing nothing\n"
        + "reachesRaw native\ntakes constant\n";
    assertEquals(expected, told(Host.class));
    assertTrue(told(), told().startsWith("asksNobody service\nasksTheHost service\n"));
    assertEquals("what this host does itself", expected.replace("nothing nothing\n", ""), told(Host.class, OwnThing.class));
  }

  @Test
  public void aCallIsLookedUpInTheClassesAbove() throws Exception {
    String lines = "android/app/Activity\tpretend\t()V\tnothing\nandroid/content/Context\tpretend\t()V\tconstant\n";
    Pretences table = Pretences.read(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
    try (KnownClasses known = new KnownClasses(List.of())) {
      known.define("android/app/Activity", false, "android/content/Context");
      known.define("org/app/Main", false, "android/app/Activity");
      Pretences.Pretence found = table.called(known, "org/app/Main", "pretend", "()V");
      assertEquals(new Pretences.Pretence("android/app/Activity", "pretend", Pretences.Kind.NOTHING), found);
      assertNull(table.called(known, "org/app/Main", "pretend", "(I)V"));
    }
  }

  @Test
  public void theTableOfThisBuildKnowsWhatIsReal() throws Exception {
    Pretences table = Pretences.ofThisBuild();
    try (KnownClasses known = new KnownClasses(List.of())) {
      String[][] pretended = {
        {"android/os/Vibrator", "hasAmplitudeControl", "()Z"},
        {"android/print/PrintManager", "getPrintJobs", "()Ljava/util/List;"},
      };
      for (String[] each : pretended) {
        assertNotNull(each[1], table.called(known, each[0], each[1], each[2]));
      }
      String[][] real = {
        {"android/util/Log", "d", "(Ljava/lang/String;Ljava/lang/String;)I"},
        {"android/widget/TextView", "setText", "(Ljava/lang/CharSequence;)V"},
        {"android/app/NotificationManager", "notify", "(ILandroid/app/Notification;)V"},
        {"android/app/AlarmManager", "setExact", "(IJLandroid/app/PendingIntent;)V"},
        {"android/app/job/JobScheduler", "schedule", "(Landroid/app/job/JobInfo;)I"},
        {"android/graphics/Canvas", "drawText", "(Ljava/lang/String;FFLandroid/graphics/Paint;)V"},
        {"android/database/sqlite/SQLiteDatabase", "execSQL", "(Ljava/lang/String;)V"},
        {"android/os/Handler", "post", "(Ljava/lang/Runnable;)Z"},
        {"android/content/SharedPreferences", "getAll", "()Ljava/util/Map;"},
      };
      for (String[] each : real) {
        assertNull(each[1], table.called(known, each[0], each[1], each[2]));
      }
      assertFalse(table.classes().contains("android/os/Looper"));
    }
  }
}
