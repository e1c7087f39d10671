/* Lengths of the files of a replay beside those of the run. */
#ifndef FTH_CMD_REPLAY_COMPARED_LENGTHS_H
#define FTH_CMD_REPLAY_COMPARED_LENGTHS_H

#include "repeat/script/script.h"
#include "table/table.h"

struct fth_compared_lengths {
    size_t alike, different, unknown; /* files that the run wrote */
    struct fth_table *table;          /* `lengths`: of those that differ, or are not known */
};

/* Looks at the files below `into`, or where they were (NULL). The caller frees the table, which may
 * have failed. */
struct fth_compared_lengths fth_replay_compare_lengths(const struct fth_repeat_places *places,
                                                       const struct fth_repeat_summary *summary,
                                                       const char *into);
/* In a sentence, to be freed; NULL: there are no files. */
char *fth_compared_lengths_text(const struct fth_compared_lengths *lengths);

#endif
