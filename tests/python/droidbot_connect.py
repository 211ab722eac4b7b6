"""What DroidBot does when it connects to a device, begins a test and looks at a screen.

The DroidBot in the registry is one for Python 2; this replays the calls of `adb` that the present one makes
(device.py, adapter/*.py, app.py), reads the answers by its regular expressions, and talks to the service of its
helper app over a forwarded port as it does. The APK of that app is one that declares the same services.
"""

import json
import os
import re
import socket
import struct

import lab

HELPER = "io.github.ylimit.droidbotapp"
SERVICE = HELPER + "/io.github.privacystreams.accessibility.PSAccessibilityService"
HIST = re.compile(r"\* Hist +#\d+: ActivityRecord{[^ ]+ [^ ]+ ([^ ]+) t(\d+)}")


def installed() -> list:
    lines = lab.shell("pm list packages -f").splitlines()
    matches = [re.match(r"package:(?P<apk_path>.+)=(?P<package>[^=]+)", line) for line in lines]
    assert all(matches), lines
    return [match.group("package") for match in matches]


def set_up() -> None:
    lab.adb("wait-for-device")
    assert lab.shell("getprop init.svc.bootanim") == "stopped"
    assert lab.adb("get-state").startswith("device")
    assert HELPER not in installed()
    assert "Success" in lab.adb("install", lab.HELPER_APK)
    assert HELPER in installed()
    enabled = lab.shell("settings get secure enabled_accessibility_services").split(":")
    assert SERVICE not in enabled and SERVICE not in services()
    lab.shell("settings put secure enabled_accessibility_services " + ":".join([*enabled, SERVICE]))
    lab.shell("settings put secure accessibility_enabled 1")
    assert SERVICE in services()
    print("droidbot: device found, helper app installed, its service enabled and running")


def services() -> list:
    lines = lab.shell("dumpsys activity services").splitlines()
    found = [re.search(r"^.+ServiceRecord{.+ ([A-Za-z0-9_.]+)/([A-Za-z0-9_.]+)", line) for line in lines]
    return [f"{match.group(1)}/{match.group(2)}" for match in found if match]


class Helper:
    """The connection to the helper app: packets of a head of six bytes and a text."""

    def __init__(self) -> None:
        self.port = int(lab.adb("forward", "tcp:0", "tcp:7336"))
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def read(self, length: int) -> bytes:
        received = b""
        while len(received) < length:
            part = self.socket.recv(length - len(received))
            assert part, "the helper app hung up"
            received += part
        return received

    def views(self, text: str) -> list:
        """The widgets as DroidBot lists them, of the first event with this text."""
        while True:
            _, _, length = struct.unpack(">BBI", self.read(6))
            message = self.read(length).decode()
            if message.startswith("rotation >>> "):
                continue
            assert message.startswith("AccEvent >>> "), message
            views = []
            self.add(json.loads(message[len("AccEvent >>> "):])["root_node"], views)
            if text in [view["text"] for view in views]:
                return views

    def add(self, view: dict, views: list) -> None:
        left, top, right, bottom = view["bounds"]
        view["size"] = f"{right - left}*{bottom - top}"
        views.append(view)
        for child in view["children"]:
            self.add(child, views)

    def close(self) -> None:
        self.socket.close()
        lab.adb("forward", "--remove", f"tcp:{self.port}")


def connect() -> list:
    lab.adb("logcat", "-c")
    logcat = lab.follow("logcat", "-v", "threadtime", "*:I")
    events = lab.follow("shell", "getevent", "-lt")
    assert int(lab.shell("getprop ro.build.version.sdk")) == 33
    assert lab.shell("getprop ro.build.version.release") == "13"
    assert int(lab.shell("getprop ro.secure")) == 1
    assert int(lab.shell("getprop ro.debuggable")) == 0
    assert lab.shell("getprop ro.product.model")
    assert lab.shell("getprop ro.product.cpu.abi")
    display = lab.shell("dumpsys display")
    found = re.search(r".*orientation=(\d+), .*deviceWidth=(\d+), deviceHeight=(\d+).*", display)
    assert found and found.groups() == ("0", "1080", "1920"), display
    assert re.match(r"[-+]?\d*\.\d+|\d+", lab.shell("getprop ro.sf.lcd_density"))
    for key in ("MENU", "BACK"):
        lab.shell(f"input keyevent {key}")
    assert logcat.poll() is None and events.poll() is None, "log and events are read on"
    print("droidbot: logcat, getevent, properties, display, unlock")
    return [logcat, events]


