"""Delay and loss of whole packets between two interfaces, for kernels without netem.

`slow_wire.py A B DELAY_MS LOSS_PERCENT SEED`: what comes in at A leaves at B, and the other way round, after the delay, or
not at all. Runs until it is killed. Needs root.
"""

import heapq
import random
import select
import socket
import sys
import time

ETH_P_ALL = 3
OUTGOING = 4


def open_at(name):
    sock = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
    sock.bind((name, 0))
    sock.setblocking(False)
    return sock


def main():
    first, second, delay, loss, seed = sys.argv[1:6]
    delay, loss = float(delay) / 1000, float(loss) / 100
    rng = random.Random(int(seed))
    ends = [open_at(first), open_at(second)]
    waiting, number = [], 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, packet = heapq.heappop(waiting)
            try:
                end.send(packet)
            except OSError:
                pass
        left = max(0.0, waiting[0][0] - time.monotonic()) if waiting else 1.0
        for end in select.select(ends, [], [], left)[0]:
            other = ends[1 - ends.index(end)]
            while True:
                try:
                    packet, address = end.recvfrom(65_536)
                except BlockingIOError:
                    break
                except OSError:
                    return
                if address[2] == OUTGOING or rng.random() < loss:
                    continue
                number += 1
                heapq.heappush(waiting, (time.monotonic() + delay, number, other, packet))


main()
