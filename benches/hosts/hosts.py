"""One session over hosts in network namespaces, measured.

A bridge joins the namespaces: `nats` with the server, `lab`, and one for each host with its own simulated phones. The wires of
lab and hosts delay and lose packets each way, by `tc netem` or, in kernels without it, by slow_wire.py: a round trip between
lab and host goes over two of them, there and back.

What is measured, in a window of the session when all phones are at work: events a second, bytes on the lab's wire for each
event, processor time of the lab and of the hosts for each event (that of the simulated phones is told apart), and bytes that
the store grows by for each event. `--scale` compares one host with several, goes on to more phones, and computes what 1,000
phones need. `--tap` tells what the bytes are, by kind of request.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

DROIDMUX = os.environ["DROIDMUX"]
NATS = shutil.which("nats-server") or "/usr/sbin/nats-server"
TICK = os.sysconf("SC_CLK_TCK")

SESSION = """technique = "{technique}"
app = "org.droidmux.notes"
[lab]
kind = "{kind}"
{lab}
[run]
max-events = 1000000
time = {time}
grace = {grace}
screens = "{screens}"
window = {window}
[genie]
episode-events = {test}
"""

# Of the time of a session, the last tenth is for what was found: no test begins.
LAST = 0.9
# Events of a test, and seconds within which it ends: a test that is cut is not printed.
TEST = 15
TEST_TAKES = 45
NIGHT = 10 * 3600


def sh(line):
    subprocess.run(line, shell=True, check=True)


def has_netem():
    """Whether this kernel has it."""
    sh("ip link add dmxtest type veth peer name dmxtesu")
    try:
        line = "tc qdisc add dev dmxtest root netem delay 1ms"
        return subprocess.run(line, shell=True, stderr=subprocess.DEVNULL).returncode == 0
    finally:
        sh("ip link del dmxtest")


# For `ethtool -K` without ethtool: what is taken up and sent again must be whole, with its checksums.
PLAIN = """
import fcntl, socket, struct, array
sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for command in (0x17, 0x1f, 0x24, 0x2c):
    value = array.array("B", struct.pack("II", command, 0))
    request = struct.pack("16sP", b"eth0", value.buffer_info()[0])
    try:
        fcntl.ioctl(sock, 0x8946, request)
    except OSError:
        pass
