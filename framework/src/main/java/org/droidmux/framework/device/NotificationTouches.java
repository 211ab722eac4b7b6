package org.droidmux.framework.device;

/** What a person does to a notification, wherever it is shown. */
interface NotificationTouches {
  /** It was touched: its intent goes off. */
  void touched(Posted posted);

  /** It was moved to the side, and is to go. */
  void swiped(Posted posted);

  /** A person writes an answer to it. */
  default void answering() {}

  /** The answer was sent. */
  default void answered() {}
}
