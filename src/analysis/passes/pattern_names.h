/* The files of a process, as the pass of patterns knows them: by their first names, with the
 * accesses to each and what calls on their names mean. Inner header of the pass of patterns. */
#ifndef FTH_ANALYSIS_PATTERN_NAMES_H
#define FTH_ANALYSIS_PATTERN_NAMES_H

#include "analysis/passes/followed_names.h"
#include "analysis/passes/patterns.h"

struct fth_pattern_sequence {
    struct fth_pattern pattern;
    struct fth_reuse reuse;
    struct fth_rhythm rhythm;
};

struct fth_pattern_names {
    struct fth_indexed sequences; /* of struct fth_pattern_sequence, by first names of files */
    struct fth_indexed elsewhere; /* of enum fth_pattern_elsewhere, by file */
    struct fth_indexed followed;  /* names of one file, by both of them */
    struct fth_followed_names names;
};
struct fth_pattern_names fth_pattern_names_none(void);
void fth_pattern_names_see(struct fth_pattern_names *of, const struct fth_frame *frame);
/* May what is known of names and of the bytes of files be another behind a call like this? */
bool fth_pattern_names_change(const struct fth_pattern_names *of, const struct fth_frame *frame);
/* files[n]: number in the run of file `n` of the process. */
void fth_pattern_names_merge(struct fth_patterns_run *run, const struct fth_pattern_names *of,
                             const uint32_t *files);
/* All processes are merged: names that one of them has followed may be accessed by others, as files
 * of their own, and so may files below folders that were renamed. */
void fth_pattern_names_tell_apart(struct fth_patterns_run *run);
void fth_pattern_names_free(struct fth_pattern_names *of);

#endif
