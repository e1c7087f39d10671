/* Files that a program writes, and the folder that has them all. Inner header of the tune room. */
#ifndef FTH_TUNE_TUNE_FILES_H
#define FTH_TUNE_TUNE_FILES_H

#include "analysis/survey/survey.h"

/* By the number of the file, in a struct fth_indexed. */
struct fth_tune_file {
    int64_t time; /* ns in calls of the system and libc about it, not inside of such a call */
    bool opened;  /* by the run itself: what it was given open is not its own */
    bool written;
    bool named; /* it, or a folder of this name, was made, renamed or removed */
    bool past;  /* accessed by calls that a library in front of libc does not see */
};

void fth_tune_files_take(struct fth_indexed *files, const struct fth_frame *frame);
/* `numbers`: as in fth_pass.merge. Frees `process`. */
void fth_tune_files_merge(struct fth_indexed *run, struct fth_indexed *process,
                          const uint32_t *numbers);
/* ns on files of the program, of all processes. */
int64_t fth_tune_files_time(const struct fth_indexed *run, const struct fth_survey_file *files);
/* The folder below which all files lie that it writes, to be freed; NULL: there is none, *why says
 * why not. */
char *fth_tune_files_folder(const struct fth_indexed *run, const struct fth_survey_file *files,
                            const char **why);

#endif
