package org.droidmux.framework.device;

import android.graphics.Rect;
import android.os.Build;
import android.util.Xml;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeIdManager;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.accessibility.AccessibilityNodeProvider;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.robolectric.util.ReflectionHelpers;
import org.xmlpull.v1.XmlSerializer;

/**
 * The dump of a window by the rules of the stock {@code uiautomator dump}: what the nodes say, in the order
 * in which they name their children, invisible ones left out but counted.
 */
final class Hierarchy {
  private static final String[] NAF_EXCLUDED = {
    android.widget.GridView.class.getName(), android.widget.GridLayout.class.getName(),
    android.widget.ListView.class.getName(), android.widget.TableLayout.class.getName()
  };
  private static final int DEEPEST = 400;

  private final Windows.Win window;
  private final Config config;
  private final Rect frame;

  /** The nodes that were made, by number: each is looked at several times, and making one takes long. */
  private final Map<Long, AccessibilityNodeInfo> nodes = new HashMap<>();

  private Hierarchy(Windows.Win window, Config config) {
    this.window = window;
    this.config = config;
    this.frame = window.bounds();
  }

  /** The window's nodes as XML. */
  static String dump(Windows.Win window, Config config) {
    Object attached = ReflectionHelpers.getField(window.root(), "mAttachInfo");
    ReflectionHelpers.setField(attached, "mAccessibilityFetchFlags", flags());
    try {
      StringWriter text = new StringWriter();
      XmlSerializer serializer = Xml.newSerializer();
      serializer.setOutput(text);
      serializer.startDocument("UTF-8", true);
      serializer.startTag("", "hierarchy");
      serializer.attribute("", "rotation", Integer.toString(config.rotation()));
      Hierarchy hierarchy = new Hierarchy(window, config);
      AccessibilityNodeInfo root = hierarchy.node(window.view(), AccessibilityNodeProvider.HOST_VIEW_ID);
      if (root != null) {
        hierarchy.write(serializer, root, 0, 0);
      }
      serializer.endTag("", "hierarchy");
      serializer.endDocument();
      return text.toString();
    } catch (IOException e) {
      throw new IllegalStateException("a string writer failed", e);
    } finally {
      ReflectionHelpers.setField(attached, "mAccessibilityFetchFlags", 0);
    }
  }

  /** Views that are not important count, too, and ids are told. */
  private static int flags() {
    return flag("FLAG_SERVICE_REQUESTS_INCLUDE_NOT_IMPORTANT_VIEWS", "FLAG_INCLUDE_NOT_IMPORTANT_VIEWS")
        | flag("FLAG_SERVICE_REQUESTS_REPORT_VIEW_IDS", "FLAG_REPORT_VIEW_IDS");
  }

  private static int flag(String name, String earlier) {
    for (String each : new String[] {name, earlier}) {
      try {
        return ReflectionHelpers.<Integer>getStaticField(AccessibilityNodeInfo.class, each);
      } catch (RuntimeException e) {
        // It has another name at this level.
      }
    }
    return 0;
  }

  private AccessibilityNodeInfo node(View view, int virtual) {
    AccessibilityNodeProvider provider = view.getAccessibilityNodeProvider();
    return provider == null ? view.createAccessibilityNodeInfo() : provider.createAccessibilityNodeInfo(virtual);
  }

  /** A child by the number under which its parent named it. */
  private AccessibilityNodeInfo child(AccessibilityNodeInfo parent, int index) {
    long id = parent.getChildId(index);
    if (isDecor(id)) {
      // The views of all windows, and of activities within others, have this one number; looked up, it gives the last of them.
      View above = view(parent.getSourceNodeId());
      long before = IntStream.range(0, index).filter(i -> isDecor(parent.getChildId(i))).count();
      return made(decorsWithin(above).skip(before).findFirst().orElse(null), id);
    }
    if (!nodes.containsKey(id)) {
      nodes.put(id, made(view(id), id));
    }
    return nodes.get(id);
  }

  private AccessibilityNodeInfo made(View view, long id) {
    boolean isOurs = view != null && view.getRootView() == window.view() && view.isShown();
    return isOurs ? node(view, AccessibilityNodeInfo.getVirtualDescendantId(id)) : null;
  }

  private static View view(long id) {
    return AccessibilityNodeIdManager.getInstance().findView(AccessibilityNodeInfo.getAccessibilityViewId(id));
  }

  /** Whether it names the view of a window, or of an activity within another one. */
  private static boolean isDecor(long id) {
    return AccessibilityNodeInfo.getAccessibilityViewId(id) == AccessibilityNodeInfo.ROOT_ITEM_ID;
  }