"""


class Net:
    """A bridge and the namespaces at it."""

    def __init__(self, names):
        self.names = names
        self.wires = []
        self.netem = has_netem()
        self.clear()
        sh("ip link add dmxbr type bridge && ip link set dmxbr up")
        for number, name in enumerate(names, 1):
            space = f"dmx-{name}"
            sh(f"ip netns add {space}")
            sh(f"ip link add dmxv{number} type veth peer name eth0 netns {space}")
            sh(f"ip link set dmxv{number} master dmxbr up")
            sh(f"ip netns exec {space} ip addr add 10.77.0.{number}/24 dev eth0")
            sh(f"ip netns exec {space} ip link set eth0 up && ip netns exec {space} ip link set lo up")

    def address(self, name):
        return f"10.77.0.{self.names.index(name) + 1}"

    def shape(self, delay, loss):
        """Delay and loss of everything that leaves a host or the lab."""
        if not delay and not loss:
            return
        for name in self.names if not self.netem else []:
            subprocess.run(["ip", "netns", "exec", f"dmx-{name}", sys.executable, "-c", PLAIN], check=True)
        for number, name in enumerate(self.names, 1):
            if name == "nats":
                continue
            if self.netem:
                limits = f"netem delay {delay}ms loss {loss}% limit 10000"
                sh(f"ip netns exec dmx-{name} tc qdisc add dev eth0 root {limits}")
                sh(f"tc qdisc add dev dmxv{number} root {limits}")
                continue
            sh(f"ip link set dmxv{number} nomaster")
            sh(f"ip link add dmxw{number} type veth peer name dmxx{number}")
            sh(f"ip link set dmxx{number} master dmxbr up && ip link set dmxw{number} up")
            wire = [sys.executable, os.path.join(os.path.dirname(__file__), "slow_wire.py")]
            ends = [f"dmxv{number}", f"dmxw{number}", str(delay), str(loss), str(number)]
            self.wires.append(subprocess.Popen([*wire, *ends]))

    def bytes(self, name):
        read = lambda way: int(
            subprocess.check_output(
                f"ip netns exec dmx-{name} cat /sys/class/net/eth0/statistics/{way}_bytes", shell=True
            )
        )
        return read("rx") + read("tx")

    def start(self, name, words, **more):
        return subprocess.Popen(["ip", "netns", "exec", f"dmx-{name}", *words], **more)

    def clear(self):
        for wire in self.wires:
            wire.kill()
            wire.wait()
        for name in self.names:
            sh(f"ip netns del dmx-{name} 2>/dev/null || true")
        for number in range(1, len(self.names) + 1):
            sh(f"ip link del dmxv{number} 2>/dev/null || true")
            sh(f"ip link del dmxw{number} 2>/dev/null || true")
        sh("ip link del dmxbr 2>/dev/null || true")


@dataclass
class Row:
    """One arrangement; `hosts` is 0 for plain ADB."""

    name: str
    phones: int
    hosts: int
    delay: float = 0
    loss: float = 0
    screens: str = "never"


@dataclass
class Reading:
    """What has been used so far."""

    at: float
    clock_ms: float
    wire: int
    lab: float
    hosts: float
    phones: float
    store: int


def processor(process):
    """Seconds of user and system time so far."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def size(folder):
    """Bytes on the disk below a folder."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                pass
    return total


class Night:
    """A session in an arrangement, under way."""

    def __init__(self, row, arguments):
        self.row, self.arguments = row, arguments
        # Many phones take longer to be leased and prepared.
        self.warm = arguments.warm + row.phones // 8
        self.names = [f"host{number}" for number in range(1, max(row.hosts, 1) + 1)]
        self.net = Net(["nats", "lab", *self.names])
        self.folder = tempfile.mkdtemp(prefix="dmx-hosts-")
        kept = {name: self.folder for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
        self.environment = {**os.environ, **kept}
        words = open(f"{self.folder}/words", "a")
        self.quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": words}
        self.running, self.offered, self.phones, self.tap = [], [], [], None

    def start(self, place, words, **more):
        process = self.net.start(place, words, env=self.environment, **{**self.quiet, **more})
        self.running.append(process)
        return process

    def begin(self):
        row, nats = self.row, self.net.address("nats")
        self.net.shape(row.delay, row.loss)
        self.start("nats", [NATS, "-a", "0.0.0.0", "-p", "4222", "-js", "-sd", f"{self.folder}/nats"])
        url = f"nats://{nats}:4222"
        places = self.names if row.hosts else ["lab"]
        for number, place in enumerate(places):
            count = row.phones // len(places) + (number < row.phones % len(places))
            sim = [DROIDMUX, "sim", "--devices", str(count), "--port", "5037", "--no-adbd", "--steady"]
            self.phones.append(self.start(place, [*sim, "--latency", self.arguments.latency]))
        time.sleep(2)
        for host in self.names if row.hosts else []:
            self.offered.append(self.start(host, [DROIDMUX, "host", "--nats", url, "--name", host]))
        if self.arguments.tap and row.hosts:
            tap = [sys.executable, os.path.join(os.path.dirname(__file__), "wiretap.py"), nats, "4222"]
            self.tap = self.start("nats", tap, stdout=subprocess.PIPE)
        time.sleep(4)
        text = SESSION.format(
            technique=self.arguments.technique,
            kind="hosts" if row.hosts else "adb",
            lab=f'nats = "{url}"' if row.hosts else "",
            time=round((self.warm + self.arguments.seconds + TEST_TAKES) / LAST),
            grace=2 * TEST_TAKES,
            test=TEST,
            screens=row.screens,
            window=max(8, min(1000, 2 * row.phones)),
        )
        with open(f"{self.folder}/session.toml", "w") as file:
            file.write(text)
        store = ["--store", f"{self.folder}/store", "--seed", "7", "--json"]
        lines = open(f"{self.folder}/lines", "w")
        return self.start("lab", [DROIDMUX, "run", f"{self.folder}/session.toml", *store], stdout=lines)

    def read(self, session):
        return Reading(
            at=time.monotonic(),
            clock_ms=time.time() * 1000,
            wire=self.net.bytes("lab"),
            lab=processor(session),
            hosts=sum(map(processor, self.offered)),
            phones=sum(map(processor, self.phones)),
            store=size(f"{self.folder}/store"),
        )

    def events(self, first, last):
        """Events between two readings, and on how many phones."""
        count, phones = 0, set()
        with open(f"{self.folder}/lines") as lines:
            for line in lines:
                if '"type":"step"' not in line:
                    continue
                step = json.loads(line)
                if first.clock_ms <= step["t"]["at_ms"] < last.clock_ms:
                    count += 1
                    phones.add(json.dumps(step["device"], sort_keys=True))
        return count, len(phones)

    def words(self):
        with open(f"{self.folder}/words") as words:
            return words.read()[-1000:]

    def end(self):
        for process in reversed(self.running):
            process.terminate()
        for process in reversed(self.running):
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
        self.net.clear()
        shutil.rmtree(self.folder, ignore_errors=True)


def measure(row, arguments):
    night = Night(row, arguments)
    try:
        session = night.begin()
        time.sleep(night.warm)
        first = night.read(session)
        time.sleep(arguments.seconds)
        last = night.read(session)
        try:
            session.wait(arguments.seconds + 600)
        except subprocess.TimeoutExpired:
            session.kill()
        done, at_work = night.events(first, last)
        passed = last.at - first.at
        each = lambda part: (getattr(last, part) - getattr(first, part)) / max(done, 1)
        result = {
            "name": row.name,
            "phones at work": at_work,
            "events/s": round(done / passed, 2),
            "bytes/event": round(each("wire")),
            "lab ms/event": round(each("lab") * 1000, 2),
            "hosts ms/event": round(each("hosts") * 1000, 2),
            "phones ms/event": round(each("phones") * 1000, 2),
            "store bytes/event": round(each("store")),
        }
        if done < row.phones:
            result["words"] = night.words()
        if night.tap:
            night.tap.terminate()
            result["tap"] = {**json.loads(night.tap.communicate(timeout=15)[0]), "events": night.events(
                Reading(0, 0, 0, 0, 0, 0, 0), Reading(0, 1e15, 0, 0, 0, 0, 0)
            )[0]}
        return result
    finally:
        night.end()


def thousand(result, row):
    """What 1,000 phones need that work as quickly as these."""
    rate = 1000 * result["events/s"] / row.phones
    processors = lambda part: round(rate * result[part] / 1000, 1)
    return {
        "name": f"1,000 phones, by {row.name}",
        "events/s": round(rate),
        "processors of the lab": processors("lab ms/event"),
        "processors of all hosts": processors("hosts ms/event"),
        "wire Mbit/s": round(rate * result["bytes/event"] * 8 / 1e6, 1),
        "disk GB a night": round(rate * result["store bytes/event"] * NIGHT / 1e9, 1),
    }


def rows_of(arguments):
    phones, hosts = arguments.phones, arguments.hosts
    if arguments.scale:
        rows = [
            Row(f"{phones} phones, plain ADB", phones, 0),
            Row(f"{phones} phones on one host", phones, 1),
            Row(f"{phones} phones on {hosts} hosts", phones, hosts),
            Row(f"{phones} phones on {hosts} hosts, 1 ms", phones, hosts, 1),
            Row(f"{phones} phones on {hosts} hosts, 50 ms", phones, hosts, 50),
        ]
        if arguments.most > phones:
            rows.append(Row(f"{arguments.most} phones on {hosts} hosts", arguments.most, hosts))
        return rows
    rows = [
        Row("one host, plain ADB", phones, 0),
        Row(f"{hosts} hosts", phones, hosts),
        Row(f"{hosts} hosts, 50 ms, 1 % lost", phones, hosts, 50, 1),
    ]
    if arguments.pictures:
        rows.append(Row(f"{hosts} hosts, with pictures", phones, hosts, screens="changed"))
    return rows


def table(results):
    """For the documentation."""
    heads = [head for head in results[0] if head not in ("tap", "words")]
    print("| " + " | ".join(head if head != "name" else "" for head in heads) + " |")
    print("|---" * len(heads) + "|")
    for result in results:
        print("| " + " | ".join(f"{result[head]:,}" if head != "name" else result[head] for head in heads) + " |")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--phones", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=60, help="of the window that is measured")
    parser.add_argument("--warm", type=int, default=20, help="seconds of the session before it")
    parser.add_argument("--latency", default="typical")
    parser.add_argument("--technique", default="monkey")
    parser.add_argument("--pictures", action="store_true", help="measure with pictures, too")
    parser.add_argument("--scale", action="store_true", help="all phones on one host, on all hosts, more phones")
    parser.add_argument("--most", type=int, default=256, help="phones of the last row of --scale")
    parser.add_argument("--tap", action="store_true", help="tell what the bytes are; takes time itself")
    parser.add_argument("--only", type=int, nargs="*", help="these rows, from 0")
    arguments = parser.parse_args()
    rows = rows_of(arguments)
    rows = [row for number, row in enumerate(rows) if arguments.only is None or number in arguments.only]
    results = []
    for row in rows:
        results.append(measure(row, arguments))
        print(json.dumps(results[-1]), flush=True)
    table(results)
    if arguments.scale:
        table([thousand(result, row) for result, row in zip(results, rows) if row.hosts])


main()
