# What the tests of `fathom proxy` share, behind tests/e2e/lib.sh; `here` is the folder of this file.
# shellcheck shell=bash
export FATHOM
checked=0

# in_folder FOLDER COMMAND...: records into FOLDER.fathom what the command does in the folder.
in_folder() {
    local folder=$1
    shift
    mkdir -p "$folder"
    (cd "$folder" && "$FATHOM" record --quiet -o "../$folder.fathom" -- "$@" >/dev/null)
}

# write_proxy NAME [OPTION...]: NAME.fathom becomes the folder NAME_proxy.
write_proxy() {
    rm -rf "$1_proxy"
    "$FATHOM" proxy --json "$1.fathom" -o "$1_proxy" "${@:2}" >said || { cat said; fail "no proxy of $1"; }
}

# same NAME LAUNCHER COMPILER...: the proxy of NAME.fathom does the same.
same() {
    local name=$1 launcher=$2
    shift 2
    "$@" -std=gnu11 -O1 -Wall -Wextra -Werror -o "${name}_proxy/proxy" "${name}_proxy/proxy.c" $libraries || fail "the proxy of $name does not compile"
    rm -rf again
    mkdir again
    if [ -e "${name}_proxy/prepare.sh" ]; then (cd again && "../${name}_proxy/prepare.sh"); fi
    # shellcheck disable=SC2086
    in_folder again $launcher "../${name}_proxy/proxy"
    $python "$here/same.py" $options "$name.fathom" again.fathom || fail "the proxy of $name does something else"
    checked=$((checked + 1))
}

# fails NAME FILE MESSAGE: where a folder is in the place of FILE, the proxy of NAME says so.
fails() {
    rm -rf wrong
    mkdir -p "wrong/$2"
    ! (cd wrong && timeout 60 "../$1_proxy/proxy" >said 2>&1) || fail "the proxy of $1 ends well without $2"
    grep -q "^line [0-9]*: .*\($3\)" wrong/said || fail "the proxy of $1 does not say why $2 is wrong: $(cat wrong/said)"
}

# short NAME: a hundred lines and three for each statement, at most.
short() {
    local lines statements
    lines=$(wc -l <"$1_proxy/proxy.c")
    statements=$($python -c 'import json, sys; print(json.load(open("said"))["statements"])')
    [ "$lines" -le $((100 + 3 * statements)) ] || fail "$1: $lines lines for $statements statements"
}

libraries="" options=""

# in_mpi NAME RANKS ARGUMENT [FLAG...]: a program of this folder, compiled with these flags.
in_mpi() {
    local name=$1 ranks=$2 argument=$3
    shift 3
    mpicc.openmpi -std=gnu17 -O1 -g -Wall -o "$name" "$here/$name.c" "$@" 2>errors || return 0
    in_folder "${name}_run" mpirun.openmpi -n "$ranks" "../$name" "$argument"
    write_proxy "${name}_run" --compute none
    libraries="$*" same "${name}_run" "mpirun.openmpi -n $ranks" mpicc.openmpi
    short "${name}_run"
}

# with_ranks NAME RANKS ARGUMENT: the proxy of NAME_run, whose run had other ranks, does what the program does with so many.
with_ranks() {
    [ -e "$1_run_proxy/proxy" ] || return 0
    rm -rf "$1_more" again
    in_folder "$1_more" mpirun.openmpi -n "$2" "../$1" "$3"
    in_folder again mpirun.openmpi -n "$2" "../$1_run_proxy/proxy"
    $python "$here/same.py" $options "$1_more.fathom" again.fathom || fail "the proxy of $1 does something else with $2 ranks"
}
