/* Servers of files in stripes: those that take much longer for their bytes than the others.
 *
 * Which server has a byte follows from its stripe; of an access that needs several of them it is
 * not known which one it waited for, so only those within one stripe count. */
#include "analysis/survey/run_files.h"
#include "analysis/passes/passes.h"
#include "base/saturating.h"

#include "analysis/passes/finding_texts.h"
#include "base/indexed.h"
#include "base/memory.h"

#include <string.h>

enum column { FILE_PATH, FILE_HOST, SERVER, OF, CALLS, BYTES, TIME, LONGEST, RATE };
static const struct fth_column columns[] = {
    {"path", "file", FTH_UNIT_PATH, FTH_SHOW_ALWAYS},
    {"host", "node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"server", "server", FTH_UNIT_NUMBER, FTH_SHOW_ALWAYS},
    {"of", "of", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"calls", "calls", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"longest", "longest", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"time_per_mib", "time per MiB", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
};
static const struct fth_shape shape = {"servers", "Time per server of striped files", columns,
                                       sizeof columns / sizeof *columns, 0};

struct served {
    uint64_t calls, bytes;
    int64_t time;
    struct fth_example example;
};

struct process {
    struct fth_indexed served; /* by file and server, in the order of the file's stripes, from 0 */
};

struct run {
    const struct fth_survey *survey;
    struct fth_indexed served; /* by file and server, in the order of the file's stripes, from 0 */
};

static void *begin(const struct fth_survey *survey)
{
    struct run *run = fth_new(1, sizeof *run);
    run->survey = survey;
    run->served.size = sizeof(struct served);
    return run;
}

static void *open_process(void *run, size_t proc)
{
    (void)run;
    (void)proc;
    struct process *process = fth_new(1, sizeof *process);
    process->served.size = sizeof(struct served);
    return process;
}

static void each(void *state, const struct fth_frame *frame)
{
    struct process *process = state;
    if (frame->file.servers < 2 || !frame->class->data || !frame->class->system ||
        frame->of_library || !frame->data.bytes || frame->data.behind <= frame->data.first ||
        frame->data.below[0].calls || frame->data.below[1].calls)
        return;
    uint64_t stripe = frame->data.first / frame->file.block;
    if (stripe != (frame->data.behind - 1) / frame->file.block)
        return;
    struct served *served =
        fth_indexed_get(&process->served, frame->file.number, stripe % frame->file.servers);
    served->calls++;
    served->bytes += frame->data.bytes;
    FTH_ADD_SATURATING(served->time, frame->times.all);
    fth_example_see(&served->example, frame);
}

static void merge(void *run_state, void *state, const uint32_t *files)
{
    struct run *run = run_state;
    struct process *process = state;
    for (uint32_t i = 0; i < process->served.count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&process->served, i);
        const struct served *more = fth_indexed_item(&process->served, i);
        struct served *served = fth_indexed_get(&run->served, files[entry->number], entry->sort);
        served->calls += more->calls;
        served->bytes += more->bytes;
        FTH_ADD_SATURATING(served->time, more->time);
        fth_example_merge(&served->example, &more->example);
    }
    fth_indexed_free(&process->served);
    free(process);
}

/* ---- findings ---- */

/* A server of a file. */
struct row {
    uint32_t file;
    uint64_t server;
    const struct served *served;
    double pace; /* ns for a byte */
};

static int64_t for_a_mib(const struct row *row)
{
    return (int64_t)(row->pace * (1 << 20));
}

static int compare(const void *a, const void *b)
{
    const struct row *first = a, *second = b;
    if (first->file != second->file)
        return first->file < second->file ? -1 : 1;
    if (first->pace != second->pace)
        return first->pace < second->pace ? -1 : 1;
    return (first->server > second->server) - (first->server < second->server);
}

/* rows: the servers of one file, the fastest one first. */
static void find_straggler(const struct run *run, struct fth_results *results,
                           const struct row *rows, size_t count)
{
    const struct row *middle = &rows[(count - 1) / 2], *slowest = &rows[count - 1];
    double needed = middle->pace * (double)slowest->served->bytes;
    int64_t severity = slowest->served->time - (int64_t)needed;
    double several = fth_threshold_of(run->survey, FTH_THRESHOLD_MANY) / 10;
    if (slowest->pace < fth_threshold_of(run->survey, FTH_THRESHOLD_UNEVEN) * middle->pace ||
        (double)slowest->served->calls < several || (double)middle->served->calls < several ||
        !fth_finding_is_worth(run->survey, severity))
        return;
    struct fth_finding *finding = fth_finding_write(
        run->survey, results, slowest->file, &slowest->served->example, "straggling_server",
        "One server of a file is slower than the others", severity);
    finding->classes = FTH_CLASSES_MOVING;
    fth_finding_say(
        finding,
        "Server %u of %zu (in stripe order, from 0) takes %s per MiB. The median server takes %s.",
        (unsigned)slowest->server, count, FTH_TIME(for_a_mib(slowest)),
        FTH_TIME(for_a_mib(middle)));
    fth_finding_advise(
        finding, "Find out which server it is (lfs getstripe FILE, beegfs-ctl --getentryinfo "
                 "FILE), and whether other jobs load it or its disks fail. Leave it out (lfs "
                 "setstripe -o), or distribute the data of the ranks evenly over all servers.");
}

static void add_row(struct fth_table *table, const struct run *run, const struct row *row,
                    size_t count)
{
    size_t at = fth_table_add_row(table);
    fth_run_files_put(table, at, FILE_PATH, &run->survey->files[row->file]);
    fth_table_set(table, at, SERVER, fth_cell_integer((int64_t)row->server));
    fth_table_increase(table, at, OF, count);
    fth_table_increase(table, at, CALLS, row->served->calls);
    fth_table_increase(table, at, BYTES, row->served->bytes);
    fth_table_set(table, at, TIME, fth_cell_integer(row->served->time));
    fth_table_set(table, at, LONGEST, fth_cell_integer(row->served->example.time));
    fth_table_set(table, at, RATE, fth_cell_integer(for_a_mib(row)));
}

static void finish(void *state, struct fth_results *results)
{
    struct run *run = state;
    struct fth_table *table = fth_table_new(&shape);
    size_t count = run->served.count, of;
    struct row *rows = fth_new(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        const struct fth_indexed_entry *entry = fth_indexed_at(&run->served, (uint32_t)i);
        rows[i].file = entry->number;
        rows[i].server = entry->sort;
        rows[i].served = fth_indexed_item(&run->served, (uint32_t)i);
        rows[i].pace = (double)rows[i].served->time / (double)rows[i].served->bytes;
    }
    qsort(rows, count, sizeof *rows, compare);
    for (size_t first = 0; first < count; first += of) {
        for (of = 1; first + of < count && rows[first + of].file == rows[first].file;)
            of++;
        for (size_t i = 0; i < of; i++)
            add_row(table, run, &rows[first + i], of);
        find_straggler(run, results, &rows[first], of);
    }
    fth_table_sort_by_sum(table, (size_t[]){RATE}, 1);
    fth_results_add(results, table);
    fth_indexed_free(&run->served);
    free(rows);
    free(run);
}

const struct fth_pass fth_pass_striped = {
    "striped", begin, open_process,         NULL, merge, finish, each, NULL,
    NULL,      NULL,  fth_pass_takes_rounds};
