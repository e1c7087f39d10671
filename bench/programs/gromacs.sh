# GROMACS: a box of water, one step of energy minimization and some of dynamics, reproducible.
#: needs gmx
#: package gromacs
#: mask GROMACS reminds you.*
#: mask (?i)^ *(core t|time:|performance:|.*\(ns/day\)|.*wall t|.*ps/day).*
#: mask ^(Started|Finished|Log file opened|Process ID|Host|Hostname|Date|Build time|Build user).*
#: ignore \.(log|tpr|edr|cpt)$|^#|mdout\.mdp$
prepare() {
    printf 'integrator = steep\nnsteps = 20\nnstlist = 10\ncutoff-scheme = Verlet\ncoulombtype = PME\nrcoulomb = 0.8\nrvdw = 0.8\n' >min.mdp
    printf 'integrator = md\nnsteps = 50\ndt = 0.001\nnstxout = 5\nnstvout = 10\nnstenergy = 5\nnstlist = 10\ncutoff-scheme = Verlet\ncoulombtype = PME\nrcoulomb = 0.8\nrvdw = 0.8\ntcoupl = no\ngen-vel = yes\ngen-seed = 7\ngen-temp = 300\nld-seed = 7\n' >md.mdp
    printf '#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spce.itp"\n[ system ]\nwater\n[ molecules ]\n' >water.top
    gmx -quiet solvate -cs spc216 -box 2 2 2 -o water.gro -p water.top >/dev/null 2>&1
    rm -f '#'*
}
run() {
    export GMX_MAXBACKUP=-1
    gmx -quiet -nocopyright grompp -f min.mdp -c water.gro -p water.top -o min.tpr -maxwarn 5 >/dev/null 2>&1
    gmx -quiet -nocopyright mdrun -reprod -ntmpi 1 -ntomp 1 -pin off -s min.tpr -deffnm min >/dev/null 2>&1
    gmx -quiet -nocopyright grompp -f md.mdp -c min.gro -p water.top -o md.tpr -maxwarn 5 >/dev/null 2>&1
    gmx -quiet -nocopyright mdrun -reprod -ntmpi 2 -ntomp 1 -dlb no -pin off -s md.tpr -deffnm md >/dev/null 2>&1
    gmx -quiet -nocopyright dump -f md.trr 2>/dev/null | sha256sum
    gmx -quiet -nocopyright check -f md.trr 2>&1 | grep -E '^(Coords|Velocities|Step)'
}
