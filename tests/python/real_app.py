"""The genuine client `uiautomator2` on a real app in the framework lab: ActivityDiary 1.1.8.

Called by tests/suite/real_apps.rs with the ADB server's port and the device's serial. Prints one line a step; fails
with a traceback.
"""

import sys

import adbutils
import uiautomator2

PACKAGE = "de.rampro.activitydiary.debug"
MAIN = "de.rampro.activitydiary.ui.main.MainActivity"


def by_widgets(d: uiautomator2.Device) -> None:
    d.app_start(PACKAGE, MAIN, stop=True)
    assert d.app_current()["package"] == PACKAGE
    assert d(text="Cinema").wait(timeout=20)
    xml = d.dump_hierarchy()
    assert PACKAGE + ":id/select_recycler" in xml and "Swimming" in xml, xml
    d(text="Swimming").click()
    shown = d(resourceId=PACKAGE + ":id/card").child(resourceId=PACKAGE + ":id/activity_name")
    assert shown.get_text() == "Swimming", shown.get_text()
    d.xpath("//*[@text='Cinema']").click()
    assert shown.get_text() == "Cinema", shown.get_text()
    print("uiautomator2: started, dump, click by text, child, xpath")

    d(resourceId=PACKAGE + ":id/fab_edit_note").click()
    field = d(className="android.widget.EditText")
    assert field.wait(timeout=10)
    d.send_keys("a note, übrigens")
    assert field.get_text() == "a note, übrigens", field.get_text()
    field.set_text("set")
    assert field.get_text() == "set"
    d(text="OK").click()
    assert d(resourceId=PACKAGE + ":id/note").get_text() == "set"
    print("uiautomator2: dialog, keys, set_text")

    d(description="Open Navigation").click()
    assert d(text="Settings").wait(timeout=10)
    d(text="Diary").click()
    assert d(text="Cinema").wait(timeout=10)
    d.press("back")
    d(description="Open Navigation").click()
    d(text="Settings").click()
    assert d(scrollable=True).exists
    d.swipe(540, 1500, 540, 500, duration=0.2)
    d.press("back")
    assert shown.get_text() == "Cinema"
    print("uiautomator2: drawer, other activities, swipe, back")

    assert d.screenshot().size == (1080, 1920)
    d.set_orientation("left")
    assert d.info["displayRotation"] == 1 and shown.get_text() == "Cinema"
    d.set_orientation("natural")
    print("uiautomator2: screenshot, orientation")


def by_system(d: uiautomator2.Device) -> None:
    d.open_notification()
    assert d(packageName="com.android.systemui", text="No notifications").wait(timeout=10)
    d.press("back")
    assert d.app_current()["package"] == PACKAGE
    d.press("home")
    assert d.app_current()["package"] != PACKAGE
    d.app_start(PACKAGE)
    assert d(text="Cinema").wait(timeout=10)
    d.app_stop(PACKAGE)
    assert PACKAGE not in d.app_list_running()
    d.app_clear(PACKAGE)
    d.app_start(PACKAGE)
    shown = d(resourceId=PACKAGE + ":id/card").child(resourceId=PACKAGE + ":id/activity_name")
    assert shown.get_text() == "<No Activity>", shown.get_text()
    assert PACKAGE in d.app_list("-3") and d.app_info(PACKAGE)["versionName"].startswith("1.1.8")
    print("uiautomator2: shade, home, stop, clear, app info")


def by_toast(d: uiautomator2.Device) -> None:
    d.clear_toast()
    assert d.last_toast is None, d.last_toast
    # Nothing goes on that a note could be about.
    d(resourceId=PACKAGE + ":id/fab_edit_note").click()
    assert d.last_toast, d.dump_hierarchy()
    print("uiautomator2: toast:", d.last_toast)


def main() -> None:
    port, serial = int(sys.argv[1]), sys.argv[2]
    d = uiautomator2.connect(adbutils.AdbClient(host="127.0.0.1", port=port).device(serial))
    by_widgets(d)
    by_system(d)
    by_toast(d)
    d.stop_uiautomator()


main()
