/* Files below folders that were renamed: who renames a folder gives all files below it other names,
 * and no call says which. Inner header of the passes. */
#ifndef FTH_ANALYSIS_NAMED_FOLDERS_H
#define FTH_ANALYSIS_NAMED_FOLDERS_H

#include "analysis/survey/survey.h"
#include "base/keyed.h"

/* All zero: none. */
struct fth_named_folders {
    struct fth_keyed names;
};

/* It had another name before, or has one behind that. It may be a file. */
void fth_named_folders_add(struct fth_named_folders *folders, const struct fth_survey_file *folder);
/* Is the file below one of them? */
bool fth_named_folders_hold(const struct fth_named_folders *folders,
                            const struct fth_survey_file *file);
void fth_named_folders_free(struct fth_named_folders *folders);

#endif
