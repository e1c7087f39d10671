# Runs a fuzz target, which tests/fuzz/build has built, on a corpus: fuzz TARGET RUNS SEED... To be sourced. How much is tried does not
# depend on the machine; other inputs are tried each time, and the log tells the seed.
export FATHOM_REPLACE=1 # records to the same names again
set -euo pipefail
. "$SOURCE/tests/mpi.sh"

fuzz() {
    local target=$BUILD/fuzzing/bin/fuzz_$1 runs=$2
    shift 2
    [ -x "$target" ] || { echo "there is no $target: not fuzzed"; exit 77; }
    mkdir -p corpus
    for seed in "$@"; do cp "$seed" corpus/; done
    # The weights of entropic schedules take longer than the runs, and do not find more in so few of them.
    "$target" -runs="$runs" -entropic=0 -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 corpus 2> log ||
        { tail -60 log; exit 1; }
    grep -E "stat::number_of_executed_units|stat::peak_rss" log
}
