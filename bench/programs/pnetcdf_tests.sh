# The parallel tests of PnetCDF, from its source package, with Open MPI.
#: long
#: needs mpicc.openmpi mpirun.openmpi make m4 autoreconf libtoolize dpkg-source
#: package libopenmpi-dev openmpi-bin make m4 autoconf automake libtool dpkg-dev
#: timeout 900
#: mask ^.*([Tt]ime|[Tt]iming|sec).*
# The attributes in it hold what happened to be in memory.
#: ignore ^check_type\.nc$
prepare() {
    local from built=$PACKAGES/pnetcdf-tests
    if [ ! -e "$built/finished" ]; then
        from=$(source_of pnetcdf)
        mkdir -p "$built"
        cp -a "$from/." "$built"
        cd "$built"
        autoreconf -fi
        ./configure --disable-fortran --disable-cxx --disable-shared MPICC=mpicc.openmpi
        make -j2
        make -C test/common tests
        make -C test/testcases tests
        touch finished
        cd - >/dev/null
    fi
    find "$built/test/testcases" -maxdepth 1 -type f -perm -100 ! -name '*.sh' -exec cp '{}' . ';'
}
run() {
    local name
    for name in *; do
        mpirun.openmpi -n 4 "$rank" "./$name" "$name.nc" || echo "status $?"
        cat rank.*
    done
}
