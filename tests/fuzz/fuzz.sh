# Builds a fuzz target with clang, libFuzzer and the sanitizers, and runs it on a corpus: fuzz TARGET SECONDS SEED... . To be sourced.
# $more: patterns of other sources that it needs.
set -euo pipefail
source_root=$SOURCE

fuzz() {
    local target=$1 seconds=$2
    shift 2
    local clang=
    for name in clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
        command -v "$name" > /dev/null && clang=$name && break
    done
    [ -n "$clang" ] || { echo "clang is missing: not fuzzed"; exit 77; }
    echo 'int LLVMFuzzerTestOneInput(const char *a, unsigned long b) { return a && b ? 0 : 0; }' > probe.c
    "$clang" -fsanitize=fuzzer,address,undefined probe.c -o probe 2> /dev/null ||
        { echo "clang has no libFuzzer: not fuzzed"; exit 77; }
    # shellcheck disable=SC2046,SC2086
    "$clang" -std=gnu17 -O1 -g -D_GNU_SOURCE '-DFATHOM_VERSION="fuzz"' -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=undefined -I"$source_root/src" -I"$source_root/include" -I"$BUILD/generated" \
        "$source_root/tests/fuzz/${target}_fuzz.c" "$source_root"/src/base/*.c "$source_root"/src/catalog/*.c \
        "$source_root"/src/trace/*.c "$source_root"/src/model/*.c "$source_root"/src/analysis/{around,expression*}.c "$BUILD/generated/catalog_packed.c" \
        ${more:-} \
        $(pkg-config --cflags --libs libzstd) -o "$target"
    mkdir -p corpus
    for seed in "$@"; do cp "$seed" corpus/; done
    "./$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 corpus 2> log ||
        { tail -60 log; exit 1; }
    grep -E "stat::number_of_executed_units|stat::peak_rss" log
}
