/* Any table, for spreadsheets. */
#ifndef FTH_VIEWS_CSV_H
#define FTH_VIEWS_CSV_H

#include "base/sink.h"
#include "table/table.h"

/* Names of columns, then all rows, as in JSON: times in seconds; what is null is empty. */
void fth_views_table_csv(struct fth_sink *sink, const struct fth_table *table);

#endif
