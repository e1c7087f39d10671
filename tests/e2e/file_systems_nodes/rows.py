"""The file that both nodes have is two files in each table of the report."""

from lib import *
tables = json.loads(fathom("report", "--all", "--json", os.environ["TRACE"]))["tables"]
for table, name in [("file_rates", "name")] + [(table, "path") for table in ("patterns", "reuse", "sizes", "alignment", "order", "files_by_role")]:
    hosts = {row["host"] for row in tables[table]["rows"] if row[name] == os.getcwd() + "/both"}
    expect_equal(hosts, {"second", os.uname().nodename}, f"hosts of the file in {table}")
