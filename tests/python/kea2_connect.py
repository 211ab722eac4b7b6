"""What Kea2 does when it connects to a device and sets it up for Fastbot.

Its own connecting code where the package `kea2` can be imported, else the same calls of adbutils and
uiautomator2. Fastbot itself is a program for a real Android, so the lab must say that it cannot start it.
"""

import importlib
import io
import pathlib
import sys
import time

import adbutils
import uiautomator2

import lab


def own_device():
    """Kea2's device and its files, or None."""
    try:
        adb_utils = importlib.import_module("kea2.adbUtils")
    except ImportError as error:
        print(f"skipped: kea2's own code ({error}); its calls are replayed")
        return None, None
    adb_utils.ADBDevice.setDevice(lab.SERIAL, None)
    return adb_utils.ADBDevice(), pathlib.Path(adb_utils.__file__).parent / "assets"


def connect(device, assets) -> None:
    assert device.getprop("ro.build.version.release") == "13"
    assert "shell_v2" in device.get_features()
    assert device.shell("ps -ef").splitlines()[0].split()[1] == "PID"
    if hasattr(device, "kill_proc"):
        device.kill_proc("com.android.commands.monkey")
    for name in ("monkeyq.jar", "fastbot-thirdpart.jar", "kea2-thirdpart.jar", "framework.jar"):
        local = assets / name if assets else None
        content = local.read_bytes() if local and local.is_file() else b"PK\x03\x04"
        device.sync.push(io.BytesIO(content), f"/sdcard/{name}")
        assert device.sync.stat(f"/sdcard/{name}").size == len(content)
    for abi in ("arm64-v8a", "armeabi-v7a", "x86", "x86_64"):
        device.sync.push(io.BytesIO(b"\x7fELF"), f"/data/local/tmp/{abi}/libfastbot_native.so")
    assert device.shell('test -f "/sdcard/monkeyq.jar" && echo OK || echo NO') == "OK"
    device.shell('cp "/sdcard/monkeyq.jar" "/sdcard/copy.jar"')
    assert device.shell('test -f "/sdcard/copy.jar" && echo OK || echo NO') == "OK"
    print("kea2: version, features, processes, files pushed and checked")


def fastbot(device) -> None:
    command = (
        "CLASSPATH=/sdcard/monkeyq.jar:/sdcard/framework.jar:/sdcard/fastbot-thirdpart.jar:/sdcard/kea2-thirdpart.jar "
        "exec app_process /system/bin com.android.commands.monkey.Monkey --agent-u2 reuseq --running-minutes 1 "
        f"--throttle 200 -p {lab.TRIAL} -v -v -v"
    )
    if hasattr(device, "stream_shell"):
        told = io.StringIO()
        stream = device.stream_shell(command, stdout=told, stderr=told)
        code, output = stream.wait(), told.getvalue()
    else:
        ran = device.shell2(command, v2=True)
        code, output = ran.returncode, ran.output
    assert code not in (0, None), "an agent that does not run must not look as if it did"
    assert "Monkey" in output, output
    print("kea2: told that Fastbot does not run here:", output.strip().splitlines()[0][:80])


def main() -> None:
    device, assets = own_device()
    plain = adbutils.AdbClient(host="127.0.0.1", port=lab.PORT).device(lab.SERIAL)
    connect(device or plain, assets)
    fastbot(device or plain)
    d = uiautomator2.connect(adbutils.device(serial=lab.SERIAL))
    d.app_start(lab.TRIAL, f"{lab.TRIAL}.MainActivity")
    assert d(text="Rows").wait(timeout=10)
    assert lab.TRIAL in d.dump_hierarchy()
    d.stop_uiautomator()
    d.start_uiautomator()
    assert d(text="Rows").exists
    d.stop_uiautomator()
    print("kea2: uiautomator2 connected, stopped and started again")


main()
