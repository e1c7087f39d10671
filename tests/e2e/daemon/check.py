from lib import *

how = os.environ["HOW"]
processes = info()["processes"]
expect_equal([process["how_ended"] for process in processes], ["exit 0", "exit 3"], f"{how}: how they ended")
expect_equal(processes[1]["parent_proc"], 0, f"{how}: the daemon comes from the program")
expect_equal(info()["blind_spots"], [], f"{how}: blind spots")

# The parent makes the call, and in it the process that goes on.
call, = calls("daemon")
expect_equal([call["proc"], call["ret"], call["args"]["keep_directory"]], [0, 0, int(how == "keep")], f"{how}: the call")
fork, = calls("fork")
expect_equal([fork["proc"], fork["parent"], fork["ret"]], [0, call["id"], processes[1]["pid"]], f"{how}: its fork")
expect_equal([call["proc"] for call in calls("_exit")], [0], f"{how}: who calls _exit")
changed = [call["args"]["path"] for call in calls("chdir", proc=1)]
expect_equal(changed, [] if how == "keep" else ["/"], f"{how}: directories that the daemon changes to")

# What it writes is its own.
written, = [call for call in calls("write", proc=1)]
expect(written["file"].endswith("found"), f"{how}: the daemon writes into {written['file']}")
