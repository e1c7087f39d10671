# NWChem: the energy of a molecule of water, on two ranks.
#: needs nwchem.openmpi mpirun.openmpi
#: package nwchem-openmpi
#: mask (?i)^.*(time|wall|cpu:|date|hostname|program|allocat|prefix|job info|nproc|memory|heap|stack|global|bytes|verify|GA |create|calls|average|largest|acc:).*
# What is nothing but rounding, and the times at the end of lines.
#: mask [ ]*[-+]?(0\.0D\+00|\d\.\d+[DE]-[1-9][0-9])
#: mask [ ]+-?0\.0+(?= |$)
#: mask [ ]+[0-9]+\.[0-9]s?$
#: ignore \.(cfock|db|movecs|c|p|zmat|gridpts.*|aoints.*)$
prepare() {
    printf 'start h2o\ngeometry units au\n O 0 0 0\n H 0 1.430 -1.107\n H 0 -1.430 -1.107\nend\nbasis\n * library 6-31g\nend\nscf\n thresh 1e-8\nend\ntask scf energy\n' >h2o.nw
}
run() {
    mpirun.openmpi -n 2 nwchem.openmpi h2o.nw
}
