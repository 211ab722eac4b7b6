"""What the scripts of this folder share: their arguments, and the program `adb` as tools call it.

Arguments: the ADB server's port, the device's serial there, the address of its adbd door, an APK.
"""

import subprocess
import sys

PORT = int(sys.argv[1])
SERIAL = sys.argv[2]
ADBD = sys.argv[3]
APK = sys.argv[4]

TRIAL = "com.example.trial"
SHOP = "org.example.shop"


def adb(*arguments: str, check: bool = True) -> str:
    """Runs `adb -s SERIAL`; the server's port comes from the environment, as with any tool."""
    done = subprocess.run(
        ["adb", "-s", SERIAL, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60
    )
    output = done.stdout.decode(errors="replace").replace("\r", "").strip()
    assert not check or done.returncode == 0, (arguments, done.returncode, output)
    return output


def shell(command: str, check: bool = True) -> str:
    return adb("shell", *command.split(), check=check)


def follow(*arguments: str) -> subprocess.Popen:
    """A command that goes on, as log readers are."""
    return subprocess.Popen(
        ["adb", "-s", SERIAL, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
