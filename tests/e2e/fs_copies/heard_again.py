"""What a server says to the next one that it lives, by another one that has listened in the network: heard_again.py FROM. It listens until `lose` is
there, and says it all again, and changed, until the place where servers meet says that a node is lost. Of the first server of FROM, then of another
one that was started there, as it has heard two beats of each."""
import glob
import os
import socket
import struct
import time

ETH_P_IP, UDP, BEAT, LENGTH = 0x0800, 17, 1, 96
heard = {}  # by the start of a server: beats, and where they go to
with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_IP)) as network:
    network.settimeout(0.05)
    while not os.path.exists("lose"):
        try:
            packet, (_, _, way, _, _) = network.recvfrom(1000)
        except TimeoutError:
            continue
        udp = packet[(packet[0] & 15) * 4:]
        if packet[9] != UDP or way == socket.PACKET_OUTGOING or len(udp) != 8 + LENGTH or struct.unpack_from("<I", udp, 8)[0] != BEAT:
            continue
        start = udp[8 + 16:8 + 24]
        heard.setdefault(start, []).append((udp[8:], (socket.inet_ntoa(packet[16:20]), struct.unpack_from(">H", udp, 2)[0])))
        if sum(len(beats) > 2 for beats in heard.values()) == 1 and len(heard[start]) == 3:
            print("heard", flush=True)

servers = [beats[-3:] for beats in heard.values()]
assert len(servers) == 2 and len({to for beats in servers for _, to in beats}) == 1, servers
until, newer = time.monotonic() + 20, 10 ** 12
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
    while not glob.glob("below/.fathom-fs-*/lost"):
        for beats in zip(*servers):
            for beat, to in beats:
                later = bytearray(beat)
                newer += 1
                later[32:40] = struct.pack("<Q", struct.unpack_from("<Q", beat, 32)[0] + newer)
                for text in (beat, later):
                    made.sendto(text, to)
        assert time.monotonic() < until, "a server that is gone is heard"
        time.sleep(0.02)
