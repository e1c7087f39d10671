# How tests start MPI programs; to be sourced.
# shellcheck shell=bash

# MPI launchers refuse root and more ranks than cores without these variables.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# Open MPI looks for fast networks at each start, which takes 0.2 of 0.3 s, unless these variables name what every machine has. The test
# e2e.checkpoint_openmpi lets it look.
export OMPI_MCA_pml=ob1

# Ranks of MPICH wait without a pause, which takes up to ten times the processor time where there are more ranks than cores: yield.c is linked
# to them. mpicc.mpich splits this variable at blanks.
if [ -e "${BUILD-}/tests/yield.o" ] && [ "$SOURCE" = "${SOURCE% *}" ]; then
    export MPICH_CC=$SOURCE/tests/e2e/mpich_cc
fi
