package org.droidmux.framework.device;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the phone is asked, shared out among those who know: in flow a request's name and members, out flow the members of
 * its answer. After each that acts, the phone's time goes on; those that only tell leave it where it is.
 */
final class Requests {
  private final Phone phone;
  private final AppRequests app;
  private final ScreenRequests screen;
  private final SystemRequests system;

  Requests(Phone phone) {
    this.phone = phone;
    app = new AppRequests(phone);
    screen = new ScreenRequests(phone);
    system = new SystemRequests(phone);
  }

  void answer(String what, Request request, Map<String, Object> answer) {
    if (tell(what, request, answer)) {
      return;
    }
    Mutants.nextRequest();
    if (!app.act(what, request) && !screen.act(what, request, answer) && !system.act(what, request, answer)) {
      throw new IllegalArgumentException("\"" + what + "\": no such request");
    }
    phone.loop().passAfterInput();
  }

  /** What somebody asks for who wants to see what came of a request: all in one, each question costs several changes of threads. */
  Map<String, Object> seen(Request request) {
    Map<String, Object> seen = new LinkedHashMap<>();
    system.log(request.number("look", 0, Integer.MAX_VALUE), seen);
    screen.see(seen);
    return seen;
  }

  private boolean tell(String what, Request request, Map<String, Object> answer) {
    if (what.equals("hello")) {
      app.about(answer);
      return true;
    }
    return screen.tell(what, answer)
        || system.tell(what, request, answer)
        || phone.supplies().answer(what, request, answer);
  }
}
