"""While the server writes a large file to the folder below for one client, another one is answered: two_clients.py INSTANCE SERVER. The requests of both
are there before the server looks; the one to write is looked at first, as its connection is the younger one. Prints the bytes that are not written by
the answer of the other one, and behind that of the first."""
import hashlib
import hmac
import os
import signal
import socket
import struct
import sys

HELLO, STATUS, FLUSH = 1, 10, 11
os.chdir(sys.argv[1])
server = int(sys.argv[2])
with open("secret", "rb") as file:
    secret = file.read()


def message(kind, fields=b""):
    return struct.pack("<I", 1 + len(fields)) + bytes([kind]) + fields


def receive(made):
    length = struct.unpack("<I", made.recv(4, socket.MSG_WAITALL))[0]
    return made.recv(length, socket.MSG_WAITALL)


def connect():
    made = socket.socket(socket.AF_UNIX)
    made.connect("socket")
    first = receive(made)
    version, challenge = first[1:2], first[2:]
    own = os.urandom(32)
    proof = hmac.new(secret, b"client\0\0" + challenge + own, hashlib.sha512).digest()[:32]
    made.send(message(HELLO, version + bytes([0]) + own + proof))
    assert receive(made)[0] == 0
    return made


def take_number(answer):
    number = shift = 0
    while True:
        byte = answer.pop(0)
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number


def unwritten(status):
    answer = bytearray(status[1:])
    for _ in range(13):
        take_number(answer)
    dirty = 0
    for _ in range(take_number(answer)):
        for _ in range(2):
            del answer[: take_number(answer)]
        numbers = [take_number(answer) for _ in range(5)]
        dirty += numbers[2]
    return dirty


looks, writes = connect(), connect()
os.kill(server, signal.SIGSTOP)
writes.send(message(FLUSH, b"\1"))
looks.send(message(STATUS, b"\1"))
os.kill(server, signal.SIGCONT)
meanwhile = unwritten(receive(looks))
assert receive(writes)[0] == 0
looks.send(message(STATUS, b"\2"))
print(meanwhile, unwritten(receive(looks)))
