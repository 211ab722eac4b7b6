"""What goes through a NATS server, by kind: `wiretap.py HOST PORT`. Prints one JSON object when it is terminated.

For each kind of request: how many, and the bytes of requests and replies as payloads; and the rest by its subject: signs of
life, leases, what JetStream is asked. Without libzstd, the kinds of long requests are not told apart.
"""

import collections
import ctypes
import ctypes.util
import json
import pathlib
import signal
import socket
import struct
import sys


def library():
    name = ctypes.util.find_library("zstd")
    if not name:
        return None
    zstd = ctypes.CDLL(name)
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    zstd.ZSTD_createDCtx.restype = ctypes.c_void_p
    zstd.ZSTD_decompressDCtx.restype = ctypes.c_size_t
    return zstd


ZSTD = library()
CONTEXT = ctypes.c_void_p(ZSTD.ZSTD_createDCtx()) if ZSTD else None
# What requests are packed against.
SAMPLE = (pathlib.Path(__file__).parents[2] / "src/device/remote/sample.json").read_bytes()


def unpacked(body):
    """The JSON of a body, or None where it cannot be read."""
    flag, rest = body[:1], body[1:]
    if flag == b"\1" and ZSTD:
        rest = rest[1:]
        length = ctypes.c_size_t(len(rest))
        size = ZSTD.ZSTD_getFrameContentSize(rest, length)
        if size > 1 << 26:
            return None
        room = ctypes.create_string_buffer(int(size) or 1)
        ZSTD.ZSTD_DCtx_refPrefix(CONTEXT, SAMPLE, ctypes.c_size_t(len(SAMPLE)))
        done = ZSTD.ZSTD_decompressDCtx(CONTEXT, room, ctypes.c_size_t(size), rest, length)
        rest = room.raw[:done] if done <= size else b""
    elif flag != b"\0":
        return None
    if len(rest) < 4:
        return None
    (length,) = struct.unpack_from("<I", rest)
    try:
        return json.loads(rest[4 : 4 + length])
    except ValueError:
        return None


def kind_of(body):
    value = unpacked(body)
    ask = value.get("ask") if isinstance(value, dict) else None
    return next(iter(ask)) if isinstance(ask, dict) else ask or "unknown"


class Tally:
    def __init__(self):
        self.kinds = collections.defaultdict(lambda: [0, 0, 0])
        self.rest = collections.defaultdict(lambda: [0, 0])
        self.open = {}

    def take(self, subject, payload):
        if payload[:4] != b"DMXN" or len(payload) < 31:
            head = subject.rsplit(".", 1)[0] if subject.startswith(("$KV", "droidmux")) else subject
            head = "droidmux.inbox" if head.startswith("droidmux.inbox") else head
            head = "droidmux.reply, nobody" if head.startswith("droidmux.reply") else head
            self.rest[head][0] += 1
            self.rest[head][1] += len(payload)
            return
        kind, name = payload[6], payload[7:23]
        if kind == 0:
            known = self.open.setdefault(name, kind_of(payload[31:]))
            self.kinds[known][0] += 1
            self.kinds[known][1] += len(payload)
        else:
            self.kinds[self.open.get(name, "unknown")][2] += len(payload)

    def told(self):
        kinds = {
            kind: {"count": count, "request": round(asked / max(count, 1)), "reply": round(told / max(count, 1))}
            for kind, (count, asked, told) in sorted(self.kinds.items(), key=lambda item: -sum(item[1][1:]))
        }
        rest = {
            subject: {"count": count, "bytes": round(size / max(count, 1))}
            for subject, (count, size) in sorted(self.rest.items(), key=lambda item: -item[1][1])
        }
        return {"requests": kinds, "rest": rest}


def main():
    tally = Tally()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(print(json.dumps(tally.told()), flush=True)))
    link = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    stream = link.makefile("rb")
    link.sendall(b'CONNECT {"verbose":false,"headers":true}\r\nSUB > 1\r\n')
    while line := stream.readline():
        words = line.decode("utf-8", "replace").split()
        if not words:
            continue
        if words[0] == "PING":
            link.sendall(b"PONG\r\n")
        elif words[0] == "MSG":
            tally.take(words[1], stream.read(int(words[-1]) + 2)[:-2])
        elif words[0] == "HMSG":
            tally.take(words[1], stream.read(int(words[-1]) + 2)[int(words[-2]) : -2])


main()
