# What tests of `fathom generate` share: programs from the templates of examples/generate are compiled, run, and their files read by another program
# than the library that wrote them. To be sourced behind tests/e2e/lib.sh.
# shellcheck shell=bash
templates=$SOURCE/examples/generate
check=$SOURCE/tests/e2e/generate/check.py
need mpicc.openmpi mpirun.openmpi

# have LIBRARY LANGUAGE: can it be compiled here, and read?
have() {
    case $1 in
        pnetcdf) [ -e /usr/include/pnetcdf.h ] && command -v ncdump >/dev/null || return 1 ;;
        hdf5) [ -e /usr/include/hdf5/openmpi/hdf5.h ] && command -v h5dump >/dev/null || return 1 ;;
        netcdf4) [ -e "$(netcdf_folder)/include/netcdf_par.h" ] && command -v h5dump >/dev/null || return 1 ;;
    esac
    case $2 in
        c++) command -v mpicxx.openmpi >/dev/null ;;
        fortran) command -v mpifort.openmpi >/dev/null || return 1
            [ "$1" != hdf5 ] || [ -e /usr/include/hdf5/openmpi/hdf5.mod ] || return 1
            [ "$1" != pnetcdf ] || [ -n "$(module_folder)" ] ;;
    esac
}
netcdf_folder() {
    echo "$(pkg-config --variable=libdir netcdf-mpi 2>/dev/null)/netcdf/mpi"
}
module_folder() {
    dirname "$(find /usr/lib /usr/include -name pnetcdf.mod 2>/dev/null | head -n 1)" 2>/dev/null
}

# build TEMPLATE LIBRARY LANGUAGE: generates and compiles it, to ./TEMPLATE.LIBRARY.LANGUAGE.
build() {
    local name=$1.$2.$3 source=$templates/$1.in.c ending=c
    local flags=(-O1 -g -Wall -Wextra -Werror)
    [ "$3" != c++ ] || ending=cc
    [ "$3" != fortran ] || { ending=f90 source=$templates/$1.in.f90; }
    "$FATHOM" generate "$source" --language "$3" --library "$2" --force -o "$name.$ending" || return
    case $2 in
        hdf5) libraries=(-L/usr/lib/x86_64-linux-gnu/hdf5/openmpi -lhdf5) flags+=(-I/usr/include/hdf5/openmpi) ;;
        netcdf4) libraries=(-lnetcdf_mpi) flags+=("-I$(netcdf_folder)/include") ;;
        pnetcdf) libraries=(-lpnetcdf) ;;
        *) libraries=() ;;
    esac
    case $3 in
        c) mpicc.openmpi -std=gnu17 "${flags[@]}" -o "$name" "$name.c" "${libraries[@]}" -lm ;;
        c++) mpicxx.openmpi -std=c++17 -DOMPI_SKIP_MPICXX "${flags[@]}" -o "$name" "$name.cc" "${libraries[@]}" -lm ;;
        fortran)
            [ "$2" != hdf5 ] || libraries=(-L/usr/lib/x86_64-linux-gnu/hdf5/openmpi -lhdf5_fortran -lhdf5)
            [ "$2" != pnetcdf ] || flags+=("-I$(module_folder)")
            mpifort.openmpi "${flags[@]}" -o "$name" "$name.f90" "${libraries[@]}"
            ;;
    esac || fail "$name does not compile without a warning"
}

# run_and_check RANKS TEMPLATE LIBRARY LANGUAGE: in a folder of its own, recorded to $trace if it is the fifth word.
run_and_check() {
    local name=$2.$3.$4 folder=run.$2.$3.$4.$1
    rm -rf "$folder"
    mkdir "$folder"
    (cd "$folder"
        if [ "${5-}" ]; then
            record -- mpirun.openmpi -n "$1" "../$name" >said 2>&1
        else
            timeout 60 mpirun.openmpi -n "$1" "../$name" >said 2>&1
        fi) || { cat "$folder/said"; fail "$name fails with $1 ranks"; }
    $python "$check" "$2" "$3" "$1" "$folder" || fail "$name with $1 ranks: other data"
}
