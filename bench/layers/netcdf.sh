# The parallel tests of NetCDF, from its source package, on the distribution's parallel HDF5 and PnetCDF, all of them shared libraries.
#: needs make m4 dpkg-source
#: package make m4 dpkg-dev
#: mask ^.*([Tt]ime|[Ss]econds|MB/s).*
#: mask ^[0-9]+\t[0-9.e+-]+\t[0-9.e+-]+$
#: mask \b[0-9]+\.[0-9]{6}\b|rate=[0-9.e+-]+
#: timeout 600
# HDF5 writes the time into its files; what is in them is checked by the tests.
#: ignore \.(nc|h5)$
prepare() {
    local from hdf5=/usr/include/hdf5/$MPI pnetcdf=--enable-pnetcdf
    [ -d "$hdf5" ] || leave_out "no parallel HDF5 (package libhdf5-$MPI-dev)"
    [ "$MPI" = openmpi ] || pnetcdf=--disable-pnetcdf # the distribution's PnetCDF is for Open MPI
    from=$(source_of netcdf)
    "$from/configure" --enable-parallel-tests $pnetcdf --disable-dap --disable-byterange --disable-nczarr --disable-static --disable-utilities \
        --disable-examples "CC=mpicc.$MPI" "CPPFLAGS=-I$hdf5" "LDFLAGS=-L$(dirname "$(find /usr/lib -path "*hdf5/$MPI/libhdf5.so")")"
    make -j2
    make -j2 -C nc_test4 tst_mpi_parallel tst_parallel tst_parallel3 tst_parallel4 tst_parallel5 tst_parallel6 tst_nc4perf tst_mode \
        tst_simplerw_coll_r tst_parallel_zlib tst_parallel_compress tst_quantize_par
    make -j2 -C h5_test tst_h_par tst_h_par_compress
    [ $pnetcdf = --disable-pnetcdf ] || make -j2 -C nc_test tst_parallel2 tst_pnetcdf tst_addvar tst_formatx_pnetcdf tst_cdf5format
    keep liblib nc_test4 h5_test nc_test
}
run() {
    case $1 in
        tst_mode | tst_formatx_pnetcdf | tst_cdf5format | tst_pnetcdf) ranks 1 "$@" ;;
        *) ranks 4 "$@" ;;
    esac
    [ "$1" != tst_pnetcdf ] || ranks 1 tst_addvar tst_pnetcdf.nc
}
left_out() {
    echo tst_addvar # run behind another one
}
