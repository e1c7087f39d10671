# What tests of `fathom generate --from` share: a recorded program becomes a template, and that a program which writes the same bytes. To be sourced
# behind tests/e2e/lib.sh and tests/e2e/generate/lib.sh.
# shellcheck shell=bash
# By its rank and by the place in its part, as writers.c does.
fill_by_place() {
    sed -i "s/^    memset(part, 'a' + rank % 26, bytes);/    for (size_t i = 0; i < bytes; i++)\n        ((char *)part)[i] = (char)('a' + ((size_t)rank * 7 + i) % 26);/" "$1"
}

# propose NAME RANKS COMMAND...: runs it in run.NAME, recorded, and proposes NAME.in.c.
propose() {
    local name=$1 ranks=$2
    shift 2
    rm -rf "run.$name"
    mkdir "run.$name"
    [ ! -d "input.$name" ] || cp "input.$name"/* "run.$name"
    (cd "run.$name" && record -- mpirun.openmpi -n "$ranks" "$@" >said 2>&1 && rm said) || { cat "run.$name/said"; fail "$name cannot be recorded"; }
    "$FATHOM" generate --from "$trace" --explain --force -o "$name.in.c" >"$name.said" 2>&1
}

# regenerate NAME RANKS [FLAG...]: what is generated from NAME.in.c, run in made.NAME.
regenerate() {
    local name=$1 ranks=$2
    shift 2
    "$FATHOM" generate "$name.in.c" --force -o "$name.c" || { cat "$name.in.c"; fail "the template of $name is refused"; }
    mpicc.openmpi -std=gnu17 -O1 -Wall -Wextra -Werror -o "made.$name.x" "$name.c" "$@" || fail "$name does not compile without a warning"
    rm -rf "made.$name"
    mkdir "made.$name"
    [ ! -d "input.$name" ] || cp "input.$name"/* "made.$name"
    (cd "made.$name" && timeout 60 mpirun.openmpi -n "$ranks" "../made.$name.x") || fail "what is generated for $name fails"
}

# same_file NAME FILE
same_file() {
    cmp "run.$1/$2" "made.$1/$2" || { cat "$1.in.c"; fail "$1: other bytes"; }
    checked=$((checked + 1))
}

# To ./writers.
compile_writers() {
    mpicc.openmpi -std=gnu17 -O1 -Wall -o writers "$SOURCE/tests/e2e/generate_from/writers.c"
}

findings=$SOURCE/examples/findings
# bad NAME FILE [LINE OF sed]
bad() {
    sed "${3-}" "$findings/$1.c" >"bad_$1.c"
    mpicc.openmpi -O1 -o "bad_$1" "bad_$1.c"
    propose "bad_$1" 4 "$PWD/bad_$1" bad || { cat "bad_$1.said"; fail "$1 implies no array"; }
    regenerate "bad_$1" 4
    same_file "bad_$1" "$2"
}
