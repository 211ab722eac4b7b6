#!/usr/bin/env python3
"""Takes the pictures of the cockpit's screens, and the one in the README, from the running program.

    docs/screens/take.py [BINARY] [PICTURE...]

It runs the demo in a terminal of its own (tmux 3 is all it needs beside Python), presses the keys that
lead from screen to screen, waits for what they bring, and writes a picture of each screen beside itself.
BINARY is target/release/droidmux, or the debug one, where none is named. PICTURE is one of demo, talk and
framework; all of them where none is named. The one of the framework lab needs its host, and AOSP's NotePad
sample in the folder apps of the corpus (../shared/data, or DROIDMUX_CORPUS); it says so where one is missing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# What is imported leaves no files beside itself.
sys.dont_write_bytecode = True

from svg import drawn  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
README = ROOT / "README.md"
# Patience for what a loaded machine takes long for, in seconds.
PATIENCE = 1200


class Terminal:
    """The program in a terminal of a size; a server of tmux that nobody else uses."""

    def __init__(self, command, columns, rows, home, **more):
        self.socket = str(home / "tmux")
        env = {
            **os.environ,
            "COLORTERM": "truecolor",
            "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            **more,
        }
        for name in ("NO_COLOR", "SSH_CONNECTION", "TMUX"):
            env.pop(name, None)
        size = ["-x", str(columns), "-y", str(rows)]
        self.tmux("-f", "/dev/null", "new-session", "-d", *size, command, env=env)

    def tmux(self, *arguments, env=None):
        command = ["tmux", "-S", self.socket, *arguments]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options)

    def wait_for(self, pattern):
        """Waits until the screen shows it."""
        end = time.monotonic() + PATIENCE
        while not re.search(pattern, self.screen(), re.MULTILINE):
            if time.monotonic() > end:
                sys.exit(f"{pattern!r} did not come in {PATIENCE} s:\n{self.screen()}")
            time.sleep(0.05)

    def press(self, keys, pattern):
        """Presses keys, written apart by spaces as tmux names them; waits for what they bring."""
        self.tmux("send-keys", *keys.split())
        self.wait_for(pattern)

    def picture(self, name):
        """Writes what the screen shows."""
        path = HERE / f"{name}.svg"
        path.write_text(drawn(self.screen("-e", "-N")), encoding="utf-8")
        print(path.relative_to(ROOT))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")


def demo(binary, home):
    """All screens that the demo fills."""
    with Terminal(f"{binary} demo", 120, 44, home) as terminal:
        # The first picture: work on all devices, and something found already.
        terminal.wait_for(r"testing mutants(.|\n)*[1-9] reported")
        terminal.picture("lab")
        into_readme(terminal.screen())
        terminal.press("2", r"Trace .*(.|\n)*Verdicts")
        terminal.press("k k", r"f follow")
        terminal.picture("session")
        # What Genie has found of an inserted event; the demo's other sessions find things earlier.
        terminal.press("3", r"s\d+-[0-9a-f]{8} genie +diary")
        terminal.press("g", r"▌ +1 .* genie +diary(.|\n)*Why this is a violation")
        terminal.picture("findings")
        terminal.press("Enter", r"┏ Why")
        terminal.press("Tab", r"effect is there")
        terminal.picture("compare")
        terminal.press("R", r"Step through it on which device")
        terminal.press("Enter", r"Next: .*(.|\n)*The violation shows after")
        terminal.press("x", r"skipped")
        terminal.press("x", r"skipped(.|\n)*skipped")
        terminal.press("v", r"came this time|is missing again")
        # The screen of the device comes after the words.
        terminal.wait_for(r"On the device .* \d+/\d+")
        terminal.picture("stepper")
        terminal.press("L", r"The stepping has ended")
        terminal.press("6", r"States(.|\n)*Growth(.|\n)*distinct layouts")
        terminal.picture("model")
        terminal.press("8", r"\[8 Log\](.|\n)*complete")
        terminal.picture("log")


def talk(binary, home):
    """The exchanges of a session that asks a language model: here the built-in rules."""
    session = ROOT / "sessions" / "diary-visiondroid.toml"
    with Terminal(f"{binary} run {session} --store {home / 'talk'}", 120, 44, home) as terminal:
        terminal.wait_for(r"visiondroid")
        terminal.press("5", r"detector(.|\n)*Reply")
        # The pictures that were sent are drawn when they have come.
        terminal.press("k", r"f follows")
        terminal.wait_for(r"\A(?!(.|\n)*fetching the picture)(.|\n)*Sent(.|\n)*▀")
        terminal.picture("transcripts")


def framework(binary, home):
    """A real app's own screen: AOSP's NotePad, whose code runs on the framework's own classes."""
    host = ROOT / "framework"
    app = Path(os.environ.get("DROIDMUX_CORPUS", ROOT.parent / "shared" / "data")) / "apps" / "NotePad"
    if not app.is_dir():
        print(f"framework.svg is left as it is: no app in {app}")
        return
    built = subprocess.run([host / "build-app", app, home / "app"], capture_output=True, text=True)
    if built.returncode != 0:
        print(f"framework.svg is left as it is: {built.stderr.strip()}")
        return
    session = home / "notepad.toml"
    session.write_text(
        'technique = "neutral"\napp = "com.example.android.notepad"\n[run]\nmax-events = 4000\n'
        "[genie]\nmine-events = 200\n"
    )
    served = [binary, "sim", "--framework", home / "app", "--framework-host", host, "--no-adbd", "--json"]
    with subprocess.Popen(served, stdout=subprocess.PIPE, text=True) as lab:
        try:
            said = lab.stdout.readline()
            if not said:
                print("framework.svg is left as it is: the lab did not start")
                return
            port = str(json.loads(said)["server"]).rsplit(":", 1)[-1]
            command = f"{binary} run {session} --seed 3 --store {home / 'store'}"
            with Terminal(command, 120, 44, home, ANDROID_ADB_SERVER_PORT=port) as terminal:
                terminal.wait_for(r"neutral com.example.android.notepad")
                # A page of the app after something was typed, with the screenshot that belongs to it.
                terminal.press("2", r"Layout after step")
                terminal.wait_for(r"Layout after step \d+ ─+ NoteEditor ╮(.|\n)*/\d+ +edit (.|\n)* screenshot ╮(.|\n)*▀▀▀")
                terminal.picture("framework")
        finally:
            lab.terminate()


def into_readme(screen):
    """Puts the Lab into the README, in place of the picture that is there."""
    lines = [line.rstrip() for line in screen.rstrip("\n").split("\n")]
    fence = "```text\n droidmux demo"
    text = README.read_text(encoding="utf-8")
    before, rest = text.split(fence, 1)
    after = rest.split("\n```\n", 1)[1]
    README.write_text(before + "```text\n" + "\n".join(lines) + "\n```\n" + after, encoding="utf-8")
    print(README.relative_to(ROOT))


def program(arguments):
    built = [ROOT / "target" / kind / "droidmux" for kind in ("release", "debug")]
    for path in [Path(name).resolve() for name in arguments] or built:
        if path.is_file():
            return path
    sys.exit("there is no droidmux: build one with `cargo build --release`, or name it")


def main():
    if not shutil.which("tmux"):
        sys.exit("tmux is not installed")
    takes = {take.__name__: take for take in (demo, talk, framework)}
    named = [takes[name] for name in sys.argv[1:] if name in takes]
    binary = program([name for name in sys.argv[1:] if name not in takes])
    for take in named or takes.values():
        with tempfile.TemporaryDirectory(prefix="droidmux-screens-") as home:
            take(binary, Path(home))


if __name__ == "__main__":
    main()
