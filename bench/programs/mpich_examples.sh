# MPICH's examples as its documentation packages them: C, Fortran, threads, input from the terminal.
# Those that spawn processes are left out: they end with one error or another of MPI_Comm_spawn, untraced, too.
#: needs mpicc.mpich mpirun.mpich mpifort.mpich
#: package libmpich-dev mpich gfortran mpich-doc
#: mask wall clock time = [0-9.]+
#: mask (Time|time|Process [0-9]+ of [0-9]+ (is )?on|Connection|port)[^\n]*
examples='cpi icpi hellow srtest'
prepare() {
    local from name
    from=$(unpacked mpich-doc)/usr/share/doc/mpich/examples
    for name in $examples; do
        mpicc.mpich -o "$name" "$from/$name.c" -lm
    done
    mpicc.mpich -o threads "$from/developers/threads.c" -lpthread
    mpifort.mpich -o fpi "$from/f77/fpi.f"
    mpifort.mpich -o f77_hellow "$from/f77/hellow.f"
    mpifort.mpich -o pi3f90 "$from/f90/pi3f90.f90" || echo "no module mpi for this compiler"
}
run() {
    local name
    for name in cpi hellow f77_hellow; do
        mpirun.mpich -n 3 "$rank" "./$name"
        cat rank.*
    done
    for name in srtest threads; do
        mpirun.mpich -n 2 "$rank" "./$name"
        sort rank.0 rank.1
    done
    for name in icpi fpi pi3f90; do
        [ ! -x "$name" ] || printf '1000\n2000\n0\n' | mpirun.mpich -n 2 "$rank" "./$name"
        cat rank.0 rank.1
    done
}
