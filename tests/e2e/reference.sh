# Comparing a trace with the reference that the tracer keeps of the same run: every call in full, without compression
# (src/capture/reference.h). Sourced after lib.sh.
# shellcheck shell=bash
export FATHOM_REFERENCE=$PWD/reference

# record_with_reference [OPTION...] -- COMMAND...: writes $trace and the reference; the status is the command's.
record_with_reference() {
    rm -rf "$FATHOM_REFERENCE"
    mkdir "$FATHOM_REFERENCE"
    record "$@"
}

# equals_reference [OPTION...] -- COMMAND...: records the command in a fresh folder `work`; its trace has the calls of the reference, no
# more and no less.
equals_reference() {
    rm -rf work
    mkdir work
    (cd work && record_with_reference "$@" >../command.out 2>../command.err </dev/null) ||
        { tail -n 5 command.err; fail "status $?: $*"; }
    "$BUILD/tests/reference_compare" "$trace" "$FATHOM_REFERENCE" >compared || { cat compared; fail "$*"; }
    echo "${*: -1:1}: $(cat compared)"
}

# random_programs_equal_reference FIRST SEEDS BATCH: so many random programs from this seed on, in batches, one process each.
random_programs_equal_reference() {
    local first=$1 end=$(($1 + $2)) count
    [ -x many ] || cc -std=gnu17 -O1 -g -Wall -o many "$SOURCE/tests/e2e/reference_programs/many.c" \
        "$SOURCE"/tests/e2e/random_programs/{calls,loops}.c -pthread
    for (( ; first < end; first += $3)); do
        count=$(($3 < end - first ? $3 : end - first))
        (equals_reference -- "$PWD/many" "$first" "$count") ||
            fail "again: FIRST=$first SEEDS=$count SOURCE=$SOURCE $SOURCE/tests/e2e/reference_programs/run (the thread's first call has the seed)"
    done
}
