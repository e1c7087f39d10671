# Open MPI's examples from its source package: C and the three bindings of Fortran.
#: needs mpicc.openmpi mpirun.openmpi mpifort.openmpi
#: package libopenmpi-dev openmpi-bin gfortran dpkg-dev
prepare() {
    local from name
    from=$(source_of openmpi)/examples
    for name in hello_c ring_c connectivity_c; do
        mpicc.openmpi -o "$name" "$from/$name.c"
    done
    for name in hello_mpifh.f ring_mpifh.f hello_usempi.f90 ring_usempi.f90 hello_usempif08.f90 ring_usempif08.f90; do
        mpifort.openmpi -o "${name%.*}" "$from/$name" || echo "not built: $name"
    done
}
run() {
    local name
    for name in hello_c ring_c connectivity_c hello_mpifh ring_mpifh hello_usempi ring_usempi hello_usempif08 ring_usempif08; do
        [ -x "$name" ] || continue
        echo "== $name"
        mpirun.openmpi -n 3 "$rank" "./$name" || echo "status $?"
        cat rank.*
    done
}
