# How tests start MPI programs; to be sourced.
# shellcheck shell=bash

# MPI launchers refuse root and more ranks than cores without these variables.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

# Open MPI looks for fast networks at each start, which takes 0.2 of 0.3 s, unless these variables name what every machine has. The test
# e2e.checkpoint_openmpi lets it look.
export OMPI_MCA_pml=ob1
