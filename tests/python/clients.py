"""The genuine Python clients `adbutils` and `uiautomator2` against one simulated device.

Called by tests/suite/python_clients.rs with the ADB server's port and the device's serial; the trial app of
the tests is installed. Prints one line a step; fails with a traceback.
"""

import sys

import adbutils
import uiautomator2

PACKAGE = "com.example.trial"


def by_adbutils(device: adbutils.AdbDevice) -> None:
    assert device.get_state() == "device"
    assert device.shell("echo hi").strip() == "hi"
    assert device.shell2("ls /nowhere").returncode != 0
    assert device.shell2("exit 3", v2=True).returncode == 3
    device.sync.push(b"some bytes", "/data/local/tmp/note")
    assert device.sync.read_bytes("/data/local/tmp/note") == b"some bytes"
    width, height = device.window_size()
    assert (width, height) == (1080, 1920), (width, height)
    assert device.screenshot().size == (width, height)
    assert "<hierarchy" in device.dump_hierarchy()
    print("adbutils: state, shell, exit code, push, pull, window size, screenshot, dump")


def by_uiautomator2(device: adbutils.AdbDevice) -> None:
    d = uiautomator2.connect(device)
    info = d.info
    assert (info["displayWidth"], info["displayHeight"]) == (1080, 1920), info
    print("uiautomator2: connected (jar pushed, agent started), deviceInfo")

    d.app_start(PACKAGE, "com.example.trial.MainActivity")
    assert d.app_current()["package"] == PACKAGE
    assert d(text="Rows").wait(timeout=5)
    xml = d.dump_hierarchy()
    assert PACKAGE + ":id/name" in xml and "com.android.systemui" in xml, xml
    assert "com.android.systemui" not in d.dump_hierarchy(root_in_active=True)
    assert d.dump_hierarchy(max_depth=0, root_in_active=True).count("<node") == 1
    print("uiautomator2: dump of all windows, of the active one, of its root")

    field = d(resourceId=PACKAGE + ":id/name")
    for text in ["plain", "smile \U0001f600 שלום e\u0301", "日本語"]:
        field.set_text(text)
        assert field.get_text() == text, (text, field.get_text())
        assert d(resourceId=PACKAGE + ":id/echo").info["text"] == "[" + text + "]"
    d(focused=True).set_text("focused")
    assert d(textContains="FOCUSED").exists
    field.clear_text()
    assert d(resourceId=PACKAGE + ":id/echo").get_text() == "[]"
    d.send_keys("pasted é")
    assert field.get_text() == "pasted é"
    print("uiautomator2: setText of all of Unicode, on a widget and on the focus; clipboard")

    d.press("back")
    d(resourceId=PACKAGE + ":id/held").click()
    assert d(text="Held 1").exists
    d(resourceId=PACKAGE + ":id/held").long_click()
    assert d(text="Held 2").wait(timeout=2)
    d.xpath("//*[@text='Rows']").click()
    assert d(text="Row 1").wait(timeout=5)
    assert len(d(className="android.widget.TextView")) > 5
    d.swipe(540, 1500, 540, 500, duration=0.2)
    assert d(text="Row 1").wait_gone(timeout=5)
    d.press("back")
    assert d(text="Rows").wait(timeout=5) and not d(text="Row 1").exists(timeout=0)
    print("uiautomator2: click, long click, xpath, swipe, keys, waits")

    assert d.screenshot().size == (1080, 1920)
    d.set_orientation("left")
    assert d.info["displayRotation"] == 1
    d.set_orientation("natural")
    print("uiautomator2: screenshot, orientation")

    by_fingers(d)
    by_shell(device)

    said = device.shell2("uiautomator dump /data/local/tmp/x.xml")
    assert "already registered" in said.output, said
    d.stop_uiautomator()
    assert "dumped to" in device.shell("uiautomator dump /data/local/tmp/x.xml")
    d.start_uiautomator()
    assert d(text="Rows").exists
    d.stop_uiautomator()
    print("uiautomator2: excludes `uiautomator dump`, stops, starts again")


def by_fingers(d: uiautomator2.Device) -> None:
    held = d(resourceId=PACKAGE + ":id/held")
    x, y = held.center()
    count = int(held.get_text().split()[1])
    d.double_click(x, y)
    assert held.get_text() == f"Held {count + 2}", held.get_text()
    d.touch.down(x, y).sleep(0.7).up(x, y)
    assert held.get_text() == f"Held {count + 3}", held.get_text()
    d.swipe_points([(500, 5), (500, 300), (500, 900)], 0.2)
    assert d(packageName="com.android.systemui", textContains="notifications").exists
    d.press("back")
    d.open_quick_settings()
    assert d(text="Bluetooth").wait(timeout=2)
    d.press("back")
    d.open_notification()
    assert d(text="No notifications").wait(timeout=2)
    d.press("back")
    fields = {"className": "android.widget.TextView", "instance": "1", "enabled": "true"}
    assert d(**fields).exists and d(textMatches="R.*s").exists
    print("uiautomator2: double click, single touches, paths, shade, scalars as texts, expressions")


def by_shell(device: adbutils.AdbDevice) -> None:
    assert device.wlan_ip().startswith("10.0.2.")
    rows = [
        ("case abc in a*) echo yes;; esac", "yes"),
        ("f() { echo $(( $1 * 2 )); }; f 21", "42"),
        ("x=a/b.c; echo ${x%%.*} ${x##*/}", "a/b b.c"),
        ("set -e; false; echo no", ""),
        ("trap 'echo bye' EXIT; echo hi", "hi\nbye"),
        ("echo abc | sed 's/b/x/'", "axc"),
        ("cd /sdcard && pwd && find . -name Download", "/sdcard\n./Download"),
        ("sh -c 'echo $0 $1' a b", "a b"),
    ]
    for script, expected in rows:
        assert device.shell(script).strip() == expected, (script, device.shell(script))
    device.shell("content insert --uri content://settings/system --bind name:s:user_rotation --bind value:i:0")
    assert "value=0" in device.shell(
        "content query --uri content://settings/system --where \"name='user_rotation'\"")
    assert "ABS" in device.shell("getevent -p")
    print("adbutils: scripts, sed, find, content, getevent, ip addr")


def main() -> None:
    port, serial = int(sys.argv[1]), sys.argv[2]
    client = adbutils.AdbClient(host="127.0.0.1", port=port)
    if serial not in [device.serial for device in client.device_list()]:
        client.connect(serial, timeout=10)
    device = client.device(serial)
    by_adbutils(device)
    by_uiautomator2(device)


main()
