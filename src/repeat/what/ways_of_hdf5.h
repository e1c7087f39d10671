/* How a function of HDF5 is repeated, from its roles. Inner header of the repeat room. */
#ifndef FTH_REPEAT_WAYS_OF_HDF5_H
#define FTH_REPEAT_WAYS_OF_HDF5_H

#include "catalog/catalog.h"
#include "repeat/what/ways.h"

/* What an argument that the trace does not have is in a repetition. */
enum fth_repeat_unkept {
    FTH_REPEAT_MISSING,  /* nothing can stand for it */
    FTH_REPEAT_NULL,     /* a null pointer, or an empty text */
    FTH_REPEAT_RESULT,   /* memory that the call fills: a structure, or as its size says */
    FTH_REPEAT_DATA,     /* the buffer of a call that moves bytes */
    FTH_REPEAT_VALUE,    /* one value of a datatype */
    FTH_REPEAT_ORDINAL,  /* a value that no other call has given */
    FTH_REPEAT_SHARE,    /* a floating-point number from 0 to 1, as HDF5 has by default */
    FTH_REPEAT_CALLBACK, /* a function that does nothing, and is called for each of a list */
};

/* Of a row of the HDF5 layer; `number`: of its parameter, which has no role. */
enum fth_repeat_unkept fth_repeat_unkept_of(const struct fth_row *row, size_t number);

/* Says this parameter how much room the program has for an answer? */
bool fth_repeat_is_room(const struct fth_field *field);

struct fth_repeat_way fth_repeat_way_of_hdf5(const struct fth_trace *trace,
                                             const struct fth_function *function);

#endif
