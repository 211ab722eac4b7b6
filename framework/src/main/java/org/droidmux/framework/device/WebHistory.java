package org.droidmux.framework.device;

import java.util.ArrayList;
import java.util.List;

/** The pages that a web view has shown, and which of them it shows now. */
final class WebHistory {
  private final List<WebPageRequest> pages = new ArrayList<>();
  private int at = -1;

  /** Another page comes after the present one; those that came after it are forgotten. */
  void visit(WebPageRequest page) {
    while (pages.size() > at + 1) {
      pages.remove(pages.size() - 1);
    }
    pages.add(page);
    at++;
  }

  /** The present page, or null. */
  WebPageRequest now() {
    return at < 0 ? null : pages.get(at);
  }

  boolean reaches(int steps) {
    return at + steps >= 0 && at + steps < pages.size();
  }

  /** Goes as far as {@link #reaches} allows. */
  WebPageRequest go(int steps) {
    at += steps;
    return now();
  }

  /** All but the present page. */
  void forget() {
    WebPageRequest page = now();
    pages.clear();
    at = -1;
    if (page != null) {
      visit(page);
    }
  }

  /** The addresses of those that can be looked up again. */
  ArrayList<String> addresses() {
    ArrayList<String> addresses = new ArrayList<>();
    pages.stream().filter(page -> page.html() == null).forEach(page -> addresses.add(page.address()));
    return addresses;
  }
}
