# The tests of PnetCDF in C and Fortran, from its source package, with PnetCDF as a shared library.
#: needs make m4 autoreconf libtoolize dpkg-source
#: package make m4 autoconf automake libtool dpkg-dev
#: mask ^.*([Tt]ime|[Tt]iming|sec).*
# The attributes in it hold what happened to be in memory.
#: ignore ^check_type\.nc$
prepare() {
    local name folders="C testcases nonblocking fandc cdf_format header nc_test" fortran=--disable-fortran
    cp -a "$(source_of pnetcdf)/." .
    if command -v "mpif90.$MPI" >/dev/null; then
        fortran="--enable-fortran MPIF77=mpif77.$MPI MPIF90=mpif90.$MPI"
        folders="$folders nf_test nf90_test F90"
    fi
    autoreconf -fi
    # shellcheck disable=SC2086
    ./configure $fortran --disable-cxx --enable-shared --disable-static "MPICC=mpicc.$MPI"
    make -j2
    make -C test/common tests
    for name in $folders; do make -C "test/$name" tests; done
    # shellcheck disable=SC2046,SC2086
    keep src/libs $(printf 'test/%s ' $folders)
}
run() {
    ranks 4 "$@"
}
left_out() {
    echo
}
