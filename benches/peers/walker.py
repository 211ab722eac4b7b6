"""A random walker as people write one: dump, choose a widget, tap it, again.

walker.py WAY SERIAL PACKAGE SECONDS EVENTS FOLDER: ends after so many seconds or events, whichever comes first (0: no
limit); with a folder (or `-`) keeps an XML and a PNG of every step there. WAY is one of

  uiautomator2  the Python client: its agent dumps and taps
  kea2          Kea2's own connection, its filter of hidden widgets and a precondition on each dump; Fastbot, which
                chooses the events on a phone, is an Android program and cannot run on a simulated one
  adb           `adb shell uiautomator dump` and `adb shell input tap`, with the genuine adb

Prints the number of events.
"""

import pathlib
import random
import re
import subprocess
import sys
import time

from lxml import etree

WAY, SERIAL, PACKAGE = sys.argv[1:4]
SECONDS, EVENTS = int(sys.argv[4]), int(sys.argv[5])
FOLDER = None if sys.argv[6] == "-" else pathlib.Path(sys.argv[6])
BOUNDS = re.compile(r"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


def adb(*arguments: str) -> bytes:
    return subprocess.run(["adb", "-s", SERIAL, *arguments], stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout


class ByAdb:
    def start(self) -> None:
        adb("shell", "monkey", "-p", PACKAGE, "-c", "android.intent.category.LAUNCHER", "1")

    def dump(self) -> bytes:
        return adb("exec-out", "uiautomator dump /sdcard/window.xml >/dev/null && cat /sdcard/window.xml")

    def tap(self, x: int, y: int) -> None:
        adb("shell", "input", "tap", str(x), str(y))

    def back(self) -> None:
        adb("shell", "input", "keyevent", "BACK")

    def picture(self) -> bytes:
        return adb("exec-out", "screencap", "-p")


class ByUiautomator2(ByAdb):
    def __init__(self) -> None:
        import uiautomator2

        self.device = uiautomator2.connect(SERIAL)

    def start(self) -> None:
        self.device.app_start(PACKAGE)

    def dump(self) -> bytes:
        return self.device.dump_hierarchy().encode()

    def tap(self, x: int, y: int) -> None:
        self.device.click(x, y)

    def back(self) -> None:
        self.device.press("back")


class ByKea2(ByUiautomator2):
    def __init__(self) -> None:
        from kea2.u2Driver import U2Driver

        U2Driver.setDevice({"serial": SERIAL})
        self.device = U2Driver.getScriptDriver(mode="direct")
        self.checker = U2Driver.getStaticChecker

    def dump(self) -> bytes:
        xml = self.device.dump_hierarchy()
        # Its filter of hidden widgets, and a precondition as properties have them.
        self.checker(xml)(text="Settings").exists
        return xml.encode()


def widgets(xml: bytes) -> list[tuple[int, int]]:
    """The middles of what can be tapped."""
    found = []
    for node in etree.fromstring(xml).iter("node"):
        if node.get("clickable") == "true" and node.get("package") == PACKAGE:
            left, top, right, bottom = map(int, BOUNDS.match(node.get("bounds")).groups())
            found.append(((left + right) // 2, (top + bottom) // 2))
    return found


def main() -> None:
    way = {"adb": ByAdb, "uiautomator2": ByUiautomator2, "kea2": ByKea2}[WAY]()
    chance = random.Random(1)
    way.start()
    began, events = time.monotonic(), 0
    while (not SECONDS or time.monotonic() - began < SECONDS) and (not EVENTS or events < EVENTS):
        xml = way.dump()
        if FOLDER:
            (FOLDER / f"{events:06}.xml").write_bytes(xml)
            (FOLDER / f"{events:06}.png").write_bytes(way.picture())
        places = widgets(xml)
        if not places:
            # Elsewhere, or nothing to tap: back, and into the app again.
            way.back()
            way.start()
        elif chance.random() < 0.05:
            way.back()
        else:
            way.tap(*chance.choice(places))
        events += 1
    print(events)


main()
