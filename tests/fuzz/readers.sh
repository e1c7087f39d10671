# Makes seeds in the folder `seeds` and runs fuzz_readers on them: readers OPTION... To be sourced.
export FATHOM_REPLACE=1 # records to the same names again
set -euo pipefail
[ -x "$BUILD/fuzzing/bin/fuzz_readers" ] || { echo "there is no fuzz_readers: not fuzzed"; exit 77; }
. "$SOURCE/tests/mpi.sh"
. "$SOURCE/tests/fuzz/seeds.sh"
mkdir seeds
(cd seeds && seeds)

# A run that wants more than 2 GB at once is a finding; of who freed what it shows few calls, which is faster.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2000:quarantine_size_mb=16:malloc_context_size=10
export UBSAN_OPTIONS=print_stacktrace=1

readers() {
    "$BUILD/fuzzing/bin/fuzz_readers" "$@" seeds/*.fathom seeds/*.spill seeds/*.sim seeds/*.yaml seeds/*.models seeds/*.where
}
