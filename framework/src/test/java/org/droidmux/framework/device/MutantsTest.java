package org.droidmux.framework.device;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.droidmux.framework.mutants.Mutant;
import org.droidmux.framework.mutants.OwnCode;
import org.droidmux.framework.mutants.Weaver;
import org.droidmux.victim.Victim;
import org.junit.BeforeClass;
import org.junit.Test;

/** Mutants that are woven into a class, switched on one at a time. */
public class MutantsTest {
  private static final OwnCode OWN = new OwnCode("org.droidmux.victim", List.of());
  private static List<Mutant> mutants;
  private static Class<?> woven;

  @BeforeClass
  public static void weave() throws Exception {
    Weaver weaver = new Weaver(OWN, (one, other) -> "java/lang/Object");
    byte[] code = weaver.woven("org/droidmux/victim/Victim", code(Victim.class));
    mutants = weaver.mutants();
    woven =
        new ClassLoader(MutantsTest.class.getClassLoader()) {
          Class<?> define() {
            return defineClass(Victim.class.getName(), code, 0, code.length);
          }
        }.define();
  }

  private static byte[] code(Class<?> type) throws IOException {
    try (InputStream in = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      return in.readAllBytes();
    }
  }

  /** What a method says with these switches on. */
  private static String said(String method, Integer... on) throws Exception {
    Mutants.choose(List.of(on));
    Mutants.nextRequest();
    return (String) woven.getMethod(method).invoke(woven.getConstructor().newInstance());
  }

  private static Mutant one(String operator, String method) {
    List<Mutant> all = mutants.stream()
        .filter(each -> each.operator().equals(operator) && each.method().startsWith(method + "(")).toList();
    assertEquals(operator + " in " + method + ": " + mutants, 1, all.size());
    return all.get(0);
  }

  @Test
  public void eachDoesItsOwnAndNothingWhileItIsOff() throws Exception {
    String[][] cases = {
      // operator, the method that it is in, the method that is run, what that says, what it says with the mutant
      {"silent-listener", "onClick", "listener", "clicked", ""},
      {"lost-result", "onActivityResult", "result", "result 7", ""},
      {"lost-notification", "changed", "changed", "told", ""},
      {"stale-cursor", "again", "again", "asked", ""},
      {"flipped-visibility", "shown", "shown", "0", "8"},
      {"wrong-resource", "label", "label", "7f030001", "7f030002"},
      {"wrong-resource", "otherLabel", "otherLabel", "7f030002", "7f030001"},
      {"lesser-undo", "undo", "undo", "back", ""},
      {"wrong-item", "item", "item", "first", "second"},
      {"negated-condition", "condition", "condition", "open", "shut"},
      {"negated-condition", "comparison", "comparison", "many", "few"},
      {"lost-count", "counter", "counter", "count 1", "count 0"},
      {"wrong-order", "compare", "order", "[1, 2, 3]", "[3, 2, 1]"},
      {"wrong-order", "query", "query", "SELECT name FROM notes ORDER BY name ASC", "SELECT name FROM notes ORDER BY name DESC"},
      {"wrong-search", "search", "search", "found true", "found false"},
      {"wrong-search", "searchInCapitals", "searchInCapitals", "list", "LIST"},
      {"lost-write", "write", "write", "kept", ""},
    };
    for (String[] each : cases) {
      int number = one(each[0], each[1]).number();
      assertEquals(each[0] + " off", each[3], said(each[2]));
      assertEquals(each[0] + " would differ", 1, (long) counts("differed").get(String.valueOf(number)));
      assertEquals(each[0] + " on", each[4], said(each[2], number));
      assertEquals(each[0] + " differs", 1, (long) counts("differed").get(String.valueOf(number)));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Integer> counts(String what) {
    Map<String, Object> answer = new LinkedHashMap<>();
    Mutants.tell(answer);
    return (Map<String, Integer>) answer.get(what);
  }

  @Test
  public void whatMakesNoDifferenceIsReachedAndNotSetOff() throws Exception {
    int number = one("wrong-item", "onlyItem").number();
    assertEquals("only", said("onlyItem", number));
    assertEquals(Map.of(String.valueOf(number), 1), counts("reached"));
    assertEquals(Map.of(), counts("differed"));
  }

  @Test
  public void everyOperatorHasItsPlace() {
    TreeSet<String> operators = new TreeSet<>();
    mutants.forEach(each -> operators.add(each.operator()));
    List<String> expected = List.of(
        "flipped-visibility", "lesser-undo", "lost-count", "lost-extra", "lost-notification", "lost-restore", "lost-result",
        "lost-state", "lost-write", "negated-condition", "silent-listener", "stale-cursor", "wrong-column", "wrong-extra",
        "wrong-item", "wrong-order", "wrong-position", "wrong-preference", "wrong-resource", "wrong-search");
    assertEquals(expected, new ArrayList<>(operators));
    for (int i = 0; i < mutants.size(); i++) {
      assertEquals(i, mutants.get(i).number());
      assertTrue(mutants.get(i).toString(), mutants.get(i).line() > 0);
    }
  }

  @Test
  public void onlyTheAppsOwnCodeIsTouched() throws Exception {
    byte[] code = code(Victim.class);
    Weaver weaver = new Weaver(new OwnCode("com.example.app", List.of("com.example.app.Main")), (one, other) -> one);
    assertSame(code, weaver.woven("org/droidmux/victim/Victim", code));
    assertArrayEquals(new Mutant[0], weaver.mutants().toArray());
    OwnCode renamed = new OwnCode(
        "com.example.app.debug", List.of("com.example.app.ui.Main", "com.example.app.sync.Service", "androidx.core.Provider"));
    OwnCode apart = new OwnCode(
        "com.example.app", List.of("com.example.app.Main", "com.example.sync.Part", "org.table.TableApplication", "net.other.Part"));
    OwnCode elsewhere = new OwnCode(
        "com.example.app", List.of("com.android.shop.ui.Main", "com.android.shop.ui.Cart", "com.android.shop.App", "org.table.Part"));
    OwnCode shared = new OwnCode("com.github.one.app", List.of("com.github.one.app.Main", "com.github.two.Part"));
    Object[][] cases = {
      {renamed, "com/example/app/data/Store", true},
      {renamed, "com/example/app/R$id", false},
      {renamed, "com/example/app/databinding/MainBinding", false},
      {renamed, "com/example/app/data/NoteDao_Impl", false},
      {renamed, "com/example/other/Store", false},
      {renamed, "androidx/core/Provider", false},
      {apart, "com/example/app/Main", true},
      {apart, "com/example/sync/Part", true},
      {apart, "com/example/other/Part", false},
      {apart, "org/table/TableApplication", false},
      {apart, "net/other/Part", false},
      {elsewhere, "com/android/shop/data/Store", true},
      {elsewhere, "com/android/volley/Request", false},
      {elsewhere, "org/table/Part", false},
      {shared, "com/github/one/app/Main", true},
      {shared, "com/github/two/Part", false},
      {new OwnCode("com.example", List.of()), "a/b/c", false},
      {new OwnCode("com.google.android.gms", List.of()), "com/google/android/gms/Thing", false},
    };
    for (Object[] each : cases) {
      assertEquals(each[1].toString(), each[2], ((OwnCode) each[0]).has((String) each[1]));
    }
    assertFalse(Mutants.knows(-1));
  }
}
