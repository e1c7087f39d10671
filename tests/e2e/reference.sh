# Comparing a trace with the reference that the tracer keeps of the same run: every call in full, without compression
# (src/capture/record/reference.h). Sourced after lib.sh.
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
    echo "$*: $(cat compared)"
}

# show_alone FIRST SEEDS OPTIONS COMMAND...: fails, for these programs do; with the first of them that fails alone, and its calls.
show_alone() {
    local first=$1 count=$2 options=$3 seed
    shift 3
    for ((seed = first; seed < first + count; seed++)); do
        # shellcheck disable=SC2086 # several options, or none
        (equals_reference $options -- "$@" "$seed" 1) >alone && continue
        echo "The program of seed $seed fails alone. Its last calls, as the trace has them:"
        "$FATHOM" dump "$trace" | tail -n 20
        cat alone
        first=$seed count=1
        break
    done
    fail "again: OPTIONS='$options' FIRST=$first SEEDS=$count RANK_SEEDS=$count SOURCE=$SOURCE $SOURCE/tests/e2e/reference_programs/run"
}

# equal_reference_in_batches FIRST SEEDS BATCH COMMAND...: the programs of so many seeds, a batch of them with each run of the command.
# Some batches are recorded in another way; OPTIONS chooses one.
equal_reference_in_batches() {
    local first=$1 end=$(($1 + $2)) batch=$3 count options
    shift 3
    for (( ; first < end; first += batch)); do
        count=$((batch < end - first ? batch : end - first))
        case $((first / batch % 8)) in
        3) options="--min-bytes=100" ;;
        5) options="--min-duration=2us --time=1ns" ;;
        7) options="--layers=posix,mpiio --time=10us" ;;
        *) options="" ;;
        esac
        options=${OPTIONS-$options}
        # shellcheck disable=SC2086 # several options, or none
        (equals_reference $options -- "$@" "$first" "$count") || show_alone "$first" "$count" "$options" "$@"
    done
}

# named_programs_equal_reference: small programs, each of one thing. Of one that fails its calls and its source are shown.
named_programs_equal_reference() {
    local source=$SOURCE/tests/e2e/reference_programs/named.c name
    cc -std=gnu17 -O1 -g -Wall -o named "$source" -pthread
    [ "$(./named | wc -l)" -gt 10 ] || fail "there are no named programs"
    for name in $(./named); do
        (equals_reference --time=1ns -- "$PWD/named" "$name") && continue
        "$FATHOM" dump "$trace" | tail -n 20
        sed -n "/^static void $name(/,/^}/p" "$source"
        fail "the program $name"
    done
}

# random_programs_equal_reference FIRST SEEDS BATCH: programs that are threads, forked children or new images.
random_programs_equal_reference() {
    cc -std=gnu17 -O1 -g -Wall -o many "$SOURCE/tests/e2e/reference_programs/many.c" \
        "$SOURCE"/tests/e2e/random_programs/{calls,loops}.c -pthread
    equal_reference_in_batches "$1" "$2" "$3" "$PWD/many"
}

# random_ranks_equal_reference FIRST SEEDS: the same for programs of several ranks, with whatever MPI is there.
random_ranks_equal_reference() {
    local flavour ranks=3
    for flavour in openmpi mpich; do
        if command -v "mpicc.$flavour" "mpirun.$flavour" >/dev/null; then
            "mpicc.$flavour" -std=gnu17 -O1 -g -o "ranks_$flavour" "$SOURCE/tests/e2e/reference_programs/ranks.c" -pthread 2>warnings
            equal_reference_in_batches "$1" "$2" 50 "mpirun.$flavour" -n $ranks "$PWD/ranks_$flavour"
        fi
        ranks=2
    done
}
