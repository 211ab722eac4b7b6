package org.droidmux.framework.apk;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes an app with one screen, as {@code translate} would: the build runs a host with it once, and keeps the classes that
 * were loaded in an archive from which all hosts start. No tool of Android's is needed for it; its manifest, in the binary
 * form that the framework reads, is written here.
 */
public final class Blank {
  private static final String ANDROID = "http://schemas.android.com/apk/res/android";

  /** By name: the class itself wants the framework. */
  private static final String ACTIVITY = "org.droidmux.blank.BlankActivity";

  /** The attributes that the manifest has, with the numbers under which the framework knows them. */
  private static final Map<String, Integer> ATTRIBUTES = new LinkedHashMap<>();

  static {
    ATTRIBUTES.put("label", 0x0101_0001);
    ATTRIBUTES.put("name", 0x0101_0003);
    ATTRIBUTES.put("minSdkVersion", 0x0101_020c);
    ATTRIBUTES.put("targetSdkVersion", 0x0101_0270);
  }

  private static final int STRINGS = 0x0001;
  private static final int DOCUMENT = 0x0003;
  private static final int NAMESPACE_BEGINS = 0x0100;
  private static final int NAMESPACE_ENDS = 0x0101;
  private static final int ELEMENT_BEGINS = 0x0102;
  private static final int ELEMENT_ENDS = 0x0103;
  private static final int NUMBERS = 0x0180;
  private static final int NONE = -1;

  /** What a value is: a string of the pool, a whole number. */
  private static final byte STRING = 3;
  private static final byte NUMBER = 16;

  private final List<String> pool = new ArrayList<>(ATTRIBUTES.keySet());
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();

  private Blank() {}

  /** The build calls it with the folder that is to hold the app. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    archive(folder.resolve("resources.apk"), "AndroidManifest.xml", new Blank().manifest());
    String name = ACTIVITY.replace('.', '/') + ".class";
    try (InputStream code = Blank.class.getClassLoader().getResourceAsStream(name)) {
      archive(folder.resolve("classes.jar"), name, code.readAllBytes());
    }
  }

  private static void archive(Path file, String entry, byte[] content) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.putNextEntry(new ZipEntry(entry));
      zip.write(content);
      zip.closeEntry();
    }
  }

  private byte[] manifest() throws IOException {
    body.write(node(NAMESPACE_BEGINS, string("android"), string(ANDROID)));
    begin("manifest", Map.of("package", "org.droidmux.blank"));
    begin("uses-sdk", Map.of("minSdkVersion", 21, "targetSdkVersion", 34));
    end("uses-sdk");
    begin("application", Map.of("label", "Blank"));
    begin("activity", Map.of("name", ACTIVITY));
    begin("intent-filter", Map.of());
    begin("action", Map.of("name", "android.intent.action.MAIN"));
    end("action");
    begin("category", Map.of("name", "android.intent.category.LAUNCHER"));
    end("category");
    for (String each : List.of("intent-filter", "activity", "application", "manifest")) {
      end(each);
    }
    body.write(node(NAMESPACE_ENDS, string("android"), string(ANDROID)));
    ByteBuffer numbers = buffer(4 * ATTRIBUTES.size());
    pool.subList(0, ATTRIBUTES.size()).forEach(each -> numbers.putInt(ATTRIBUTES.get(each)));
    byte[] strings = strings();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(strings);
    all.write(chunk(NUMBERS, 8, numbers.array()));
    all.write(body.toByteArray());
    return chunk(DOCUMENT, 8, all.toByteArray());
  }

  private int string(String text) {
    if (!pool.contains(text)) {
      pool.add(text);
    }
    return pool.indexOf(text);
  }

  private void begin(String name, Map<String, Object> attributes) throws IOException {
    ByteBuffer element = buffer(20 + 20 * attributes.size());
    element.putInt(NONE).putInt(string(name)).putShort((short) 20).putShort((short) 20);
    element.putShort((short) attributes.size()).putShort((short) 0).putShort((short) 0).putShort((short) 0);
    // The framework looks for attributes in the order of their numbers.
    new TreeMap<>(attributes).forEach((key, value) -> {
      element.putInt(ATTRIBUTES.containsKey(key) ? string(ANDROID) : NONE).putInt(string(key));
      boolean number = value instanceof Integer;
      int data = number ? (Integer) value : string((String) value);
      element.putInt(number ? NONE : data).putShort((short) 8).put((byte) 0).put(number ? NUMBER : STRING).putInt(data);
    });
    body.write(node(ELEMENT_BEGINS, element.array()));
  }

  private void end(String name) throws IOException {
    body.write(node(ELEMENT_ENDS, NONE, string(name)));
  }

  private byte[] strings() throws IOException {
    ByteBuffer offsets = buffer(4 * pool.size());
    ByteArrayOutputStream texts = new ByteArrayOutputStream();
    for (String each : pool) {
      offsets.putInt(texts.size());
      byte[] text = each.getBytes(StandardCharsets.UTF_16LE);
      texts.write(buffer(2).putShort((short) each.length()).array());
      texts.write(text);
      texts.write(new byte[2]);
    }
    texts.write(new byte[-texts.size() & 3]);
    ByteBuffer head = buffer(20 + offsets.capacity() + texts.size());
    head.putInt(pool.size()).putInt(0).putInt(0).putInt(28 + offsets.capacity()).putInt(0);
    head.put(offsets.array()).put(texts.toByteArray());
    return chunk(STRINGS, 28, head.array());
  }

  private static byte[] node(int type, int first, int second) {
    return node(type, buffer(8).putInt(first).putInt(second).array());
  }

  /** A node's line and comment, which there are none of, and what it says. */
  private static byte[] node(int type, byte[] content) {
    ByteBuffer node = buffer(8 + content.length);
    node.putInt(1).putInt(NONE).put(content);
    return chunk(type, 16, node.array());
  }

  private static byte[] chunk(int type, int head, byte[] content) {
    ByteBuffer chunk = buffer(8 + content.length);
    chunk.putShort((short) type).putShort((short) head).putInt(chunk.capacity()).put(content);
    return chunk.array();
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
