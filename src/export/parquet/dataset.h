/* The folder of a dataset: where its files are, and the tables that are about the whole run. */
#ifndef FTH_EXPORT_PARQUET_DATASET_H
#define FTH_EXPORT_PARQUET_DATASET_H

#include "export/shared/exporter.h"
#include "export/parquet/parquet_file.h"
#include "export/parquet/table_files.h"

/* By this file a folder is known to be a dataset of ours. Readers of datasets pass over files whose
 * names begin with an underscore. */
#define FTH_DATASET_FACTS "_fathom.json"

/* What the run was, as JSON; to be freed. */
char *fth_dataset_facts(const struct fth_exported *exported);
/* -1: *error is set. */
int fth_dataset_begin(const struct fth_exported *exported, const char *facts,
                      struct fth_error **error);
/* The file of a part in TABLE/ranks=FIRST-LAST. NULL: part->error is set. */
struct fth_parquet *fth_dataset_open(struct fth_export_part *part, const char *table,
                                     const struct fth_batch_column *columns, size_t count,
                                     const char *facts);
/* Writes processes, files, messages, samples and findings, or this rank's share of these.
 * -1: *error is set. */
int fth_dataset_end(const struct fth_exported *exported, const char *facts,
                    struct fth_error **error);

#endif
