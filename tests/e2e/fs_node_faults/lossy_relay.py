"""Passes connections on, and loses what servers answer: lossy_relay.py ADDRESS PORT TO_ADDRESS TO_PORT. Lines of standard input: `lose N`, the N-th piece
of answers from now on and all behind it are lost; `cut`, all connections end, and new ones are passed on whole."""
import select
import socket
import sys

listening = socket.create_server((sys.argv[1], int(sys.argv[2])))
target = (sys.argv[3], int(sys.argv[4]))
other, answers = {}, set()  # each socket with the one that it goes to; those of the server
left = None  # pieces of answers that still pass; None: all
print("ready", flush=True)


def end(one):
    for side in (one, other.pop(one)):
        other.pop(side, None)
        answers.discard(side)
        side.close()


while True:
    ready, _, _ = select.select([sys.stdin, listening, *other], [], [])
    for one in ready:
        if one is sys.stdin:
            words = sys.stdin.readline().split()
            if not words:
                sys.exit()
            left = int(words[1]) - 1 if words[0] == "lose" else None
            while words[0] == "cut" and other:
                end(next(iter(other)))
            print(*words, flush=True)
        elif one is listening:
            asks, _ = listening.accept()
            server = socket.create_connection(target)
            other[asks], other[server] = server, asks
            answers.add(server)
        elif one in other:
            try:
                piece = one.recv(65536)
                if piece and one in answers and left is not None:
                    if left <= 0:
                        print("lost", flush=True)
                        continue
                    left -= 1
                if piece:
                    other[one].sendall(piece)
            except OSError:
                piece = b""
            if not piece:
                end(one)
