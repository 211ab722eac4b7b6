package org.droidmux.framework.device;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/**
 * A page as a column of parts. In flows HTML with its address, from whomever; out flow texts, links and fields in their order,
 * a limited number of them. Styles, scripts and pictures are not looked at.
 */
final class WebPage {
  /** What a part is, by the class that a phone tells for it. */
  enum Kind {
    HEADING("android.view.View"), TEXT("android.widget.TextView"), LINK("android.view.View"), ITEM("android.view.View"),
    PICTURE("android.widget.Image"), BUTTON("android.widget.Button"), FIELD("android.widget.EditText"),
    CHECK("android.widget.CheckBox"), LINE("android.view.View");

    final String className;

    Kind(String className) {
      this.className = className;
    }
  }

  /**
   * A part of the page.
   *
   * @param to where a link leads, or the form that a button sends; null for nowhere
   * @param name under which a form sends a field
   * @param size of the letters, in scaled pixels
   */
  record Part(Kind kind, String text, String to, String name, String id, int size, boolean on) {}

  private static final int MOST = 2_000;
  private static final int DEEPEST = 200;

  private final Document document;
  private final List<Part> parts = new ArrayList<>();
  private final StringBuilder running = new StringBuilder();
  private String runningId = "";

  private WebPage(Document document) {
    this.document = document;
  }

  static WebPage of(String html, String address) {
    WebPage page = new WebPage(Jsoup.parse(html, address == null ? "" : address));
    page.read(page.document.body(), 0);
    page.flush();
    return page;
  }

  /** A text that is no HTML, as it is. */
  static WebPage plain(String text) {
    WebPage page = new WebPage(Document.createShell(""));
    for (String line : text.split("\n", MOST)) {
      page.add(Kind.TEXT, line, null, null, "", 14, false);
    }
    return page;
  }

  String title() {
    return document.title();
  }

  List<Part> parts() {
    return parts;
  }

  private void add(Kind kind, String text, String to, String name, String id, int size, boolean on) {
    if (parts.size() < MOST) {
      parts.add(new Part(kind, text, to, name, id, size, on));
    }
  }

  /** What was read of a paragraph becomes a part. */
  private void flush() {
    String text = running.toString().replaceAll("\\s+", " ").strip();
    running.setLength(0);
    if (!text.isEmpty()) {
      add(Kind.TEXT, text, null, null, runningId, 16, false);
    }
    runningId = "";
  }

  private void read(Node node, int depth) {
    if (node instanceof TextNode text) {
      running.append(text.getWholeText());
      return;
    }
    if (!(node instanceof Element element) || depth > DEEPEST || hidden(element)) {
      return;
    }
    String tag = element.normalName();
    switch (tag) {
      case "script", "style", "noscript", "template", "head", "iframe", "object", "video", "audio", "svg", "canvas" -> {
        return;
      }
      case "h1", "h2", "h3", "h4", "h5", "h6" -> heading(element, 34 - 3 * (tag.charAt(1) - '0'), depth);
      case "a" -> {
        if (element.hasAttr("href")) {
          flush();
          String text = element.text().strip();
          Element picture = element.selectFirst("img[alt]");
          String shown = !text.isEmpty() ? text : picture != null ? picture.attr("alt") : element.attr("title");
          add(Kind.LINK, shown, address(element, "href"), null, element.id(), 16, false);
        } else {
          children(element, depth);
        }
      }
      case "img" -> {
        flush();
        if (!element.attr("alt").isBlank()) {
          add(Kind.PICTURE, element.attr("alt").strip(), null, null, element.id(), 14, false);
        }
      }
      case "br" -> flush();
      case "hr" -> {
        flush();
        add(Kind.LINE, "", null, null, element.id(), 4, false);
      }
      case "pre", "textarea" -> {
        flush();
        Kind kind = tag.equals("pre") ? Kind.TEXT : Kind.FIELD;
        add(kind, element.wholeText(), form(element), element.attr("name"), element.id(), 14, false);
      }
      case "button" -> {
        flush();
        boolean sends = !element.attr("type").equals("button") && !element.attr("type").equals("reset");
        add(Kind.BUTTON, element.text(), sends ? form(element) : null, element.attr("name"), element.id(), 16, false);
      }
      case "input" -> {
        flush();
        input(element);
      }
      case "select" -> {
        flush();
        Element chosen = element.selectFirst("option[selected]");
        Element first = chosen != null ? chosen : element.selectFirst("option");
        add(Kind.TEXT, first == null ? "" : first.text(), null, null, element.id(), 16, false);
      }
      default -> {
        boolean block = element.isBlock() || tag.equals("li") || tag.equals("td") || tag.equals("th");
        if (block) {
          flush();
          runningId = element.id();
          if (tag.equals("li")) {
            running.append("• ");
          }
        }
        children(element, depth);
        if (block) {
          flush();
        }
      }
    }
  }

  private void children(Element element, int depth) {
    for (Node child : element.childNodes()) {
      read(child, depth + 1);
    }
  }

  /** One part; its links are parts of their own, where it has nothing else. */
  private void heading(Element element, int size, int depth) {
    flush();
    Element link = element.selectFirst("a[href]");
    if (link != null && link.text().equals(element.text())) {
      children(element, depth);
      flush();
    } else if (!element.text().isBlank()) {
      add(Kind.HEADING, element.text().strip(), null, null, element.id(), size, false);
    }
  }

  private void input(Element element) {
    String type = element.attr("type").isEmpty() ? "text" : element.attr("type").toLowerCase(java.util.Locale.ROOT);
    String value = element.attr("value");
    String name = element.attr("name");
    switch (type) {
      case "hidden" -> {}
      case "submit", "image" ->
          add(Kind.BUTTON, value.isEmpty() ? "Submit" : value, form(element), name, element.id(), 16, false);
      case "button", "reset" -> add(Kind.BUTTON, value, null, name, element.id(), 16, false);
      case "checkbox", "radio" ->
          add(Kind.CHECK, value.isEmpty() ? "on" : value, form(element), name, element.id(), 16, element.hasAttr("checked"));
      default -> add(Kind.FIELD, value, form(element), name, element.id(), 16, type.equals("password"));
    }
  }

  /** What the author has taken from view. */
  private static boolean hidden(Element element) {
    return element.hasAttr("hidden") || element.attr("style").replace(" ", "").contains("display:none");
  }

  private static String address(Element element, String attribute) {
    String whole = element.absUrl(attribute);
    return whole.isEmpty() ? element.attr(attribute) : whole;
  }

  private static String form(Element element) {
    Element form = element.closest("form");
    return form == null ? null : form.hasAttr("action") ? address(form, "action") : form.baseUri();
  }

  /** The hidden fields of the forms that send to an address. */
  Map<String, String> hiddenOf(String to) {
    Map<String, String> hidden = new LinkedHashMap<>();
    for (Element each : document.select("form input[type=hidden]")) {
      if (to.equals(form(each))) {
        hidden.put(each.attr("name"), each.attr("value"));
      }
    }
    return hidden;
  }

  /** The part that a fragment of an address means, or null. */
  static boolean isNamed(Part part, String fragment) {
    return !part.id().isEmpty() && part.id().equals(fragment);
  }
}
