package org.droidmux.framework.apk;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Finds out by what else than Android's own views an app is drawn or run, from its files and its classes' names. */
final class Engines {
  /** @param drawn whether it draws by native code of its own, so that the lab shows nothing of it */
  private record Engine(String name, boolean drawn, Pattern file, String packages) {}

  private static final List<Engine> KNOWN =
      List.of(
          new Engine("Flutter", true, Pattern.compile("lib/[^/]+/libflutter\\.so"), "io/flutter/embedding/"),
          new Engine("React Native", true, Pattern.compile("lib/[^/]+/libreactnative(jni)?\\.so|assets/index\\.android\\.bundle"),
              "com/facebook/react/"),
          new Engine("Unity", true, Pattern.compile("lib/[^/]+/libunity\\.so"), "com/unity3d/player/"),
          new Engine("Xamarin", true, Pattern.compile("lib/[^/]+/libmono(droid|sgen-2\\.0)\\.so|assemblies/.*"), "mono/android/"),
          new Engine("Cordova", true, Pattern.compile("assets/www/cordova\\.js"), "org/apache/cordova/"),
          new Engine("Capacitor", true, Pattern.compile("assets/capacitor\\.config\\.json"), "com/getcapacitor/"),
          new Engine("Godot", true, Pattern.compile("lib/[^/]+/libgodot_android\\.so"), "org/godotengine/godot/"),
          new Engine("libGDX", true, Pattern.compile("lib/[^/]+/libgdx\\.so"), "com/badlogic/gdx/"),
          new Engine("Cocos2d-x", true, Pattern.compile("lib/[^/]+/libcocos2d.*\\.so"), "org/cocos2dx/"),
          new Engine("Unreal", true, Pattern.compile("lib/[^/]+/libUE4\\.so"), "com/epicgames/ue4/"),
          new Engine("NativeScript", true, Pattern.compile("lib/[^/]+/libNativeScript\\.so"), "com/tns/"),
          new Engine("Compose", false, Pattern.compile("(?!)"), "androidx/compose/ui/platform/"));

  private final Set<String> found = new TreeSet<>();
  private final Set<String> drawn = new TreeSet<>();

  void file(String name) {
    KNOWN.stream().filter(engine -> engine.file().matcher(name).matches()).forEach(this::add);
  }

  void type(String name) {
    KNOWN.stream().filter(engine -> name.startsWith(engine.packages())).forEach(this::add);
  }

  private void add(Engine engine) {
    found.add(engine.name());
    if (engine.drawn()) {
      drawn.add(engine.name());
    }
  }

  List<String> found() {
    return List.copyOf(found);
  }

  /** Those of them that draw by themselves. */
  List<String> drawn() {
    return List.copyOf(drawn);
  }
}
