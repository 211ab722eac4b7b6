"""What DroidBot does when it connects to a device, begins a test and looks at a screen.

The DroidBot in the registry is one for Python 2; this replays the calls of `adb` that the present one makes
(device.py, adapter/*.py, app.py), and reads the answers by its regular expressions. Its helper app is given
where DROIDBOT_APP names the APK.
"""

import os
import re

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
    services = lab.shell("settings get secure enabled_accessibility_services")
    assert services == "null", services
    lab.shell("dumpsys activity services")
    print("droidbot: device found, packages and services listed")


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


def app() -> None:
    assert "Success" in lab.adb("install", "-r", "-g", lab.APK)
    assert lab.SHOP in installed()
    activity = main_activity(lab.shell(f"dumpsys package {lab.SHOP}"))
    assert activity == f"{lab.SHOP}.ShopActivity", activity
    lab.shell(f"am start {lab.SHOP}/{activity}")
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
    app()
    for process in followed:
        assert process.poll() is None, "it still reads"
        process.terminate()


main()
