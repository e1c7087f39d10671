/* What emitters of Fortran share. A template names dimensions as Fortran has them, the fastest
 * first, and counts from 1. Inner header of the room gen. */
#ifndef FTH_GEN_FORTRAN_PARTS_H
#define FTH_GEN_FORTRAN_PARTS_H

#include "gen/emit/emitter.h"

/* `call NAME(arguments, io_error)`, and its check. */
void fth_gen_f_call(const struct fth_gen_writing *writing, const char *name, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));
/* Declares and fills io_start, io_count and, if asked, io_lengths, of this kind; `more` are further
 * declarations. */
void fth_gen_f_arrays(const struct fth_gen_writing *writing, const struct fth_gen_access *access,
                      const char *kind, bool lengths, const char *more);
/* "[integer(KIND) :: a, b]" of a variable's lengths, with 0 for one that grows. */
const char *fth_gen_f_lengths(const struct fth_gen_writing *writing,
                              const struct fth_gen_variable *variable, const char *kind);
/* The same of a chunk of a variable that grows; `slowest_first`: for functions of C. */
const char *fth_gen_f_chunk(const struct fth_gen_writing *writing,
                            const struct fth_gen_variable *variable, const char *kind,
                            bool slowest_first);
void fth_gen_f_reason(const struct fth_gen_writing *writing, const struct fth_gen_access *access);
/* Makes io_info, or says MPI_INFO_NULL. Returns what stands for it. */
const char *fth_gen_f_info(const struct fth_gen_writing *writing);
void fth_gen_f_free_info(const struct fth_gen_writing *writing);
void fth_gen_f_processes(const struct fth_gen_writing *writing);
bool fth_gen_f_grows(const struct fth_gen_writing *writing,
                     const struct fth_gen_variable *variable);
/* Where a member is in a structure, in bytes. */
unsigned fth_gen_f_offset(const struct fth_gen_compound *compound, uint32_t member);

extern const char fth_gen_f_check_mpi[], fth_gen_f_need[];
extern const char fth_gen_f_layout[], fth_gen_f_define[], fth_gen_f_end_layout[];

/* Raw files. */
void fth_gen_f_raw_state(const struct fth_gen_writing *writing);
void fth_gen_f_raw_open(const struct fth_gen_writing *writing, bool creates);
void fth_gen_f_raw_variable(const struct fth_gen_writing *writing,
                            const struct fth_gen_variable *variable);
void fth_gen_f_raw_attribute(const struct fth_gen_writing *writing,
                             const struct fth_gen_attribute *attribute);
void fth_gen_f_raw_defined(const struct fth_gen_writing *writing,
                           const struct fth_gen_session *session);

/* What both libraries of NetCDF share: the numbers of a file, its dimensions and variables, of this
 * type of integer; and, where a set reads what others have written, sync, barrier, sync, by this
 * function, which messages call `name`. */
void fth_gen_f_netcdf_state(const struct fth_gen_writing *writing, const char *integer);
void fth_gen_f_netcdf_turn(const struct fth_gen_writing *writing, const char *sync,
                           const char *name);

#endif
