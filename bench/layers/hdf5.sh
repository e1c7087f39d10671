# The parallel tests of HDF5, from its source package, with HDF5 as a shared library, so that its calls are seen. They run in their quick mode.
#: needs make dpkg-source
#: package make dpkg-dev
#: timeout 600
#: mask [0-9.]+ ?(seconds|secs|s|msec|MB/s)\b
#: mask ^.*([Ee]lapsed|[Tt]ime).*
#: mask \[\[[0-9]+,[0-9]+\],[0-9]+\]
# HDF5 writes the time into its files; what is in them is checked by the tests.
#: ignore \.(h5|data)$
prepare() {
    local from
    from=$(source_of hdf5)
    "$from/configure" --enable-parallel --disable-static --disable-hl --disable-tools --enable-build-mode=production "CC=mpicc.$MPI"
    make -C src -j2
    make -C test libh5test.la
    # shellcheck disable=SC2046
    make -j2 -C testpar $(sed -n 's/^TEST_PROG_PARA *= *//p' "$from/testpar/Makefile.am") t_pflush1 t_pflush2
    keep src testpar
}
run() {
    export HDF5TestExpress=3
    case $1 in
        t_pshutdown) ranks 4 t_pshutdown && ranks 4 t_prestart ;; # which looks at the file that t_pshutdown leaves
        t_pflush1) ranks 4 t_pflush1 || ranks 4 t_pflush2 ;;      # which looks at what is there when t_pflush1 has died, as it must
        *) ranks 4 "$@" ;;
    esac
}
left_out() {
    echo t_prestart t_pflush2 # run behind another one
}
