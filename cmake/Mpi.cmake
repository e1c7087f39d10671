# MPI programs are compiled by MPI's own compiler commands, so that one build tree can hold programs of both MPIs.

# Open MPI and MPICH have names of their own where a distribution installs them side by side; else `mpicc` is the one.
find_program(MPICC_OPENMPI mpicc.openmpi)
find_program(MPICC_MPICH mpicc.mpich)
find_program(MPICC_ANY mpicc)

# The first compiler is the one for programs of which there is only one.
set(FATHOM_MPICC "")
foreach(compiler MPICC_OPENMPI MPICC_MPICH MPICC_ANY)
  if(${compiler} AND NOT FATHOM_MPICC)
    set(FATHOM_MPICC ${${compiler}})
  endif()
endforeach()

# fathom_mpi_program(NAME COMPILER SOURCE [FOLDER]): builds FOLDER/NAME of the build tree from one C file; the usual folder is bin.
function(fathom_mpi_program name compiler source)
  set(folder ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  if(ARGC GREATER 3)
    set(folder ${CMAKE_BINARY_DIR}/${ARGV3})
  endif()
  set(program ${folder}/${name})
  add_custom_command(
    OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${compiler} -std=gnu17 -O2 -g -Wall -Wextra -o ${program} ${source} -lm
    DEPENDS ${source}
    COMMENT "Building the MPI program ${name}"
    VERBATIM)
  add_custom_target(example_${name} ALL DEPENDS ${program})
endfunction()
