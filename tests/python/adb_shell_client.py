"""The genuine Python package `adb-shell`, which speaks ADB's transport itself, at the adbd door."""

import io
import os
import struct
import tempfile

from adb_shell.adb_device import AdbDeviceTcp

import lab


def main() -> None:
    host, port = lab.ADBD.rsplit(":", 1)
    device = AdbDeviceTcp(host, int(port), default_transport_timeout_s=20)
    assert device.connect(), "connected without a key"
    assert device.available
    assert device.shell("echo hi").strip() == "hi"
    assert device.shell("getprop ro.product.cpu.abilist").strip()
    assert list(device.streaming_shell("echo one; echo two")) != []
    assert device.exec_out("echo 'a  b'").strip() == "a  b"
    assert "production" in device.root() if hasattr(device, "root") and device.root() else True
    print("adb-shell: connect, shell, streaming shell, exec-out")

    content = os.urandom(300_000)
    device.push(io.BytesIO(content), "/sdcard/pushed.bin")
    assert device.stat("/sdcard/pushed.bin")[1] == len(content)
    assert "pushed.bin" in [entry.filename.decode() for entry in device.list("/sdcard")]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pulled.bin")
        device.pull("/sdcard/pushed.bin", path)
        assert open(path, "rb").read() == content
    print("adb-shell: push, stat, list, pull")

    raw = device.exec_out("screencap", decode=False)
    width, height, pixels, colours = struct.unpack("<4I", raw[:16])
    assert (width, height, pixels, colours) == (1080, 1920, 1, 1), (width, height, pixels, colours)
    assert len(raw) == 16 + width * height * 4
    assert device.exec_out("screencap -p", decode=False).startswith(b"\x89PNG")

    device.push(lab.APK, "/data/local/tmp/shop.apk")
    assert "Success" in device.shell("pm install -r /data/local/tmp/shop.apk")
    assert lab.SHOP in device.shell("pm list packages -3")
    assert "Complete" in device.shell(f"am start -W -n {lab.SHOP}/.ShopActivity")
    assert lab.SHOP in device.shell("dumpsys window displays | grep mCurrentFocus")
    device.close()
    print("adb-shell: screenshots, installation")


main()
