"""The files of a program are safe under POSIX and session consistency."""
import json
import sys

with open(sys.argv[1]) as file:
    verdict = json.load(file)
models = {name: row["verdict"] for name, row in verdict["models"].items()}
assert models["session"] == "safe", models
assert models["posix"] == "safe", models
