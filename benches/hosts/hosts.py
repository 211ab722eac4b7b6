"""One session over hosts in network namespaces, measured.

A bridge joins the namespaces: `nats` with the server, `lab`, and one for each host with its own simulated phones. The wires of
lab and hosts delay and lose packets each way, by `tc netem` or, in kernels without it, by slow_wire.py: a round trip between
lab and host goes over two of them, there and back. What is measured: events a minute, bytes on the lab's
wire for each event, and processor time of the lab and of the hosts for each event.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

DROIDMUX = os.environ["DROIDMUX"]
NATS = shutil.which("nats-server") or "/usr/sbin/nats-server"
TICK = os.sysconf("SC_CLK_TCK")

SESSION = """technique = "{technique}"
app = "org.droidmux.notes"
[lab]
kind = "{kind}"
{lab}
[run]
max-events = {events}
screens = "{screens}"
window = {window}
"""


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


def processor(process):
    """Seconds of user and system time so far."""
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def measure(arguments, remote, delay, loss, screens):
    hosts = [f"host{number}" for number in range(1, arguments.hosts + 1)]
    net = Net(["nats", "lab", *hosts])
    folder = tempfile.mkdtemp(prefix="dmx-hosts-")
    environment = {**os.environ, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": open(f"{folder}/words", "a")}
    running, offered = [], []
    try:
        net.shape(delay, loss)
        server = net.start("nats", [NATS, "-a", "0.0.0.0", "-p", "4222", "-js", "-sd", f"{folder}/nats"], **quiet)
        running.append(server)
        each = arguments.phones // arguments.hosts
        url = f"nats://{net.address('nats')}:4222"
        places = hosts if remote else ["lab"]
        for place in places:
            count = each if remote else arguments.phones
            sim = [DROIDMUX, "sim", "--devices", str(count), "--port", "5037", "--no-adbd", "--steady"]
            running.append(net.start(place, [*sim, "--latency", arguments.latency], env=environment, **quiet))
        time.sleep(2)
        if remote:
            for host in hosts:
                offer = [DROIDMUX, "host", "--nats", url, "--name", host]
                offered.append(net.start(host, offer, env=environment, **quiet))
        running += offered
        time.sleep(4)
        lab = f'nats = "{url}"' if remote else ""
        kind = "hosts" if remote else "adb"
        text = SESSION.format(
            technique=arguments.technique, kind=kind, lab=lab, events=arguments.events, screens=screens,
            window=max(8, min(64, arguments.phones)),
        )
        with open(f"{folder}/session.toml", "w") as file:
            file.write(text)
        words = [DROIDMUX, "run", f"{folder}/session.toml", "--store", f"{folder}/store", "--seed", "7", "--json"]
        lines = open(f"{folder}/lines", "w")
        session = net.start("lab", words, env=environment, **{**quiet, "stdout": lines})
        running.append(session)
        begun, wire, host_time = time.monotonic(), net.bytes("lab"), sum(map(processor, offered))
        _, status, used = os.wait4(session.pid, 0)
        running.remove(session)
        passed = time.monotonic() - begun
        done = sum(1 for line in open(f"{folder}/lines") if '"type":"step"' in line)
        result = {
            "events": done,
            "events/min": round(done / passed * 60),
            "bytes/event": round((net.bytes("lab") - wire) / max(done, 1)),
            "lab ms/event": round((used.ru_utime + used.ru_stime) * 1000 / max(done, 1), 2),
            "hosts ms/event": round((sum(map(processor, offered)) - host_time) * 1000 / max(done, 1), 2),
        }
        if done < arguments.events / 2:
            result["words"] = open(f"{folder}/words").read()[-1000:]
        return result
    finally:
        for process in reversed(running):
            process.terminate()
        for process in reversed(running):
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
        net.clear()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=8)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--events", type=int, default=2_000)
    parser.add_argument("--latency", default="typical")
    parser.add_argument("--technique", default="monkey")
    parser.add_argument("--pictures", action="store_true", help="measure with pictures, too")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first rows")
    arguments = parser.parse_args()
    rows = [
        ("one host, plain ADB", False, 0, 0, "never"),
        (f"{arguments.hosts} hosts", True, 0, 0, "never"),
        (f"{arguments.hosts} hosts, 50 ms, 1 % lost", True, 50, 1, "never"),
    ]
    if arguments.pictures:
        rows.append((f"{arguments.hosts} hosts, with pictures", True, 0, 0, "changed"))
    for name, remote, delay, loss, screens in rows[arguments.skip :]:
        print(json.dumps({"name": name, **measure(arguments, remote, delay, loss, screens)}), flush=True)


main()
