package org.droidmux.framework.apk;

import com.googlecode.d2j.DexType;
import com.googlecode.d2j.Method;
import com.googlecode.d2j.Visibility;
import com.googlecode.d2j.node.DexAnnotationNode;
import com.googlecode.d2j.node.DexClassNode;
import com.googlecode.d2j.node.DexFileNode;
import com.googlecode.d2j.reader.DexFileReader;
import com.googlecode.d2j.reader.MultiDexFileReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The dex files of an app, and what is known of their classes before any code is looked at. Of classes with the same
 * name the first one counts, as on a phone.
 */
final class DexFiles {
  private static final Pattern NAME = Pattern.compile("classes([2-9]|[1-9][0-9]+)?\\.dex");
  private static final long LARGEST = 256L << 20;
  private static final long LARGEST_WHOLE = 1L << 30;
  private static final int MOST_METHODS = 65_536;
  private static final String ENCLOSING_CLASS = "Ldalvik/annotation/EnclosingClass;";
  private static final String ENCLOSING_METHOD = "Ldalvik/annotation/EnclosingMethod;";
  private static final String MEMBERS = "Ldalvik/annotation/MemberClasses;";

  /** A dex file, as app.json tells of it. */
  record Dex(String file, int bytes, int version, int classes, int methods) {}

  /** A class without its code. */
  record Declared(int index, String name, String source, boolean isInterface, String superName) {}

  private final List<Dex> files = new ArrayList<>();
  private final List<Declared> classes = new ArrayList<>();
  private final int[] group;
  private final MultiDexFileReader reader;

  /** Reads all dex files of an app. */
  DexFiles(AppFiles apks) throws ApkException {
    List<DexFileReader> readers = new ArrayList<>();
    long whole = 0;
    for (AppFiles.Apk apk : apks.all()) {
      for (String name : names(apk.archive())) {
        byte[] bytes = apk.archive().read(name, LARGEST);
        whole += bytes.length;
        if (whole > LARGEST_WHOLE) {
          throw new ApkException(apk.archive().file() + ": more than " + (LARGEST_WHOLE >> 20) + " MB of dex files");
        }
        readers.add(opened(apk, name, bytes));
      }
    }
    String base = apks.base().archive().file().toString();
    if (readers.isEmpty()) {
      throw new ApkException(base + ": holds no classes.dex: there is no code in it that this lab could run");
    }
    reader = new MultiDexFileReader(readers);
    DexFileNode bare = new DexFileNode();
    try {
      reader.accept(bare, DexFileReader.SKIP_CODE | DexFileReader.IGNORE_READ_EXCEPTION);
    } catch (RuntimeException | StackOverflowError e) {
      throw new ApkException(base + ": its dex files are broken: " + e);
    }
    group = declare(bare);
  }

  /** In the order in which a phone looks into them. */
  private static List<String> names(Archive apk) {
    return apk.names().stream()
        .filter(name -> NAME.matcher(name).matches())
        .sorted((one, other) -> Integer.compare(number(one), number(other)))
        .toList();
  }

  private static int number(String name) {
    String digits = name.replaceAll("\\D", "");
    return digits.isEmpty() ? 1 : digits.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  private DexFileReader opened(AppFiles.Apk apk, String name, byte[] bytes) throws ApkException {
    String where = apk.archive().file() + ": " + name;
    if (bytes.length < 112 || bytes[0] != 'd' || bytes[1] != 'e' || bytes[2] != 'x') {
      throw new ApkException(where + " is no dex file");
    }
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int size = header.getInt(32);
    if (size < 0 || size > bytes.length) {
      throw new ApkException(
          where + " is cut off: " + bytes.length + " bytes of " + Integer.toUnsignedString(size));
    }
    int methods = header.getInt(88);
    if (methods < 0 || methods > MOST_METHODS) {
      throw new ApkException(
          where + " says that it names " + Integer.toUnsignedString(methods) + " methods; there can be " + MOST_METHODS);
    }
    try {
      DexFileReader opened = new DexFileReader(bytes);
      int count = opened.getClassNames().size();
      files.add(new Dex(apk.name() + "/" + name, bytes.length, version(bytes), count, methods));
      return opened;
    } catch (RuntimeException e) {
      throw new ApkException(where + " is broken: " + e);
    }
  }

  private static int version(byte[] bytes) {
    int version = 0;
    for (int i = 4; i < 7; i++) {
      version = 10 * version + Character.digit(bytes[i], 10);
    }
    return Math.max(0, version);
  }

  /** Notes each class, and which of them have to be translated together because one names the other as its outer. */
  private int[] declare(DexFileNode bare) {
    Map<String, Integer> indices = new HashMap<>();
    List<String> names = reader.getClassNames();
    for (int i = 0; i < names.size(); i++) {
      indices.putIfAbsent(names.get(i), i);
    }
    int[] parent = new int[names.size()];
    for (int i = 0; i < parent.length; i++) {
      parent[i] = i;
    }
    for (DexClassNode node : bare.clzs) {
      Integer index = indices.get(node.className);
      if (index == null) {
        continue;
      }
      classes.add(
          new Declared(
              index, internal(node.className), node.source, (node.access & 0x0200) != 0,
              node.superClass == null ? "java/lang/Object" : internal(node.superClass)));
      for (String other : relatives(node)) {
        Integer related = indices.get(other);
        if (related != null) {
          parent[root(parent, related)] = root(parent, index);
        }
      }
    }
    for (int i = 0; i < parent.length; i++) {
      parent[i] = root(parent, i);
    }
    return parent;
  }

  private static int root(int[] parent, int index) {
    int at = index;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  private static List<String> relatives(DexClassNode node) {
    List<String> found = new ArrayList<>();
    if (node.anns == null) {
      return found;
    }
    for (DexAnnotationNode annotation : node.anns) {
      if (annotation.visibility != Visibility.SYSTEM) {
        continue;
      }
      for (DexAnnotationNode.Item item : annotation.items) {
        if (annotation.type.equals(ENCLOSING_CLASS) && item.value instanceof DexType type) {
          found.add(type.desc);
        } else if (annotation.type.equals(ENCLOSING_METHOD) && item.value instanceof Method method) {
          found.add(method.getOwner());
        } else if (annotation.type.equals(MEMBERS) && item.value instanceof Object[] members) {
          for (Object member : members) {
            if (member instanceof DexType type) {
              found.add(type.desc);
            }
          }
        }
      }
    }
    return found;
  }

  private static String internal(String descriptor) {
    return descriptor.length() > 2 ? descriptor.substring(1, descriptor.length() - 1) : descriptor;
  }

  List<Dex> files() {
    return files;
  }

  List<Declared> classes() {
    return classes;
  }

  /** All classes in portions of about so many; classes within each other are never parted. */
  List<Portion> portions(int size) {
    Map<Integer, List<Integer>> groups = new LinkedHashMap<>();
    for (Declared each : classes) {
      groups.computeIfAbsent(group[each.index()], key -> new ArrayList<>()).add(each.index());
    }
    List<Portion> portions = new ArrayList<>();
    List<Integer> next = new ArrayList<>();
    for (List<Integer> together : groups.values()) {
      next.addAll(together);
      if (next.size() >= size) {
        portions.add(new Portion(reader, next));
        next = new ArrayList<>();
      }
    }
    if (!next.isEmpty()) {
      portions.add(new Portion(reader, next));
    }
    return portions;
  }
}
