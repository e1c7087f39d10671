# What the end-to-end tests share; each `run` begins with `. "$SOURCE/tests/e2e/lib.sh"`. A test runs in an empty folder of its
# own and fails with the first command that fails.
# shellcheck shell=bash
set -euo pipefail

# A test can be run by hand, too: SOURCE=$PWD tests/e2e/NAME/run
export SOURCE BUILD=${BUILD:-$SOURCE/build}
export FATHOM=${FATHOM:-$BUILD/bin/fathom}
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
trace=$PWD/trace.fathom

# Tests record to the same name again and again.
export FATHOM_REPLACE=1

. "$SOURCE/tests/mpi.sh"

fail() {
    echo "FAILED: $*"
    exit 1
}

# ... | contains [OPTION of grep ...] PATTERN: is it in there? All is read: `grep -q` leaves at the first match, and who writes on is ended
# by SIGPIPE then, which `pipefail` takes for a failure.
contains() {
    local text
    text=$(cat)
    grep -q "$@" <<<"$text"
}

# need COMMAND...: the test is skipped where one is missing.
need() {
    local command
    for command; do
        command -v "$command" >/dev/null || { echo "skipped: no $command"; exit 77; }
    done
}

# The system's own Python: wrappers that choose between versions are slow, and programs of their own when traced.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
need $python

# compile NAME [FLAG...]: NAME.c of the test's folder to ./NAME.
compile() {
    need cc
    cc -std=gnu17 -O1 -g -Wall -o "$1" "$here/$1.c" "${@:2}"
}

# record [OPTION...] -- COMMAND...: writes $trace; the status is the command's.
record() {
    "$FATHOM" record --quiet -o "$trace" "$@"
}

# run_in_work NAME COMMAND...: runs in a fresh folder `work`, a copy of `input` if there is one; keeps NAME.out, NAME.err,
# NAME.status and the folder as NAME.
run_in_work() {
    local name=$1 status=0
    shift
    rm -rf work "$name"
    if [ -d input ]; then cp -a input work; else mkdir work; fi
    # In a shell of its own, so that what it says of a killed command stays out of the command's output; without descriptor 3,
    # so that the first file that the command opens gets it.
    (cd work && exec 3>&- && "$@" >"../$name.out" 2>"../$name.err" </dev/null) 2>/dev/null || status=$?
    echo $status >"$name.status"
    mv work "$name"
}

# mask NAME: a test may have its own, which takes out of NAME.out and NAME.err what differs by nature. NAME is plain or traced.
mask() { :; }

# untraced_equals COMMAND...: runs the command alone and under `fathom record`, which must make no difference to what it
# prints, its status and the files it leaves. The trace is in $trace.
untraced_equals() {
    local part
    run_in_work plain "$@"
    run_in_work traced "$FATHOM" record --quiet -o "$trace" -- "$@"
    mask plain
    mask traced
    for part in out err status; do
        diff "plain.$part" "traced.$part" || fail "$part differs: $*"
    done
    diff -r plain traced || fail "the files differ: $*"
    [ -s "$trace" ] || fail "no trace of: $*"
}

# eventually COMMAND...: succeeds once of three times; for what is so only if the system lets processes run when they want to.
eventually() {
    local try
    for try in 1 2 3; do
        "$@" && return
        echo "try $try: $*"
    done
    fail "three times: $*"
}

# python_check SCRIPT [ARGUMENT...]: SCRIPT of the test's folder looks at $trace with the functions of lib.py.
python_check() {
    PYTHONPATH=$SOURCE/tests/e2e TRACE=$trace PYTHONDONTWRITEBYTECODE=1 $python "$here/$1" "${@:2}"
}

# expression EXPRESSION: prints the value of a Python expression over lib.py's functions.
expression() {
    PYTHONPATH=$SOURCE/tests/e2e TRACE=$trace PYTHONDONTWRITEBYTECODE=1 $python -c '
import sys
from lib import *
print(eval(sys.argv[1]))' "$1"
}

# holds EXPRESSION: such an expression is true.
holds() {
    local value
    value=$(expression "bool($1)")
    [ "$value" = True ] || fail "$1"
}

# one_error_line STATUS COMMAND...: the command says one line on its standard error and ends with this status.
one_error_line() {
    local wanted=$1 status=0
    shift
    timeout 20 "$@" >said.out 2>said.err </dev/null || status=$?
    [ "$status" = "$wanted" ] || { cat said.err; fail "status $status, not $wanted: $*"; }
    [ "$(wc -l <said.err)" = 1 ] || { cat said.err; fail "not one line on standard error: $*"; }
}
