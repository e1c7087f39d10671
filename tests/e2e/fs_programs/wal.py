"""wal.py BASE: a base of SQLite with a log that is written ahead, whose index processes map: three write at once, and readers have the base open."""
import os
import sqlite3
import sys

base, writers, each = sys.argv[1], 3, 15


def connect():
    return sqlite3.connect(base, timeout=60, isolation_level=None)


one = connect()
assert one.execute("pragma journal_mode=wal").fetchone()[0] == "wal"
one.execute("create table t(who, n)")
one.close()
children = []
for who in range(writers):
    child = os.fork()
    if not child:
        here, reader, last = connect(), connect(), 0
        for n in range(each):
            here.execute("begin immediate")
            here.execute("insert into t values(?, ?)", (who, n))
            here.execute("commit")
            now = reader.execute("select count(*) from t").fetchone()[0]
            assert now >= last + (n > 0), (now, last)
            last = now
        here.close()
        os._exit(0)
    children.append(child)
assert [os.waitpid(child, 0)[1] for child in children] == [0] * writers
one = connect()
assert one.execute("select count(*), sum(n) from t").fetchone() == (writers * each, writers * each * (each - 1) // 2)
assert one.execute("pragma integrity_check").fetchone()[0] == "ok"
