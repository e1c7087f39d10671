# Runs a fuzz target, which tests/fuzz/build has built, on a corpus: fuzz TARGET SECONDS SEED... To be sourced.
export FATHOM_REPLACE=1 # records to the same names again
set -euo pipefail

fuzz() {
    local target=$BUILD/fuzzing/bin/fuzz_$1 seconds=$2
    shift 2
    [ -x "$target" ] || { echo "there is no $target: not fuzzed"; exit 77; }
    mkdir -p corpus
    for seed in "$@"; do cp "$seed" corpus/; done
    "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 corpus 2> log ||
        { tail -60 log; exit 1; }
    grep -E "stat::number_of_executed_units|stat::peak_rss" log
}
