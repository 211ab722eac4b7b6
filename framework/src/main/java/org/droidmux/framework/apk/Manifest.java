package org.droidmux.framework.apk;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the translator has to know of a manifest in its binary form. The host reads it again, with the framework's own
 * parser.
 *
 * @param split the split's name, null in the APK that an app begins with
 * @param activities the classes of activities, with their packages
 * @param components the classes of activities, services, receivers, providers and of the application, with their packages
 */
record Manifest(
    String packageName, String split, String version, int versionCode, int minimum, int target,
    List<String> permissions, List<String> features, List<String> libraries, List<String> activities,
    List<String> components) {
  private static final int XML = 0x0003;
  private static final int STRINGS = 0x0001;
  private static final int IDS = 0x0180;
  private static final int START = 0x0102;
  private static final int UTF8 = 0x100;
  private static final int TYPE_STRING = 0x03;
  private static final int TYPE_INT = 0x10;
  private static final int TYPE_HEX = 0x11;
  private static final int TYPE_TRUTH = 0x12;
  private static final int MOST_ELEMENTS = 200_000;

  /** The framework knows attributes by number; some tools leave their names out. */
  private static final Map<Integer, String> ATTRIBUTES =
      Map.of(
          0x01010003, "name", 0x0101020c, "minSdkVersion", 0x01010270, "targetSdkVersion", 0x0101021b, "versionCode",
          0x0101021c, "versionName", 0x0101028e, "required");

  /** An element's attributes: strings as they are, numbers in decimal. */
  private record Tag(String name, Map<String, String> attributes) {
    String text(String attribute) {
      return attributes.get(attribute);
    }

    int number(String attribute, int otherwise) {
      try {
        return Integer.parseInt(attributes.getOrDefault(attribute, ""));
      } catch (NumberFormatException e) {
        return otherwise;
      }
    }
  }

  /** Reads a manifest; {@code where} names it in what is said of a broken one. */
  static Manifest read(byte[] bytes, String where) throws ApkException {
    List<Tag> tags;
    try {
      tags = tags(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ApkException(where + ": the manifest is broken: " + reason(bytes, e));
    }
    Tag root = tags.isEmpty() ? null : tags.get(0);
    if (root == null || !root.name().equals("manifest") || root.text("package") == null) {
      throw new ApkException(where + ": the manifest is broken: it does not begin with <manifest package=…>");
    }
    int minimum = 1;
    int target = 0;
    List<String> permissions = new ArrayList<>();
    List<String> features = new ArrayList<>();
    List<String> libraries = new ArrayList<>();
    List<String> activities = new ArrayList<>();
    List<String> components = new ArrayList<>();
    for (Tag tag : tags) {
      String name = tag.text("name");
      switch (tag.name()) {
        case "uses-sdk" -> {
          minimum = tag.number("minSdkVersion", minimum);
          target = tag.number("targetSdkVersion", target);
        }
        case "uses-permission" -> add(permissions, name);
        case "uses-feature" -> add(features, "0".equals(tag.text("required")) ? null : name);
        case "uses-library" -> add(libraries, name);
        case "activity" -> {
          String activity = whole(root.text("package"), name);
          add(activities, activity);
          add(components, activity);
        }
        case "application", "service", "receiver", "provider" -> add(components, whole(root.text("package"), name));
        default -> {
          // Nothing that matters here.
        }
      }
    }
    return new Manifest(
        root.text("package"), root.text("split"), root.attributes().getOrDefault("versionName", ""),
        root.number("versionCode", 0), minimum, Math.max(minimum, target), permissions, features, libraries, activities,
        components);
  }

  /** A class with its package, which manifests may leave out. */
  private static String whole(String packageName, String name) {
    if (name == null || name.isEmpty()) {
      return null;
    }
    return name.startsWith(".") ? packageName + name : name.contains(".") ? name : packageName + "." + name;
  }

  private static void add(List<String> to, String name) {
    if (name != null && !to.contains(name)) {
      to.add(name);
    }
  }

  private static String reason(byte[] bytes, RuntimeException e) {
    if (bytes.length > 0 && bytes[0] == '<') {
      return "it is text, and an APK has it compiled";
    }
    return e.getMessage() == null ? "it ends too soon" : e.getMessage();
  }

  private static List<Tag> tags(ByteBuffer in) {
    if (in.getShort() != XML) {
      throw new IllegalArgumentException("it is no compiled XML");
    }
    in.position(in.getShort(2) & 0xffff);
    List<String> strings = List.of();
    List<Tag> tags = new ArrayList<>();
    while (in.remaining() >= 8) {
      int begin = in.position();
      int kind = in.getShort(begin) & 0xffff;
      int header = in.getShort(begin + 2) & 0xffff;
      int size = in.getInt(begin + 4);
      if (size < 8 || size > in.remaining()) {
        throw new IllegalArgumentException("a part of it says that it has " + Integer.toUnsignedString(size) + " bytes");
      }
      ByteBuffer chunk = in.slice(begin, size).order(ByteOrder.LITTLE_ENDIAN);
      if (kind == STRINGS && strings.isEmpty()) {
        strings = strings(chunk, header);
      } else if (kind == IDS) {
        strings = named(strings, chunk, header);
      } else if (kind == START) {
        tags.add(tag(chunk, header, strings));
        if (tags.size() > MOST_ELEMENTS) {
          throw new IllegalArgumentException("it has more than " + MOST_ELEMENTS + " elements");
        }
      }
      in.position(begin + size);
    }
    return tags;
  }

  /** The first strings are names of attributes, with a number each. */
  private static List<String> named(List<String> strings, ByteBuffer chunk, int header) {
    List<String> named = new ArrayList<>(strings);
    for (int i = 0; i < named.size() && header + 4 * i + 4 <= chunk.limit(); i++) {
      named.set(i, ATTRIBUTES.getOrDefault(chunk.getInt(header + 4 * i), named.get(i)));
    }
    return named;
  }

  private static List<String> strings(ByteBuffer chunk, int header) {
    int count = chunk.getInt(8);
    boolean utf8 = (chunk.getInt(16) & UTF8) != 0;
    int start = chunk.getInt(20);
    if (count < 0 || count > (chunk.limit() - header) / 4) {
      throw new IllegalArgumentException("it says that it has " + Integer.toUnsignedString(count) + " strings");
    }
    List<String> strings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int at = start + chunk.getInt(header + 4 * i);
      strings.add(utf8 ? utf8(chunk, at) : utf16(chunk, at));
    }
    return strings;
  }

  private static String utf8(ByteBuffer chunk, int begin) {
    int at = begin + ((chunk.get(begin) & 0x80) != 0 ? 2 : 1);
    int length = chunk.get(at++) & 0xff;
    if ((length & 0x80) != 0) {
      length = (length & 0x7f) << 8 | chunk.get(at++) & 0xff;
    }
    byte[] text = new byte[length];
    chunk.get(at, text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static String utf16(ByteBuffer chunk, int begin) {
    int at = begin + 2;
    int length = chunk.getShort(begin) & 0xffff;
    if ((length & 0x8000) != 0) {
      length = (length & 0x7fff) << 16 | chunk.getShort(at) & 0xffff;
      at += 2;
    }
    if (length > chunk.limit() / 2) {
      throw new IllegalArgumentException("it has a string of " + length + " characters");
    }
    byte[] text = new byte[2 * length];
    chunk.get(at, text);
    return new String(text, StandardCharsets.UTF_16LE);
  }

  private static Tag tag(ByteBuffer chunk, int header, List<String> strings) {
    String name = string(strings, chunk.getInt(header + 4));
    int first = header + (chunk.getShort(header + 8) & 0xffff);
    int size = Math.max(20, chunk.getShort(header + 10) & 0xffff);
    int count = chunk.getShort(header + 12) & 0xffff;
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      int at = first + i * size;
      int kind = chunk.get(at + 15) & 0xff;
      int data = chunk.getInt(at + 16);
      String value =
          switch (kind) {
            case TYPE_STRING -> string(strings, data);
            case TYPE_INT, TYPE_HEX -> Integer.toString(data);
            // Of truth values, only whether they are false matters.
            case TYPE_TRUTH -> data == 0 ? "0" : "1";
            default -> null;
          };
      if (value != null) {
        attributes.putIfAbsent(string(strings, chunk.getInt(at + 4)), value);
      }
    }
    return new Tag(name, attributes);
  }

  private static String string(List<String> strings, int index) {
    return index >= 0 && index < strings.size() ? strings.get(index) : "";
  }
}
