/* A comparison as tables. All are to be freed. */
#ifndef FTH_DIFF_DIFF_TABLES_H
#define FTH_DIFF_DIFF_TABLES_H

#include "diff/diff.h"

/* For programs: all rows, with the figures of both sides. */
struct fth_table *fth_diff_table(const struct fth_diff *diff, enum fth_diff_by by);
/* For people: what differs, a row for each figure; files that nobody asked for only if all are
 * wanted. */
struct fth_table *fth_diff_changes(const struct fth_diff *diff, enum fth_diff_by by, bool all);
/* For people: what may differ, or may be noise. */
struct fth_table *fth_diff_maybes(const struct fth_diff *diff);
struct fth_table *fth_diff_configuration(const struct fth_diff *diff);
/* Signatures that differ: in A or B alone, or with other numbers of calls or sizes. */
struct fth_table *fth_diff_call_changes(const struct fth_diff *diff);
struct fth_table *fth_diff_findings(const struct fth_diff *diff);

/* "+12.3 %", "-40.1 %", "x 2.50"; "" where a is 0, or b is the same. To be freed. */
char *fth_diff_change(int64_t a, int64_t b);
const char *fth_diff_verdict_word(enum fth_diff_verdict verdict);

#endif
