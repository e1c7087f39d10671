/* The tables of processes, messages, samples and findings: what a row has, whichever format it is
 * written in. */
#ifndef FTH_EXPORT_SHARED_RUN_TABLES_H
#define FTH_EXPORT_SHARED_RUN_TABLES_H

#include "analysis/survey/message_list.h"
#include "export/shared/batch.h"
#include "table/finding.h"

#include <fathom/samples.h>

enum {
    FTH_PROCESS_TABLE_COLUMNS = 20,
    FTH_MESSAGE_TABLE_COLUMNS = 12,
    FTH_SAMPLE_TABLE_COLUMNS = 12,
    FTH_FINDING_TABLE_COLUMNS = 13,
};
extern const struct fth_batch_column fth_process_table_columns[FTH_PROCESS_TABLE_COLUMNS];
extern const struct fth_batch_column fth_message_table_columns[FTH_MESSAGE_TABLE_COLUMNS];
extern const struct fth_batch_column fth_sample_table_columns[FTH_SAMPLE_TABLE_COLUMNS];
extern const struct fth_batch_column fth_finding_table_columns[FTH_FINDING_TABLE_COLUMNS];

/* Fill the cells of a row. */
void fth_process_table_put(struct fth_batch *batch, size_t proc, const struct fth_process *process);
void fth_message_table_put(struct fth_batch *batch, const struct fth_message_list *list,
                           const struct fth_listed_message *message);
void fth_sample_table_put(struct fth_batch *batch, const struct fth_trace *trace,
                          const struct fth_counter *counter, const struct fth_sample *sample);
void fth_finding_table_put(struct fth_batch *batch, const struct fth_finding *finding);

#endif
