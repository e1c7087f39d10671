/* What can be set in the library that accesses are made with: advice in the words of those who call it, which of a package of Python are its own. Inner header of the passes. */
#ifndef FTH_ANALYSIS_KNOBS_H
#define FTH_ANALYSIS_KNOBS_H

#include "analysis/survey.h"

enum fth_knob {
    FTH_KNOB_LARGER,   /* fewer and larger accesses of what is asked for */
    FTH_KNOB_TOGETHER, /* collective instead of independent accesses */
    FTH_KNOB_BUFFER,   /* a larger buffer in between */
    FTH_KNOB_UNUSED,   /* fewer bytes that nobody asked for */
    FTH_KNOB_ALIGNED,  /* pieces that begin where blocks do */
    FTH_KNOB_OBJECTS,  /* less metadata in files */
    FTH_KNOBS
};

/* Packages of Python that the processes of a run have imported, which shows by their files. */
struct fth_knobs {
    bool h5py, netcdf4, mpi4py;
};
/* O(files) */
struct fth_knobs fth_knobs_of(const struct fth_survey *survey);

/* What to try in a program that calls this layer: a sentence or two. */
const char *fth_knob(const struct fth_knobs *knobs, const char *layer, enum fth_knob knob);

#endif
