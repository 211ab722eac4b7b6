"""What Kea does when it connects to a device, begins a test and looks at a screen.

Kea is in no package registry; this replays its calls of uiautomator2 and `adb` (device.py, adapter/*.py,
app.py): connect, its keyboard, the adapters for ADB, logcat, input events and processes, the sequence of
properties, unlock, the app's installation and start, the state it reads after each event.
"""

import pathlib
import re
import tempfile

import uiautomator2

import lab


def connect() -> uiautomator2.Device:
    device = uiautomator2.connect(lab.SERIAL)
    device.set_fastinput_ime(True)
    assert device.current_ime() == "com.github.uiautomator/.AdbKeyboard", device.current_ime()
    lab.adb("wait-for-device")
    assert lab.adb("get-state") == "device"
    print("kea: connected, its keyboard is installed and chosen")
    return device


def adapters() -> list:
    lab.adb("logcat", "-c")
    logcat = lab.follow("logcat", "-v", "threadtime", "*:I")
    events = lab.follow("shell", "getevent", "-lt")
    head = lab.shell("ps").splitlines()[0].split()
    assert head[1] == "PID" and head[-1] == "NAME", head
    assert logcat.poll() is None, logcat.stdout.read()
    assert events.poll() is None, events.stdout.read()
    print("kea: logcat, getevent and ps are read")
    return [logcat, events]


def information() -> None:
    assert int(lab.shell("getprop ro.build.version.sdk")) == 33
    assert lab.shell("getprop ro.build.version.release") == "13"
    assert int(lab.shell("getprop ro.secure")) == 1
    assert int(lab.shell("getprop ro.debuggable")) == 0
    display = re.search(
        r".*DisplayViewport{valid=true, .*orientation=(\d+), .*deviceWidth=(\d+), deviceHeight=(\d+).*",
        lab.shell("dumpsys display"),
    )
    size = display or re.search(r"Physical size: (\d+)x(\d+)", lab.shell("wm size"))
    assert size, "the size of the screen"
    assert float(lab.shell("getprop ro.sf.lcd_density")) == 480
    lab.shell("input keyevent MENU")
    lab.shell("input keyevent BACK")
    lab.shell("content insert --uri content://settings/system --bind name:s:accelerometer_rotation --bind value:i:0")
    lab.shell("content insert --uri content://settings/system --bind name:s:user_rotation --bind value:i:0")
    assert lab.shell("settings get system accelerometer_rotation") == "0"
    print("kea: properties, display, unlock, rotation")


def app(device: uiautomator2.Device) -> None:
    installed = lambda: re.findall(r"package:.+=([^=\s]+)", lab.shell("pm list packages -f"))
    assert lab.SHOP not in installed()
    assert "Success" in lab.adb("install", "-t", "-r", "-g", lab.APK)
    assert lab.SHOP in installed()
    lines = lab.shell(f"dumpsys package {lab.SHOP}")
    assert f"{lab.SHOP}/.ShopActivity filter" in lines, lines
    assert lab.shell(f"pm path {lab.SHOP}").startswith("package:")
    lab.shell(f"am start {lab.SHOP}/{lab.SHOP}.ShopActivity")
    top = re.search(r"\* Hist[ ]+#\d+: ActivityRecord{[^ ]+ [^ ]+ ([^ ]+) t(\d+).*}", lab.shell("dumpsys activity activities"))
    assert top and top.group(1) == f"{lab.SHOP}/.ShopActivity", top
    lab.shell("dumpsys activity services")
    assert device(text="Small Shop").exists
    xml = device.dump_hierarchy()
    assert lab.SHOP in xml
    lab.shell("screencap -p /sdcard/screen.png")
    # Not to `/dev/null`: adb would put a file in its place.
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder, "screen.png")
        lab.adb("pull", "/sdcard/screen.png", str(picture))
        assert picture.read_bytes().startswith(b"\x89PNG"), picture
    lab.shell("rm /sdcard/screen.png")
    print("kea: installed, started, looked at")

    lab.shell(f"am start -n {lab.TRIAL}/.MainActivity")
    field = device(resourceId=f"{lab.TRIAL}:id/name")
    field.click()
    field.set_text("Kea é")
    assert field.get_text() == "Kea é"
    lab.shell("input touchscreen swipe 500 1500 500 500 200")
    assert "Success" in lab.shell(f"pm clear {lab.SHOP}")
    lab.shell(f"am force-stop {lab.SHOP}")
    assert "Success" in lab.adb("uninstall", lab.SHOP)
    print("kea: text, swipe, clear, uninstall")


def main() -> None:
    device = connect()
    followed = adapters()
    information()
    app(device)
    for process in followed:
        assert process.poll() is None, "it still reads"
        process.terminate()
    device.stop_uiautomator()


main()
