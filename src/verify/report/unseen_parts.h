/* What a verdict cannot know. Inner header of the verify room. */
#ifndef FTH_VERIFY_REPORT_UNSEEN_PARTS_H
#define FTH_VERIFY_REPORT_UNSEEN_PARTS_H

#include "verify/gather/run_accesses.h"
#include "verify/verify.h"

/* Whose accesses were seen, to which files. */
struct fth_unseen_files {
    const struct fth_run_accesses *accesses; /* situations have files instead of openings */
    const uint32_t *names;                   /* by file, as in struct fth_files */
    /* layer of situations of the library that blind spots are about */
    uint8_t library;
};

/* Fills what was not seen of the runs, says of each model whether it may have missed accesses that
 * it compares (`library` is the layer of the calls that blind spots of libraries hide), and
 * collects the means by which processes may be ordered from the groups of the models. */
void fth_unseen_find(struct fth_verdict *verdict, const struct fth_unseen_files *files,
                     const char *library);
void fth_unseen_free(struct fth_verdict *verdict);

#endif
