"""The file that both nodes have is two files in each table of the report."""

from lib import *
tables = json.loads(fathom("report", "--all", "--json", os.environ["TRACE"]))["tables"]
for table, name in [("file_rates", "name")] + [(table, "path") for table in ("patterns", "reuse", "sizes", "alignment", "order", "files_by_role")]:
    hosts = {row["host"] for row in tables[table]["rows"] if row[name] == os.getcwd() + "/both"}
    expect_equal(hosts, {"second", os.uname().nodename}, f"hosts of the file in {table}")
path = json.loads(fathom("path", "--json", os.environ["TRACE"]))["tables"]["critical_files"]["rows"]
own = [row for row in path if row["path"].startswith(os.getcwd() + "/")]
expect(own and all(row["host"] in ("second", os.uname().nodename) for row in own), f"files of the critical path: {path}")
