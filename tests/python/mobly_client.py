"""The genuine Python package `mobly`: its controller of Android devices, which calls `adb`."""

import os
import tempfile

from mobly import logger
from mobly.controllers import android_device
from mobly.controllers.android_device_lib import adb, apk_utils

import lab


def main() -> None:
    folder = tempfile.mkdtemp()
    logger.setup_test_logger(folder)
    assert lab.SERIAL in android_device.list_adb_devices()
    (device,) = android_device.create([lab.SERIAL])
    try:
        info = device.build_info
        for key in ("build_id", "build_type", "build_version_codename", "build_version_sdk", "hardware", "debuggable"):
            assert info[key], (key, info)
        assert info["build_version_codename"] == "REL" and info["debuggable"] == "0", info
        assert device.is_boot_completed() and not device.is_bootloader and not device.is_rootable
        assert device.model and not device.is_adb_root
        print("mobly: build info, boot, model")

        assert device.adb.shell("echo hi").strip() == b"hi"
        assert device.adb.getprop("ro.secure") == "1"
        assert device.adb.current_user_id == 0
        try:
            device.adb.shell("exit 3")
            raise AssertionError("an exit code is an error")
        except adb.AdbError as error:
            assert error.ret_code == 3, error
        assert device.adb.has_shell_command("input")
        print("mobly: shell, properties, user, exit codes")

        device.services.logcat.clear_adb_log() if hasattr(device.services, "logcat") else None
        assert device.services.logcat.is_alive
        apk_utils.install(device, lab.APK)
        assert apk_utils.is_apk_installed(device, lab.SHOP)
        device.adb.shell(["am", "start", "-W", "-n", f"{lab.SHOP}/.ShopActivity"])
        picture = device.take_screenshot(folder)
        assert os.path.getsize(picture) > 1000
        apk_utils.uninstall(device, lab.SHOP)
        assert not apk_utils.is_apk_installed(device, lab.SHOP)
        print("mobly: log, install, screenshot, uninstall")
    finally:
        android_device.destroy([device])


main()
