# A database in each of two ways of writing ahead: tables, an index, transactions, one rolled back, a backup.
#: needs sqlite3
#: package sqlite3
prepare() {
    cat >work.sql <<'SQL'
CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO t SELECT i, 'row ' || i, i * 0.5 FROM n;
CREATE INDEX by_a ON t(a);
BEGIN; UPDATE t SET b = b + 1 WHERE id % 3 = 0; COMMIT;
BEGIN; DELETE FROM t; ROLLBACK;
SELECT count(*), sum(b) FROM t;
SELECT * FROM t WHERE a = 'row 777';
PRAGMA integrity_check;
VACUUM;
.backup copy.db
SQL
}
run() {
    local mode
    for mode in wal delete; do
        (echo "PRAGMA journal_mode=$mode;"; cat work.sql) | sqlite3 "$mode.db"
        mv copy.db "$mode.copy"
    done
    sqlite3 wal.copy .dump | sha256sum
}
