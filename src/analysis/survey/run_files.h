/* The files of a run: paths of its processes, distinguished where nodes have files of their own.
 * Inner header of the analysis room. */
#ifndef FTH_ANALYSIS_RUN_FILES_H
#define FTH_ANALYSIS_RUN_FILES_H

#include "analysis/survey/node_files.h"
#include "analysis/survey/survey.h"
#include "base/intern.h"

struct fth_run_files;

struct fth_run_files *fth_run_files_new(struct fth_trace *trace);
/* The numbers in the run of these paths of a process (texts with the byte of value zero behind
 * each); to be freed. */
uint32_t *fth_run_files_add(struct fth_run_files *files, size_t proc,
                            const struct fth_intern *paths);
/* Until the next are added; the files keep their numbers. */
const struct fth_survey_file *fth_run_files_list(const struct fth_run_files *files, size_t *count);
/* Its path goes to this column, and to the next one its host, if nodes have files of their own. */
void fth_run_files_put(struct fth_table *table, size_t row, size_t column,
                       const struct fth_survey_file *file);
void fth_run_files_free(struct fth_run_files *files);

#endif
