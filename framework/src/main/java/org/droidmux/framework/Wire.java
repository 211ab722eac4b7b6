package org.droidmux.framework;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The protocol's lines. A request is an object with a number {@code id}, a word {@code do} and the
 * request's own members, which are strings, numbers, truth values or lists of strings. The answer has the same id, {@code
 * ok}, and what was asked for, or {@code error}.
 *
 * <p>Whatever comes in is answered: a line that is no request has an answer with an error, too. The
 * line is read up to a limit, so that nobody fills the memory. A line without an id tells of a request that hangs.
 */
final class Wire {
  /** The version of the protocol, in the first line. */
  static final int VERSION = 1;

  private static final int LONGEST_LINE = 1 << 20;
  private final InputStream requests;
  private final PrintStream answers;
  private final Gson gson = new GsonBuilder().disableHtmlEscaping().serializeNulls().create();
  private final HangWatch watch = new HangWatch(this::write);

  Wire(InputStream requests, PrintStream answers) {
    this.requests = new BufferedInputStream(requests);
    this.answers = answers;
  }

  /** The first line: the app runs. */
  void hello(Map<String, Object> about) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("droidmux-framework", VERSION);
    line.putAll(about);
    write(line);
  }

  /** The first and only line: the app does not run. */
  void failed(String why) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("droidmux-framework", VERSION);
    line.put("error", why);
    write(line);
  }

  /** Answers requests until the input ends or {@code quit} is asked. */
  void serve(Host host) throws IOException {
    while (true) {
      byte[] line = line();
      if (line == null) {
        return;
      }
      if (line.length == 0) {
        continue;
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      boolean quit = false;
      try {
        JsonObject request = request(line);
        answer.put("id", id(request));
        String what = word(request);
        quit = what.equals("quit");
        Map<String, Object> members = members(request);
        watch.begin(what);
        Map<String, Object> said = quit ? Map.of() : host.answer(what, members);
        answer.put("ok", true);
        answer.putAll(said);
      } catch (RequestException e) {
        answer.putIfAbsent("id", null);
        answer.put("ok", false);
        answer.put("error", e.getMessage());
      } finally {
        watch.end();
      }
      write(answer);
      if (quit) {
        return;
      }
    }
  }

  private JsonObject request(byte[] line) throws RequestException {
    if (line.length > LONGEST_LINE) {
      throw new RequestException("a line of more than " + LONGEST_LINE + " bytes");
    }
    try {
      JsonElement element = gson.fromJson(new String(line, StandardCharsets.UTF_8), JsonElement.class);
      if (element != null && element.isJsonObject()) {
        return element.getAsJsonObject();
      }
    } catch (JsonParseException | StackOverflowError e) {
      throw new RequestException("no JSON: " + e.getMessage());
    }
    throw new RequestException("a request is an object");
  }

  private static Object id(JsonObject request) throws RequestException {
    JsonElement id = request.get("id");
    if (id == null || !id.isJsonPrimitive() || !id.getAsJsonPrimitive().isNumber()) {
      throw new RequestException("a request has a number \"id\"");
    }
    return id.getAsNumber();
  }

  private static String word(JsonObject request) throws RequestException {
    JsonElement word = request.get("do");
    if (word == null || !word.isJsonPrimitive() || !word.getAsJsonPrimitive().isString()) {
      throw new RequestException("a request has a word \"do\"");
    }
    return word.getAsString();
  }

  private static Map<String, Object> members(JsonObject request) throws RequestException {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Map.Entry<String, JsonElement> entry : request.entrySet()) {
      if (entry.getValue().isJsonArray()) {
        members.put(entry.getKey(), list(entry.getKey(), entry.getValue().getAsJsonArray()));
        continue;
      }
      if (!entry.getValue().isJsonPrimitive()) {
        throw new RequestException("\"" + entry.getKey() + "\": a string, a number, a truth value or a list");
      }
      JsonPrimitive value = entry.getValue().getAsJsonPrimitive();
      if (value.isBoolean()) {
        members.put(entry.getKey(), value.getAsBoolean());
      } else if (value.isNumber()) {
        members.put(entry.getKey(), value.getAsDouble());
      } else {
        members.put(entry.getKey(), value.getAsString());
      }
    }
    return members;
  }

  private static List<Object> list(String name, JsonArray list) throws RequestException {
    List<Object> values = new ArrayList<>();
    for (JsonElement each : list) {
      if (!each.isJsonPrimitive() || each.getAsJsonPrimitive().isBoolean()) {
        throw new RequestException("\"" + name + "\": a list of strings or of numbers");
      }
      values.add(each.getAsJsonPrimitive().isString() ? each.getAsString() : (Object) each.getAsDouble());
    }
    return values;
  }

  /** The next line without its end, null at the end of the input. What is too long is cut, not kept. */
  private byte[] line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int next = requests.read();
      if (next == '\n' || (next < 0 && line.size() > 0)) {
        return line.toByteArray();
      }
      if (next < 0) {
        return null;
      }
      if (line.size() <= LONGEST_LINE && next != '\r') {
        line.write(next);
      }
    }
  }

  /** Also from the watch's thread. */
  private synchronized void write(Map<String, Object> line) {
    byte[] bytes = gson.toJson(line).getBytes(StandardCharsets.UTF_8);
    answers.write(bytes, 0, bytes.length);
    answers.write('\n');
    answers.flush();
  }
}
