/* Exports as text, one line for each call, and one that writes nothing. */
#include "export/shared/exporter.h"

#include "base/memory.h"
#include "views/calls/csv_calls.h"

#include <stdlib.h>

static void begin_part(struct fth_export_part *part)
{
    part->state = fth_new(1, sizeof(struct fth_dump));
    fth_views_dump_open(part->state, part->output, part->of->trace);
}

static void end_part(struct fth_export_part *part)
{
    free(part->state);
}

/* ---- comma-separated values ---- */

static int csv_begin(struct fth_exported *exported, struct fth_output *output,
                     struct fth_error **error)
{
    (void)exported;
    (void)error;
    if (!output)
        return 0;
    struct fth_csv csv = {&output->sink, output->style.width > 0};
    fth_views_csv_names(&csv, fth_views_call_columns, FTH_CALL_COLUMNS, NULL);
    return 0;
}

struct csv_part {
    struct fth_dump dump;
    struct fth_csv_calls calls;
};

static void csv_begin_part(struct fth_export_part *part)
{
    struct csv_part *state = part->state = fth_new(1, sizeof *state);
    fth_views_dump_open(&state->dump, part->output, part->of->trace);
    state->calls.csv = (struct fth_csv){&part->output->sink, part->output->style.width > 0};
    state->calls.dump = &state->dump;
}

static void csv_call(struct fth_export_part *part, const struct fth_call *call)
{
    struct csv_part *state = part->state;
    fth_views_csv_call(&state->calls, call);
}

const struct fth_exporter fth_exporter_csv = {
    .name = "csv",
    .extension = ".csv",
    .help = "a row for each call, with the columns of `fathom dump --csv`",
    .by_ranks = true,
    .begin = csv_begin,
    .begin_part = csv_begin_part,
    .call = csv_call,
    .end_part = end_part,
};

/* ---- JSON lines ---- */

static void jsonl_call(struct fth_export_part *part, const struct fth_call *call)
{
    struct fth_dump *dump = part->state;
    dump->access = part->access;
    dump->accesses = part->accesses;
    fth_views_dump_call_json(dump, call);
}

const struct fth_exporter fth_exporter_jsonl = {
    .name = "jsonl",
    .extension = ".jsonl",
    .help = "a line of JSON for each call, as `fathom dump --json`",
    .by_ranks = true,
    .wants_operations = true,
    .begin_part = begin_part,
    .call = jsonl_call,
    .end_part = end_part,
};

/* ---- nothing ---- */

static void null_call(struct fth_export_part *part, const struct fth_call *call)
{
    (void)part;
    (void)call;
}

const struct fth_exporter fth_exporter_null = {
    .name = "null",
    .extension = ".null",
    .help = "nothing: shows how long it takes to read the calls",
    .by_ranks = true,
    .call = null_call,
};