def main_activity(lines: str) -> str:
    """As DroidBot finds it: the component before `filter` whose actions and categories are a launcher's."""
    found, current = None, None
    for line in map(str.strip, lines.splitlines()):
        match = re.match(r"[^ ]+ ([^ ]+)/([^ ]+) filter [^ ]+", line)
        if match:
            package, activity = match.groups()
            current = package + activity if activity.startswith(".") else activity
        elif 'Category: "android.intent.category.LAUNCHER"' in line:
            found = current
    return found


def keyboard() -> None:
    name = HELPER + "/.DroidBotIME"
    assert "now enabled" in lab.shell(f"ime enable {name}")
    assert "selected" in lab.shell(f"ime set {name}")
    lab.shell(f"am start -n {lab.TRIAL}/.MainActivity")
    print("droidbot: its keyboard is enabled and set")


def text(helper: Helper) -> None:
    """Sets and appends a text by broadcasts to the keyboard."""
    field = f"{lab.TRIAL}:id/name"
    views = helper.views("Rows")
    (place,) = [view["bounds"] for view in views if view["resource_id"] == field]
    lab.shell(f"input tap {(place[0] + place[2]) // 2} {(place[1] + place[3]) // 2}")
    lab.shell("am broadcast -a DROIDBOT_INPUT_TEXT --es text hello --ei mode 0")
    lab.shell("am broadcast -a DROIDBOT_INPUT_TEXT --es text World --ei mode 1")
    assert [view["text"] for view in helper.views("helloWorld") if view["resource_id"] == field] == ["helloWorld"]
    lab.shell(f"ime disable {HELPER}/.DroidBotIME")
    print("droidbot: widgets from the service, texts by the keyboard")


def app(helper: Helper) -> None:
    assert "Success" in lab.adb("install", "-r", "-g", lab.APK)
    assert lab.SHOP in installed()
    activity = main_activity(lab.shell(f"dumpsys package {lab.SHOP}"))
    assert activity == f"{lab.SHOP}.ShopActivity", activity
    lab.shell(f"am start {lab.SHOP}/{activity}")
    assert all(view["package"] == lab.SHOP for view in helper.views("Small Shop"))
    top = HIST.search(lab.shell("dumpsys activity activities"))
    assert top and top.group(1).startswith(lab.SHOP), top
    head = lab.shell("ps").splitlines()[0].split()
    assert head[1] == "PID" and head[-1] == "NAME", head
    assert any(line.split()[-1] == lab.SHOP for line in lab.shell("ps").splitlines()[1:])
    lab.shell("screencap -p /sdcard/screen_1.png")
    lab.adb("pull", "/sdcard/screen_1.png", os.path.join(os.environ["HOME"], "screen.png"))
    lab.shell("rm /sdcard/screen_1.png")
    lab.shell("input tap 500 500")
    lab.shell("input touchscreen swipe 500 500 500 500 2000")
    lab.shell("input touchscreen swipe 500 1500 500 500 200")
    lab.shell("input text a%sb")
    lab.shell(f"am force-stop {lab.SHOP}")
    assert "Success" in lab.adb("uninstall", lab.SHOP)
    assert lab.SHOP not in installed()
    print("droidbot: install, main activity, start, top activity, pid, screenshot, events, uninstall")


def main() -> None:
    set_up()
    followed = connect()
    keyboard()
    helper = Helper()
    text(helper)
    app(helper)
    helper.close()
    for process in followed:
        assert process.poll() is None, "it still reads"
        process.terminate()


main()
