# Small traces, spill folders and texts for fuzzing the readers, in the current folder: seeds. To be sourced.

# A folder that is left as it was when its program had ended: keep NAME COMMAND...
keep() {
    local name=$1
    shift
    "$FATHOM" record -q --spill "$PWD" --keep-spill -o kept.fathom -- "$@" > /dev/null
    mv fathom-?????? "$name.spill"
    rm -f kept.fathom
}

seeds() {
    local shell='for i in 1 2 3; do echo $i > f.$i; cat f.$i > /dev/null; done; mv f.1 f.0; rm f.*' name how
    "$FATHOM" record -q -o shell.fathom -- sh -c "$shell"
    "$FATHOM" record -q --sample 20ms -o samples.fathom -- sleep 0.3
    "$FATHOM" record -q -o selected.fathom --select 'slowest 1 of posix per 1ms' -- sh -c "$shell"
    for how in mean 10%; do
        name=${how%\%}
        "$FATHOM" record -q -o "shell.$name.fathom" --time $how -- sh -c "$shell"
    done
    keep shell sh -c "$shell"
    cc -std=gnu17 -w -o writers "$SOURCE/tests/e2e/verify/writers.c" -pthread
    for name in together renamed mapped strided; do
        mkdir -p work
        (cd work && "$FATHOM" record -q -o ../$name.fathom -- ../writers $name)
        rm -rf work
    done
    cc -std=gnu17 -w -o pool "$SOURCE/tests/e2e/proxy_threads/pool.c" -pthread
    mkdir work
    (cd work && "$FATHOM" record -q -o ../pool.fathom -- ../pool)
    rm -rf work
    cc -std=gnu17 -w -o positions "$SOURCE/tests/e2e/ranges/posix.c"
    "$FATHOM" record -q -o positions.fathom -- ./positions
    cc -std=gnu17 -w -o streams "$SOURCE/tests/e2e/streams/streams.c"
    "$FATHOM" record -q -o streams.fathom -- ./streams two_regions 100 account
    keep streams ./streams planes 50 account
    cc -std=gnu17 -w -o started "$SOURCE/tests/fuzz/started.c" -pthread
    "$FATHOM" record -q -o started.fathom -- ./started
    keep started ./started
    "$BUILD/bench/scale" polling 2 5 polling.fathom > /dev/null
    "$BUILD/bench/scale" convergence 2 5 convergence.fathom > /dev/null
    if command -v mpicc.openmpi mpirun.openmpi > /dev/null; then
        for name in snapshots blocks; do
            sed -E 's/(STEPS|PIECES|TASKS) = [0-9]+/\1 = 2/' "$SOURCE/examples/findings/$name.c" > $name.c
            mpicc.openmpi -std=gnu17 -w -o program.$name $name.c
            "$FATHOM" record -q --layers mpi,mpiio,stdio -o $name.fathom -- mpirun.openmpi -n 2 ./program.$name bad > /dev/null
        done
        sed 's/200 \* 1000/2000/g' "$SOURCE/tests/e2e/path/waits.c" > waits.c
        mpicc.openmpi -std=gnu17 -w -o waits waits.c
        "$FATHOM" record -q --layers mpi,mpiio -o waits.fathom -- mpirun.openmpi -n 3 ./waits > /dev/null
    fi
    # shellcheck disable=SC2046
    if cc -std=gnu17 -w -o selections "$SOURCE/tests/e2e/proxy/selections.c" $(pkg-config --cflags --libs hdf5-serial 2> /dev/null || echo -lhdf5) 2> /dev/null; then
        "$FATHOM" record -q -o selections.fathom -- ./selections
    fi
    cp "$SOURCE"/examples/sim/{broadcast,halo,pingpong,checkpoint,deadlock}.sim "$SOURCE/clusters/pvs.yaml" .
    cp "$SOURCE/models/builtin.models" builtin.models
    echo "layer == posix and (bytes < 4K or offset % 512 != 0) and path ~ '*f.*' and not failed" > one.where
    echo "rank in (0..3, 8) and arg.whence == SEEK_END and start + duration * 2 > 1.5min / 3" > two.where
}
