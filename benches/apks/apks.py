"""Random events on real APKs by the framework lab's own protocol: what starts, what crashes and whose fault it is.

In flows a folder of APKs, out flow a table in Markdown and, beside the translated apps, `report.json` with each crash.
The same seed gives the same events: what is chosen depends on the seed and on the dump alone.
"""

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

BACK, ENTER = 4, 66
WORDS = ["a", "Lamp 7", "12", "x@example.org", "été", "2024-03-05", ""]


class HostEnded(Exception):
    """The host is gone: its app cannot go on."""


class Host:
    """One host in a process of its own, and what is said to it."""

    def __init__(self, folder, log):
        self.begun = time.monotonic()
        self.log = open(log, "w")
        self.process = subprocess.Popen(
            ["framework/run", str(folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.number = 0
        self.hello = self.line()

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise HostEnded(f"the host ended with status {self.process.wait()}")
        try:
            return json.loads(line)
        except json.JSONDecodeError:
            raise HostEnded(f"no answer, but: {line.strip()[:200]}") from None

    def ask(self, what, **members):
        self.number += 1
        try:
            self.process.stdin.write(json.dumps({"id": self.number, "do": what, **members}) + "\n")
            self.process.stdin.flush()
        except OSError:
            raise HostEnded(f"the host ended with status {self.process.wait()}") from None
        return self.line()

    def memory(self):
        """Megabytes now, and at the most."""
        found = {}
        try:
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith(("VmRSS", "VmHWM")):
                    found[line.split(":")[0]] = int(line.split()[1]) // 1024
        except OSError:
            pass
        return found.get("VmRSS", 0), found.get("VmHWM", 0)

    def processor(self):
        """Seconds of the processor's time that it has used: what else the computer does hardly changes them."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        try:
            self.process.stdin.write('{"id":0,"do":"quit"}\n')
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()


def centre(node):
    left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds")))
    return (left + right) // 2, (top + bottom) // 2, right > left and bottom > top


def chosen(dump, width, height, luck):
    """The next event, by the dump alone: what to ask, and its members."""
    nodes = []
    if dump:
        nodes = [node for node in ElementTree.fromstring(dump).iter("node") if centre(node)[2]]
    touchable = [n for n in nodes if n.get("clickable") == "true" or n.get("checkable") == "true"]
    editors = [n for n in nodes if n.get("class", "").endswith("EditText")]
    lot = luck.random()
    if lot < 0.66 and touchable:
        x, y, _ = centre(luck.choice(touchable))
        return "tap", {"x": min(max(x, 0), width - 1), "y": min(max(y, 0), height - 1)}
    if lot < 0.72 and touchable:
        x, y, _ = centre(luck.choice(touchable))
        return "tap", {"x": min(max(x, 0), width - 1), "y": min(max(y, 0), height - 1), "ms": 800}
    if lot < 0.80 and editors:
        return "commit", {"text": luck.choice(WORDS), "instead": luck.random() < 0.5}
    if lot < 0.88:
        up = luck.random() < 0.5
        low, high = height * 7 // 10, height * 3 // 10
        return "swipe", {"x": width // 2, "y": low if up else high, "to-x": width // 2, "to-y": high if up else low}
    if lot < 0.91:
        right = luck.random() < 0.5
        return "swipe", {
            "x": 10 if right else width - 10, "y": height // 2,
            "to-x": width - 10 if right else 10, "to-y": height // 2}
    if lot < 0.93:
        return "rotate", {"to": luck.choice([0, 1])}
    if lot < 0.94:
        return "key", {"code": ENTER}
    return "key", {"code": BACK}


def run(folder, events, seed, log, replay=None, minutes=None, keep=0):
    """So many events, or so many minutes of them; what was seen. With `replay`, those events instead of random ones.

    The first dumps are kept whole, as many as `keep` says."""
    seen = {"events": [], "dumps": [], "crashes": [], "refused": 0, "curve": [], "kept": []}
    luck = random.Random(seed)
    host = None
    try:
        host = Host(folder, log)
        seen["hello"] = host.hello
        if "error" in host.hello:
            seen["error"] = host.hello["error"]
            return seen
        width, height = host.hello["width"], host.hello["height"]
        noted(seen, -1, host.ask("start"))
        dump = host.ask("dump").get("xml", "")
        seen["first"] = time.monotonic() - host.begun
        seen["first-processor"] = host.processor()
        seen["memory-begin"] = host.memory()[0]
        seen["texts"] = re.findall(r'text="([^"]+)"', dump)[:12]
        begun = time.monotonic()
        step = 0
        while step < events if minutes is None else time.monotonic() - begun < minutes * 60:
            if step % 100 == 0:
                seen["curve"].append((round(time.monotonic() - begun), step, host.memory()[0]))
            focus = host.ask("focus")
            if replay is not None:
                what, members = replay[step]
            elif focus.get("home"):
                what, members = "start", {}
            elif focus.get("outside") and luck.random() < 0.5:
                what, members = "key", {"code": BACK}
            else:
                side = focus.get("rotation", 0) % 2
                what, members = chosen(dump, height if side else width, width if side else height, luck)
            seen["events"].append((what, members))
            answer = host.ask(what, **members)
            noted(seen, step, answer)
            dump = host.ask("dump").get("xml", "")
            seen["dumps"].append(hashlib.sha256(dump.encode()).hexdigest()[:16])
            if step < keep:
                seen["kept"].append(dump)
            seen["seconds"] = time.monotonic() - begun
            seen["processor"] = host.processor() - seen["first-processor"]
            step += 1
    except HostEnded as ended:
        seen["ended"] = str(ended)
    finally:
        if host:
            seen["memory-end"], seen["memory-most"] = host.memory()
            host.close()
    return seen


def noted(seen, step, answer):
    if not answer.get("ok"):
        seen["refused"] += 1
        seen.setdefault("refusals", []).append(answer.get("error"))
    for kind in ("crash", "not-responding", "lacking"):
        if kind in answer:
            of = answer.get("of", "app") if kind == "crash" else kind
            seen["crashes"].append({"step": step, "of": of, "words": answer[kind]})


def row(name, translated, seen, differ, equal):
    hello = seen.get("hello", {})
    if "error" in seen or "ended" in seen and not seen["dumps"]:
        why = seen.get("error", seen.get("ended"))
        return f"| {name} | {translated.get('version', '')} | {translated.get('target', '')} | {translated['seconds']:.1f} | no: {why} | | | | | | | | |"
    kinds = {}
    for crash in seen["crashes"]:
        kinds[crash["of"]] = kinds.get(crash["of"], 0) + 1
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "0"
    if "ended" in seen:
        told += f"; {seen['ended']}"
    steps = max(len(seen["dumps"]), 1)
    equal = min(equal, len(seen["dumps"]))
    rate = steps / seen["seconds"] if seen.get("seconds") else 0
    return (
        f"| {name} | {hello.get('version', '')} | {hello.get('target', '')} | {translated['seconds']:.1f} "
        f"| {seen.get('first', 0):.1f} | {seen.get('first-processor', 0):.1f} | {len(seen['dumps'])} | {rate:.1f} "
        f"| {1000 * seen.get('processor', 0) / steps:.0f} | {told} "
        f"| {seen.get('memory-begin', 0)} | {seen.get('memory-end', 0)} | {equal - len(differ)} of {equal} |"
    )


def differing(name, out, seen, again):
    """The steps after which a second host showed something else; the first pair of dumps is left in two files."""
    steps = [
        step for step, dump in enumerate(seen["kept"])
        if step >= len(again.get("kept", [])) or again["kept"][step] != dump]
    for which, run in (("one", seen), ("other", again)):
        file = out / f"{name}.{which}.xml"
        file.unlink(missing_ok=True)
        if steps and steps[0] < len(run.get("kept", [])):
            file.write_text(run["kept"][steps[0]].replace("<node", "\n<node"))
    return steps


def translated(apk, out):
    """The translated app, from an earlier run where there is one; and what app.json says of it."""
    digest = hashlib.sha256(apk.read_bytes()).hexdigest()
    folder = out / digest[:16]
    if not (folder / "app.json").is_file():
        done = subprocess.run(["framework/translate", str(apk), str(folder)], capture_output=True, text=True)
        if done.returncode != 0:
            return folder, {"error": done.stderr.strip()[-500:], "seconds": 0}
    return folder, json.loads((folder / "app.json").read_text())


def main():
    options = argparse.ArgumentParser(prog="benches/apks/run")
    options.add_argument("folder", type=Path)
    options.add_argument("--events", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--equal", type=int, default=60)
    options.add_argument("--out", type=Path, default=Path("target/apks"))
    options.add_argument("--only", action="append")
    options.add_argument("--minutes", type=float, help="instead of a number of events; prints the memory meanwhile")
    options = options.parse_args()
    apks = sorted(options.folder.glob("*.apk"))
    if options.only:
        apks = [apk for apk in apks if apk.stem in options.only]
    if not apks:
        sys.exit(f"benches/apks/run: {options.folder}: no *.apk")
    options.out.mkdir(parents=True, exist_ok=True)
    report = {}
    print("| app | version | target | translated, s | first dump, s | of the processor | steps | steps/s "
          "| ms of the processor a step | crashes, whose | MB at first | MB at last | equal dumps |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|", flush=True)
    for apk in apks:
        folder, about = translated(apk, options.out)
        if "error" in about:
            print(f"| {apk.stem} | | | | no: {about['error']} | | | | | | | | |", flush=True)
            report[apk.stem] = about
            continue
        log = options.out / f"{apk.stem}.log"
        seen = run(folder, options.events, options.seed, log, minutes=options.minutes, keep=options.equal)
        first = seen["events"][: options.equal]
        again = {}
        if first and options.equal:
            log = options.out / f"{apk.stem}.again.log"
            again = run(folder, len(first), options.seed, log, replay=first, keep=options.equal)
        differ = differing(apk.stem, options.out, seen, again)
        print(row(apk.stem, about, seen, differ, options.equal), flush=True)
        if options.minutes:
            for seconds, step, megabytes in seen["curve"]:
                print(f"{apk.stem}: {seconds} s, {step} steps, {megabytes} MB", file=sys.stderr)
        seen["again"] = again.get("dumps", [])
        seen["differ"] = differ
        del seen["kept"]
        report[apk.stem] = seen
        (options.out / "report.json").write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
