"""Clients that hold nobody: strange_clients.py INSTANCE: some say nothing, one says nonsense, one proves the secret and asks for long answers that it never
reads. Prints a line when all are there, and stays until it is killed."""
import errno
import hashlib
import hmac
import os
import socket
import struct
import sys
import tempfile
import time

folder = sys.argv[1]
os.chdir(folder)
with open("secret", "rb") as file:
    secret = file.read()


def connect():
    made = socket.socket(socket.AF_UNIX)
    made.connect("socket")
    return made


def message(kind, fields=b""):
    return struct.pack("<I", 1 + len(fields)) + bytes([kind]) + fields


def receive(made):
    length = struct.unpack("<I", made.recv(4, socket.MSG_WAITALL))[0]
    return made.recv(length, socket.MSG_WAITALL)


silent = [connect() for _ in range(50)]
half = connect()
half.send(struct.pack("<I", 200))
nonsense = connect()
nonsense.send(os.urandom(3000))
proved = connect()
first = receive(proved)
version, challenge = first[1:2], first[2:]
own = os.urandom(32)
proof = hmac.new(secret, b"client\0\0" + challenge + own, hashlib.sha512).digest()[:32]
HELLO, DETACH, STATUS, HOLD = 1, 4, 10, 14
proved.send(message(HELLO, version + bytes([0]) + own + proof))
answer = receive(proved)
assert answer[0] == 0
thief = connect()  # says that it had the number of another client
challenge = receive(thief)[2:]
proof = hmac.new(secret, b"client\0\0" + challenge + own, hashlib.sha512).digest()[:32]
thief.send(message(HELLO, version + answer[1:-32] + own + proof))
assert receive(thief)[0] == errno.EBUSY
proved.send(message(DETACH, b"\1" + b"\1f\7\7"))
assert receive(proved)[0] == errno.EBADMSG
under = next(line[6:-1] for line in open("settings") if line.startswith("under "))
with open("known", "rb+") as known, tempfile.TemporaryFile(dir=under) as held:  # the server has it mapped, and puts the file of HOLD into it
    bits = known.read()
    known.truncate(0)
    facts = os.fstat(held.fileno())
    identity = b"inode-%x" % facts.st_ino
    socket.send_fds(proved, [message(HOLD, bytes([2, len(identity)]) + identity)], [held.fileno()])
    assert receive(proved)[0] == 0
    known.seek(0)
    known.write(bits)
proved.setblocking(False)
asked = 0
try:
    while asked < 200000:
        proved.send(message(STATUS, b"\3"))
        asked += 1
except BlockingIOError:
    pass
print("asked", asked, flush=True)
time.sleep(1000)
