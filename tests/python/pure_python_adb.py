"""The genuine Python package `pure-python-adb`, a client of ADB servers."""

import os
import tempfile

from ppadb.client import Client

import lab


def main() -> None:
    client = Client(host="127.0.0.1", port=lab.PORT)
    assert client.version() == 41
    assert lab.SERIAL in [device.serial for device in client.devices()]
    device = client.device(lab.SERIAL)
    assert device.get_state() == "device" and device.get_serial_no()
    assert device.shell("echo hi").strip() == "hi"
    properties = device.get_properties()
    assert properties["ro.secure"] == "1" and properties["ro.product.cpu.abilist"], properties
    assert device.list_features() and "shell_v2" in client.features()
    assert device.is_installed(lab.TRIAL) and lab.TRIAL in device.list_packages()
    size = device.wm_size()
    assert (size.width, size.height) == (1080, 1920) and device.wm_density() == 3
    assert device.wait_boot_complete(timeout=10)
    print("pure-python-adb: version, devices, shell, properties, features, packages, screen")

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "note")
        content = os.urandom(200_000)
        with open(path, "wb") as file:
            file.write(content)
        device.push(path, "/sdcard/note")
        device.pull("/sdcard/note", path + ".back")
        assert open(path + ".back", "rb").read() == content
    assert device.screencap().startswith(b"\x89PNG")
    print("pure-python-adb: push, pull, screenshot")

    assert device.install(lab.APK)
    assert device.is_installed(lab.SHOP)
    assert device.get_package_version_name(lab.SHOP) == "1.0"
    device.shell(f"am start -W -n {lab.SHOP}/.ShopActivity")
    activity = device.get_top_activity()
    assert activity.package == lab.SHOP, activity
    assert device.get_pid(lab.SHOP), "it runs"
    device.input_tap(500, 500)
    device.input_keyevent("BACK")
    assert device.clear(lab.SHOP)
    assert device.uninstall(lab.SHOP)
    assert not device.is_installed(lab.SHOP)
    print("pure-python-adb: install, top activity, input, clear, uninstall")

    device.forward("tcp:0", "tcp:9008")
    assert device.list_forward()
    device.killforward_all()
    battery = device.get_battery_level()
    assert 0 <= battery <= 100
    print("pure-python-adb: forwards, battery")


main()
