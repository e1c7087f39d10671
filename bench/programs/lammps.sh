# LAMMPS melts a crystal, dumps its atoms, in text and by MPI-IO where it can, and writes restart files.
#: needs lmp mpirun.openmpi
#: package lammps
#: mask create_atoms CPU = .*
#: mask ^(Loop time of|Performance:|Total wall time:|[0-9.]+% CPU use|Per MPI rank memory).*
#: mask ^(Pair|Neigh|Comm|Output|Modify|Other) +\|.*
prepare() {
    cat >in.melt <<'INPUT'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
fix 1 all nve
thermo 50
dump 1 all custom 10 atoms.dump id x y z vx vy vz
dump_modify 1 sort id
dump 2 all custom 50 atoms.*.% id x
restart 50 state.*
run 200
write_data end.data
INPUT
}
run() {
    mpirun.openmpi -n 2 lmp -in in.melt
}
