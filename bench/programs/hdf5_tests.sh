# The parallel tests of HDF5, from its source package, with Open MPI; t_cache, t_cache_image and t_bigio would take hours on two processors.
#: long
#: each t_mpi testphdf5 t_pread t_pshutdown t_init_term t_shapesame t_filters_parallel
#: needs mpicc.openmpi mpirun.openmpi make dpkg-source
#: package libopenmpi-dev openmpi-bin make dpkg-dev
#: timeout 900
#: mask [0-9.]+ ?(seconds|secs|s|msec|MB/s)\b
#: mask ^.*([Ee]lapsed|[Tt]ime).*
# HDF5 writes the time into its files; what is in them is checked by the tests.
#: ignore \.(h5|data)$
prepare() {
    local from built=$PACKAGES/hdf5-tests
    if [ ! -x "$built/testpar/$VARIANT" ]; then
        from=$(source_of hdf5)
        mkdir -p "$built"
        cd "$built"
        "$from/configure" --enable-parallel --disable-shared --disable-hl --disable-tools --enable-build-mode=production CC=mpicc.openmpi
        make -C src -j2
        make -C test libh5test.la
        make -C testpar t_prestart "$VARIANT"
        cd - >/dev/null
    fi
    cp "$built/testpar/t_prestart" "$built/testpar/$VARIANT" .
}
run() {
    HDF5TestExpress=3 mpirun.openmpi -n 3 "$rank" "./$VARIANT"
    # It looks at the file that t_pshutdown leaves.
    [ "$VARIANT" != t_pshutdown ] || mpirun.openmpi -n 3 "$rank" ./t_prestart
}
