"""Connections to the port of a server that are none of another server of the instance: strange_servers.py ADDRESS PORT; and with `version` behind
them, a server of another version, which listens there until it is ended."""
import errno
import os
import socket
import struct
import sys
import time

address, port = sys.argv[1], int(sys.argv[2])


def rest(made):
    """What comes until the other side closes, behind its greeting."""
    text = b""
    while piece := made.recv(1000):
        text += piece
    return text[len(hello):]


def frame(data):
    return struct.pack("<I", len(data)) + data


if sys.argv[3:] == ["version"]:
    with socket.create_server((address, port)) as listening:
        print("listens", flush=True)
        while True:
            made, _ = listening.accept()
            made.sendall(frame(b"fathom fs\0" + bytes([99]) + os.urandom(32)))
            made.recv(1000)
            made.close()

made = [socket.create_connection((address, port)) for _ in range(30)]
hello = made[0].recv(1000)
assert hello[4:14] == b"fathom fs\0" and len(hello) == 4 + 10 + 1 + 32, hello
made[0].sendall(os.urandom(2000))
made[1].sendall(struct.pack("<I", 1 << 31))
made[2].sendall(frame(hello[14:15] + os.urandom(32 + 32 + 24)))  # a proof without the secret
assert rest(made[2]) == frame(bytes([errno.EACCES]) + hello[14:15])
made[3].sendall(frame(bytes([98]) + os.urandom(88)))  # another version
assert rest(made[3]) == frame(bytes([errno.EPROTO]) + hello[14:15])
made[4].sendall(b"\5")
for one in made[:2]:
    one.settimeout(10)
    try:
        while one.recv(1000):
            pass
    except ConnectionResetError:
        pass
print("asked", flush=True)
time.sleep(1000)
