/* Files without a format, of POSIX and MPI-IO: variables one after another, and beside them
 * FILE.layout, a text with their names, types, lengths and places. Inner header of the room gen. */
#ifndef FTH_GEN_C_RAW_H
#define FTH_GEN_C_RAW_H

#include "gen/emit_c/c_parts.h"

void fth_gen_c_raw_state(const struct fth_gen_writing *writing);
/* Begins the layout of a file that is made, or reads none for one that is there. */
void fth_gen_c_raw_open(const struct fth_gen_writing *writing, bool creates);
void fth_gen_c_raw_variable(const struct fth_gen_writing *writing,
                            const struct fth_gen_variable *variable);
void fth_gen_c_raw_attribute(const struct fth_gen_writing *writing,
                             const struct fth_gen_attribute *attribute);
void fth_gen_c_raw_defined(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session);
extern const char fth_gen_c_raw_file[], fth_gen_c_raw_layout[], fth_gen_c_raw_define[],
    fth_gen_c_raw_end[];

#endif
