"""Runs droidmux and its peers on simulated phones, one after the other, and prints a table in Markdown.

Called by benches/peers/run. Environment: DROIDMUX, the program.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

import uiautomator2
from apted import APTED, Config
from lxml import etree

HERE = pathlib.Path(__file__).resolve().parent
DROIDMUX = os.environ["DROIDMUX"]
PACKAGE = "org.droidmux.notes"
JAR = pathlib.Path(uiautomator2.__file__).parent / "assets" / "u2.jar"
# Pairs of layouts for apted, which takes seconds for a large one.
PAIRS = 40


@contextlib.contextmanager
def phone(latency: str):
    """A simulated phone of its own; gives the environment in which tools find it, and what asks it about itself."""
    command = [DROIDMUX, "sim", "--steady", "--no-adbd", "--json", "--latency", latency]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as sim:
        try:
            address = json.loads(sim.stdout.readline())["server"]
            host, port = address.split(":")
            environment = os.environ | {
                "ANDROID_ADB_SERVER_HOST": host,
                "ANDROID_ADB_SERVER_ADDRESS": host,
                "ANDROID_ADB_SERVER_PORT": port,
                "ANDROID_SERIAL": "sim-1",
                "PYTHONWARNINGS": "ignore",
            }

            def told() -> dict:
                sim.send_signal(signal.SIGUSR1)
                return json.loads(sim.stdout.readline())

            yield environment, told
        finally:
            sim.terminate()


def measured(command: list, environment: dict) -> tuple[str, float, float]:
    """What it printed, seconds it took, seconds of processor time of it and all that it started."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    took, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    # 3: in so short a time no test came to its end. Its events count all the same.
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{command} ended with exit code {done.returncode}")
    return done.stdout, took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def walker(way: str, environment: dict, seconds: int, events: int, folder: str = "-") -> tuple[int, float, float]:
    arguments = [way, "sim-1", PACKAGE, str(seconds), str(events), folder]
    printed, took, processor = measured([sys.executable, HERE / "walker.py", *arguments], environment)
    return int(printed.split()[-1]), took, processor


def monkey(
    environment: dict, home: pathlib.Path, seconds: int, events: int, agent: bool, screens: str
) -> tuple[int, float, float]:
    """droidmux's random events; everything is recorded and judged as in any session."""
    home.mkdir()
    session = home / "monkey.toml"
    session.write_text(
        f'technique = "monkey"\napp = "{PACKAGE}"\n[lab]\nkind = "adb"\n'
        + (f'agent = "{JAR}"\n' if agent else "")
        + f'[run]\nmax-events = {events or 1_000_000}\nscreens = "{screens}"\n'
    )
    folders = {f"XDG_{kind}_HOME": str(home) for kind in ("CONFIG", "STATE", "DATA")}
    limit = ["--for", f"{seconds}s"] if seconds else []
    command = [DROIDMUX, "run", session, "--json", "--devices", "1", "--seed", "1", "--store", home / "store", *limit]
    printed, took, processor = measured(command, environment | folders)
    told = map(json.loads, printed.splitlines())
    # Resets are steps, and no events.
    events = sum(line["type"] == "step" and line["event"] != "reset" for line in told)
    return events, took, processor


