"""What PBFDroid does when it connects to devices and runs a test.

PBFDroid is in no package registry; this replays its calls of uiautomator2 and `adb`: connect, the app
installed afresh with its permissions, the log cleared and read, the widgets of a specification found by
resource-id, text, description, class and instance, texts set, the screen turned, screenshots and dumps kept.
"""

import os
import re

import uiautomator2

import lab


def set_up() -> uiautomator2.Device:
    lab.adb("wait-for-device")
    lab.adb("uninstall", lab.SHOP, check=False)
    assert "Success" in lab.adb("install", "-g", lab.APK)
    lab.adb("logcat", "-c")
    d = uiautomator2.connect(lab.SERIAL)
    assert d.device_info["version"] == "13", d.device_info
    assert d.info["sdkInt"] == 33
    lab.shell("settings put system accelerometer_rotation 0")
    print("pbfdroid: app installed, log cleared, uiautomator2 connected")
    return d


def test(d: uiautomator2.Device) -> None:
    lab.shell(f"pm clear {lab.SHOP}")
    lab.shell(f"am start -n {lab.SHOP}/.ShopActivity")
    d.wait_activity(".ShopActivity", timeout=10)
    assert d.app_current()["package"] == lab.SHOP
    assert d(text="Small Shop").exists
    d.app_stop(lab.SHOP)
    d.app_start(lab.TRIAL, f"{lab.TRIAL}.MainActivity")
    field = d(resourceId=f"{lab.TRIAL}:id/name")
    field.set_text("property")
    assert field.get_text() == "property"
    texts = d(className="android.widget.TextView")
    assert d(className="android.widget.TextView", instance=0).exists and texts.count > 1
    d(text="Rows").click()
    assert d(text="Row 1").wait(timeout=10)
    d(scrollable=True).scroll.to(text="Row 1")
    d.press("back")
    d.set_orientation("l")
    d.set_orientation("n")
    d.screenshot(os.path.join(os.environ["HOME"], "state.png"))
    assert "<hierarchy" in d.dump_hierarchy()
    crash = lab.adb("logcat", "-d", "-b", "crash", "-v", "threadtime")
    assert not re.search("FATAL EXCEPTION", crash), crash
    lab.adb("uninstall", lab.SHOP)
    d.stop_uiautomator()
    print("pbfdroid: app started, widgets found, events sent, screen turned, log read")


test(set_up())
