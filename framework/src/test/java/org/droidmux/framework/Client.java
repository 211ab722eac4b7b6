package org.droidmux.framework;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.Writer;
import java.io.OutputStreamWriter;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** A host in a process of its own, and what one says to it. */
final class Client implements AutoCloseable {
  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;
  private final List<JsonObject> told = new ArrayList<>();
  private int last;

  Client(Path app, String... options) throws Exception {
    this(Map.of(), app, options);
  }

  /** With some of the environment's variables set otherwise. */
  Client(Map<String, String> environment, Path app, String... options) throws Exception {
    process = launch(environment, app, options);
    requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    JsonObject hello = JsonParser.parseString(answers.readLine()).getAsJsonObject();
    assertEquals(hello.toString(), null, hello.get("error"));
  }

  private static Process launch(Map<String, String> environment, Path app, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("./run", app.toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    return builder.redirectError(ProcessBuilder.Redirect.to(new File("target/it/host.log"))).start();
  }

  /** What the host says of an app that it cannot load. */
  static String refused(Path app) throws Exception {
    Process process = launch(Map.of(), app);
    try (BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
      JsonObject line = JsonParser.parseString(said.readLine()).getAsJsonObject();
      assertEquals(2, process.waitFor());
      return line.get("error").getAsString();
    }
  }

  /** An app built from sources; the test is skipped where the tools are missing. */
  static Path built(Path sources, String name) throws Exception {
    boolean there = new File("/usr/bin/aapt").canExecute()
        && new File("/usr/share/android-framework-res/framework-res.apk").isFile();
    assumeTrue("skipped: aapt and android-framework-res are not installed", there);
    Path out = Path.of("target/it", name);
    new File("target/it").mkdirs();
    Process build =
        new ProcessBuilder("./build-app", sources.toString(), out.toString()).redirectErrorStream(true).start();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(said, 0, build.waitFor());
    return out;
  }

  /** Sends a line and reads one. */
  JsonObject line(String line) throws Exception {
    requests.write(line + "\n");
    requests.flush();
    while (true) {
      String said = answers.readLine();
      assertNotNull("the host ended", said);
      JsonObject answer = JsonParser.parseString(said).getAsJsonObject();
      if (!answer.has("hung")) {
        return answer;
      }
      told.add(answer);
    }
  }

  /** Asks for something that must be done. Members are JSON with ' for ". */
  JsonObject ask(String what, String members) throws Exception {
    JsonObject request = JsonParser.parseString(members.replace('\'', '"')).getAsJsonObject();
    request.addProperty("id", ++last);
    request.addProperty("do", what);
    JsonObject answer = line(request.toString());
    assertEquals(last, answer.get("id").getAsInt());
    assertTrue(what + ": " + answer.get("error"), answer.get("ok").getAsBoolean());
    return answer;
  }

  /** What the host has told of requests that hang. */
  List<JsonObject> told() {
    return told;
  }

  String xml() throws Exception {
    return ask("dump", "{}").get("xml").getAsString();
  }

  /** The first widget whose text, description or id is this one. */
  Map<String, String> node(String name) throws Exception {
    return find(xml(), name);
  }

  /** As {@link #node}, in the XML of a window. */
  static Map<String, String> find(String xml, String name) throws Exception {
    NodeList nodes =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)))
            .getElementsByTagName("node");
    for (int i = 0; i < nodes.getLength(); i++) {
      Element node = (Element) nodes.item(i);
      if (node.getAttribute("text").equals(name)
          || node.getAttribute("content-desc").equals(name)
          || node.getAttribute("resource-id").endsWith(":id/" + name)) {
        Map<String, String> found = new HashMap<>();
        for (int a = 0; a < node.getAttributes().getLength(); a++) {
          found.put(node.getAttributes().item(a).getNodeName(), node.getAttributes().item(a).getNodeValue());
        }
        return found;
      }
    }
    throw new AssertionError("no " + name + " in " + xml);
  }

  JsonObject tap(String name) throws Exception {
    return touch(name, 50);
  }

  JsonObject press(String name) throws Exception {
    return touch(name, 800);
  }

  private JsonObject touch(String name, int ms) throws Exception {
    int[] at = middle(node(name));
    return ask("tap", "{'x':" + at[0] + ",'y':" + at[1] + ",'ms':" + ms + "}");
  }

  /** Where one touches a widget. */
  static int[] middle(Map<String, String> node) {
    int[] sides = sides(node.get("bounds"));
    return new int[] {(sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2};
  }

  /** Left, top, right and bottom, of what dumps write as {@code [left,top][right,bottom]}. */
  static int[] sides(String bounds) {
    return Arrays.stream(bounds.split("[^0-9]+")).skip(1).mapToInt(Integer::parseInt).toArray();
  }

  /** Ends the process without a word. */
  void kill() throws Exception {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws Exception {
    line("{\"id\":" + ++last + ",\"do\":\"quit\"}");
    assertEquals(0, process.waitFor());
  }
}