def size(folder: pathlib.Path) -> int:
    """Bytes on the disk, without what is kept free for a full one."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in ("ballast", "lock"))
    return sum(path.stat().st_blocks * 512 for path in files)


class Labels(Config):
    def rename(self, a, b):
        return int(a.name != b.name)

    def children(self, node):
        return node.children


class Node:
    """A widget as droidmux compares them: class, id and text."""

    def __init__(self, element) -> None:
        self.name = tuple(element.get(key, "") for key in ("class", "resource-id", "text", "content-desc"))
        self.children = [Node(child) for child in element.iterfind("node")]


BOUNDS = re.compile(rb"\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]")


def read_by_lxml(dump: bytes) -> int:
    """Widgets with the attributes that a tester looks at."""
    found = []
    for node in etree.fromstring(dump).iter("node"):
        bounds = tuple(map(int, BOUNDS.match(node.get("bounds", "").encode()).groups()))
        found.append((node.get("class"), node.get("resource-id"), node.get("text"), node.get("clickable") == "true", bounds))
    return len(found)


def shortest(work, rounds: int = 5) -> float:
    def once() -> float:
        began = time.perf_counter()
        work()
        return time.perf_counter() - began

    return min(once() for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser()
    # Less, and droidmux ends no test where a dump takes two seconds.
    parser.add_argument("--minutes", type=float, default=10, help="of each contender")
    parser.add_argument("--events", type=int, default=200, help="whose files are weighed")
    options = parser.parse_args()
    seconds = int(options.minutes * 60)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def contend(name: str, run) -> None:
            with phone("typical") as (environment, told):
                _, took, processor = run(environment)
                # The phone itself knows what it showed, and what was to come of it: nobody is disturbed.
                tally = told()
            # It counts events for all alike, those of a test that the end of the time cuts as well.
            early, observed = tally["premature"], tally["observations"]
            rate, cost = observed / took * 60, processor / max(observed, 1) * 1e3
            share = f"{early} of {observed} observations premature ({early / max(observed, 1):.1%})"
            rows.append((name, f"{rate:.1f} events a minute", f"{cost:.1f} ms of processor time an event", share))
            print("|", " | ".join(rows[-1]), "|", flush=True)

        print("| what | measured | | |\n|---|---|---|---|")
        contend("droidmux, random events, agent", lambda e: monkey(e, folder / "a", seconds, 0, True, "never"))
        contend("droidmux, the same with a screenshot of each new screen", lambda e: monkey(e, folder / "b", seconds, 0, True, "changed"))
        contend("uiautomator2, random loop", lambda e: walker("uiautomator2", e, seconds, 0))
        contend("Kea2's driver and checker, random loop", lambda e: walker("kea2", e, seconds, 0))
        contend("droidmux, random events, `uiautomator dump`", lambda e: monkey(e, folder / "c", seconds, 0, False, "never"))
        contend("`adb shell`, random loop", lambda e: walker("adb", e, seconds, 0))

        files = folder / "files"
        files.mkdir()
        with phone("none") as (environment, _):
            kept, _, _ = walker("uiautomator2", environment, 0, options.events, str(files))
        with phone("none") as (environment, _):
            steps, _, _ = monkey(environment, folder / "d", 0, options.events, True, "all")
        with phone("none") as (environment, _):
            fewer, _, _ = monkey(environment, folder / "e", 0, options.events, True, "changed")
        print(f"| XML and PNG of each step in a folder | {size(files) / kept / 1e3:.1f} kB a step | | |")
        print(f"| droidmux's store, a screenshot of each step | {size(folder / 'd/store') / steps / 1e3:.1f} kB a step | | |")
        print(f"| droidmux's store, one of each new screen | {size(folder / 'e/store') / fewer / 1e3:.1f} kB a step | | |")

        command = ["cargo", "bench", "--locked", "-q", "--bench", "peers", "--", str(files), str(PAIRS)]
        ours = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()[-1])
        dumps = [path.read_bytes() for path in sorted(files.glob("*.xml"))]
        each = shortest(lambda: [read_by_lxml(dump) for dump in dumps]) / len(dumps) * 1e6
        print(f"| reading a dump: lxml and its attributes | {each:.0f} µs | {each / ours['read_us']:.1f} times droidmux | |")
        print(f"| reading a dump: droidmux, layout hashed | {ours['read_us']:.0f} µs | | |")
        trees = [Node(etree.fromstring(dump)) for dump in dumps[: PAIRS + 1]]
        pairs = list(zip(trees, trees[1:]))
        each = shortest(lambda: [APTED(a, b, Labels()).compute_edit_distance() for a, b in pairs], 1) / len(pairs) * 1e6
        print(f"| tree edit distance of a pair: apted | {each:.0f} µs | {each / ours['edit_us']:.0f} times droidmux | |")
        print(f"| tree edit mapping of the same pair: droidmux | {ours['edit_us']:.0f} µs | | |")


main()
