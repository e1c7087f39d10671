# The parallel tests of NetCDF, from its source package, on the distribution's parallel HDF5, with Open MPI.
#: long
#: needs mpicc.openmpi mpirun.openmpi make m4 dpkg-source
#: package libopenmpi-dev openmpi-bin libhdf5-openmpi-dev make m4 dpkg-dev
#: timeout 900
#: mask ^.*([Tt]ime|[Ss]econds|MB/s).*
#: mask ^4\t[0-9.]+\t[0-9.e+]+$
# HDF5 writes the time into its files; what is in them is checked by the tests.
#: ignore \.(nc|h5)$
tests='tst_mpi_parallel tst_parallel tst_parallel3 tst_parallel4 tst_parallel5 tst_parallel_zlib tst_parallel_compress'
hdf5=/usr/include/hdf5/openmpi
prepare() {
    local from name built=$PACKAGES/netcdf-tests
    if [ ! -e "$built/finished" ]; then
        [ -d $hdf5 ] || leave_out "no parallel HDF5 (package libhdf5-openmpi-dev)"
        from=$(source_of netcdf)
        mkdir -p "$built"
        cd "$built"
        "$from/configure" --enable-parallel-tests --disable-dap --disable-byterange --disable-nczarr --disable-shared --disable-utilities \
            --disable-examples CC=mpicc.openmpi CPPFLAGS=-I$hdf5 LDFLAGS="-L$(dirname "$(find /usr/lib -path '*hdf5/openmpi/libhdf5.so')")"
        make -j2
        # shellcheck disable=SC2086
        make -C nc_test4 $tests
        touch finished
        cd - >/dev/null
    fi
    for name in $tests; do cp "$built/nc_test4/$name" .; done
}
run() {
    local name
    for name in $tests; do
        mpirun.openmpi -n 4 "$rank" "./$name" || echo "status $?"
        cat rank.*
    done
}
