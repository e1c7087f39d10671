/* Which numbers of a process's signatures stand apart from those of other processes, among its
 * facts. Inner header of the trace room.
 *
 * A value that defies prediction makes signature after signature until the recorder, or the walk,
 * takes it out of them. The numbers of those that were made before are as unpredictable as those
 * that went to the literal column: as columns of a shape they would cost every node of the merge's
 * tree what they cost their rank. */
#ifndef FTH_TRACE_FILE_NUMBERS_APART_H
#define FTH_TRACE_FILE_NUMBERS_APART_H

#include "base/intern.h"
#include "trace/file/part.h"

struct fth_apart_places {
    struct fth_intern places;
};
/* Finds the places whose values some signature of the process has as literals. */
void fth_apart_find(struct fth_apart_places *apart, const struct fth_catalog *catalog,
                    const struct fth_part_process *process);
/* Bit i: value i of the signature, which is not literal, is at such a place. */
uint32_t fth_apart_values(const struct fth_apart_places *apart, const struct fth_value_plan *plan,
                          const struct fth_signature *signature);
void fth_apart_free(struct fth_apart_places *apart);

#endif