  /** The views of the activities that are shown within a view. */
  private static Stream<View> decorsWithin(View view) {
    if (!(view instanceof ViewGroup group)) {
      return Stream.empty();
    }
    return IntStream.range(0, group.getChildCount())
        .mapToObj(group::getChildAt)
        .filter(View::isShown)
        .flatMap(each ->
            each.getAccessibilityViewId() == AccessibilityNodeInfo.ROOT_ITEM_ID ? Stream.of(each) : decorsWithin(each));
  }

  private void write(XmlSerializer serializer, AccessibilityNodeInfo node, int index, int depth) throws IOException {
    int count = depth < DEEPEST ? children(node) : 0;
    AccessibilityNodeInfo[] children = new AccessibilityNodeInfo[count];
    for (int i = 0; i < count; i++) {
      children[i] = child(node, i);
    }
    serializer.startTag("", "node");
    if (!excluded(node) && notFriendly(node)) {
      serializer.attribute("", "NAF", "true");
    }
    serializer.attribute("", "index", Integer.toString(index));
    serializer.attribute("", "text", safe(node.getText()));
    serializer.attribute("", "resource-id", safe(node.getViewIdResourceName()));
    serializer.attribute("", "class", safe(node.getClassName()));
    serializer.attribute("", "package", packageName(node));
    serializer.attribute("", "content-desc", safe(node.getContentDescription()));
    attribute(serializer, "checkable", node.isCheckable());
    attribute(serializer, "checked", node.isChecked());
    attribute(serializer, "clickable", node.isClickable());
    attribute(serializer, "enabled", node.isEnabled());
    attribute(serializer, "focusable", node.isFocusable());
    attribute(serializer, "focused", node.isFocused());
    attribute(serializer, "scrollable", node.isScrollable());
    attribute(serializer, "long-clickable", node.isLongClickable());
    attribute(serializer, "password", node.isPassword());
    attribute(serializer, "selected", node.isSelected());
    serializer.attribute("", "bounds", visibleBounds(node).toShortString());
    if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.UPSIDE_DOWN_CAKE) {
      serializer.attribute("", "drawing-order", Integer.toString(node.getDrawingOrder()));
      serializer.attribute("", "hint", safe(node.getHintText()));
    }
    for (int i = 0; i < count; i++) {
      if (children[i] != null && children[i].isVisibleToUser()) {
        write(serializer, children[i], i, depth + 1);
      }
    }
    serializer.endTag("", "node");
  }

  private static void attribute(XmlSerializer serializer, String name, boolean value) throws IOException {
    serializer.attribute("", name, Boolean.toString(value));
  }

  private static int children(AccessibilityNodeInfo node) {
    return Math.min(node.getChildCount(), 5_000);
  }

  private String packageName(AccessibilityNodeInfo node) {
    if (Shade.isOf(window.params())) {
      return Shade.PACKAGE;
    }
    ActivityRecord owner = window.owner();
    return owner != null && owner.outside != null ? owner.outside.packageName() : safe(node.getPackageName());
  }

  private Rect visibleBounds(AccessibilityNodeInfo node) {
    Rect bounds = new Rect();
    node.getBoundsInScreen(bounds);
    // An intersection that is empty leaves the bounds as they are.
    bounds.intersect(new Rect(0, 0, config.screenWidth(), config.screenHeight()));
    bounds.intersect(frame);
    return bounds;
  }

  private static boolean excluded(AccessibilityNodeInfo node) {
    String name = safe(node.getClassName());
    for (String each : NAF_EXCLUDED) {
      if (name.endsWith(each)) {
        return true;
      }
    }
    return false;
  }

  private boolean notFriendly(AccessibilityNodeInfo node) {
    return node.isClickable() && node.isEnabled() && silent(node) && !childSpeaks(node, 0);
  }

  private boolean childSpeaks(AccessibilityNodeInfo node, int depth) {
    for (int i = 0; depth < DEEPEST && i < children(node); i++) {
      AccessibilityNodeInfo child = child(node, i);
      if (child != null && (!silent(child) || childSpeaks(child, depth + 1))) {
        return true;
      }
    }
    return false;
  }

  private static boolean silent(AccessibilityNodeInfo node) {
    return safe(node.getContentDescription()).isEmpty() && safe(node.getText()).isEmpty();
  }

  /** What XML cannot carry becomes a dot. */
  private static String safe(CharSequence text) {
    if (text == null) {
      return "";
    }
    StringBuilder kept = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c <= 0x9f && c != 0x85);
      boolean none = (c >= 0xfdd0 && c <= 0xfddf) || c >= 0xfffe;
      boolean high = Character.isHighSurrogate(c);
      if (high && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
        kept.append(c).append(text.charAt(++i));
      } else {
        kept.append(control || none || Character.isSurrogate(c) ? '.' : c);
      }
    }
    return kept.toString();
  }
}
