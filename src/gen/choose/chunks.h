/* The shape of chunks. Inner header of the room gen. */
#ifndef FTH_GEN_CHUNKS_H
#define FTH_GEN_CHUNKS_H

#include "gen/choose/pattern.h"

/* Chooses it for each variable that grows, in files of HDF5 and NetCDF-4. Accesses of processes
 * that get chunks of their own need no exchange then. */
void fth_gen_chunks_choose(struct fth_gen_model *model);

#endif
