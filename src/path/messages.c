/* Who sent whom how much: messages from one process to another, which the order of the run reports
 * when it matches them, become sums by pair, and a table of these. Memory is bounded: of more pairs
 * than MOST_PAIRS only nodes are distinguished, and then blocks of 2, 4 ... units, processes or
 * nodes. */
#include "base/memory.h"
#include "base/saturating.h"
#include "path/run_flow.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_PAIRS = 1 << 15 };

/* Units; `to` may also be FTH_NOT_RECORDED or FTH_NOT_KNOWN. */
struct fth_message_pair {
    uint32_t from, to;
};

/* ---- units ---- */

static uint32_t process_count(const struct fth_path *path)
{
    return (uint32_t)fth_trace_process_count(path->trace);
}

static void begin(const struct fth_path *path, struct fth_message_sums *sums)
{
    sums->block = 1;
    sums->unit_count = sums->whole_count = process_count(path);
    sums->units = fth_new((size_t)sums->unit_count + 1, sizeof *sums->units);
    for (uint32_t i = 0; i < sums->unit_count; i++)
        sums->units[i] = i;
}

/* From processes to nodes; false: there is one only, or one for each process, or they are taken. */
static bool take_nodes(const struct fth_path *path, struct fth_message_sums *sums,
                       uint32_t *unit_of)
{
    uint32_t processes = process_count(path), count = 0;
    if (sums->firsts || sums->block > 1)
        return false;
    uint32_t *firsts = fth_new((size_t)processes + 1, sizeof *firsts);
    for (uint32_t i = 0; i < processes; i++) {
        if (path->hosts[i] == i)
            firsts[count++] = i;
        unit_of[i] = path->hosts[i] == i ? count - 1 : unit_of[path->hosts[i]];
    }
    if (count < 2 || count == processes) {
        free(firsts);
        return false;
    }
    sums->firsts = firsts;
    sums->unit_count = sums->whole_count = count;
    return true;
}

static void take_blocks(struct fth_message_sums *sums, uint32_t *unit_of)
{
    for (uint32_t i = 0; i < sums->unit_count; i++)
        unit_of[i] = i / 2;
    sums->block *= 2;
    sums->unit_count = (sums->unit_count + 1) / 2;
}

static struct fth_message_sum *sum_of(struct fth_message_sums *sums, struct fth_message_pair pair)
{
    uint32_t place = fth_intern_next(&sums->pairs, &sums->trail, &pair, sizeof pair);
    sums->all = fth_reach(sums->all, &sums->room, place, sizeof *sums->all);
    return &sums->all[place];
}

static void add(struct fth_message_sum *to, const struct fth_message_sum *sum)
{
    FTH_ADD_SATURATING(to->count, sum->count);
    FTH_ADD_SATURATING(to->bytes, sum->bytes);
    FTH_ADD_SATURATING(to->unsized, sum->unsized);
    FTH_ADD_SATURATING(to->timed, sum->timed);
    FTH_ADD_SATURATING(to->timed_bytes, sum->timed_bytes);
    FTH_ADD_SATURATING(to->time, sum->time);
    FTH_ADD_SATURATING(to->error, sum->error);
}

static struct fth_message_pair pair_at(const struct fth_message_sums *sums, uint32_t place)
{
    size_t length;
    return *(const struct fth_message_pair *)(const void *)fth_interned(&sums->pairs, place,
                                                                        &length);
}

/* Fewer units; sums of those that become one are added up. */
static void fold(const struct fth_path *path, struct fth_message_sums *sums)
{
    struct fth_message_sums old = *sums;
    uint32_t *unit_of = fth_new((size_t)old.unit_count + 1, sizeof *unit_of);
    if (!take_nodes(path, sums, unit_of))
        take_blocks(sums, unit_of);
    sums->pairs = (struct fth_intern){0};
    fth_intern_trail_free(&sums->trail);
    sums->all = NULL;
    sums->room = 0;
    for (uint32_t i = 0; i < old.pairs.count; i++) {
        struct fth_message_pair pair = pair_at(&old, i);
        pair.from = unit_of[pair.from];
        pair.to = pair.to < FTH_NOT_KNOWN ? unit_of[pair.to] : pair.to;
        add(sum_of(sums, pair), &old.all[i]);
    }
    for (uint32_t i = 0; i < process_count(path); i++)
        sums->units[i] = unit_of[sums->units[i]];
    fth_intern_free(&old.pairs);
    free(old.all);
    free(unit_of);
}

/* ---- what is sent and received ---- */

static bool is_selected(const struct fth_path *path, uint32_t from, uint32_t to)
{
    return (from < FTH_NOT_KNOWN && path->selected[from]) ||
           (to < FTH_NOT_KNOWN && path->selected[to]);
}

static struct fth_message_sum *sum_between(struct fth_path *path, uint32_t from, uint32_t to)
{
    struct fth_message_sums *sums = &path->matches.sums;
    return sum_of(sums, (struct fth_message_pair){sums->units[from],
                                                  to < FTH_NOT_KNOWN ? sums->units[to] : to});
}

void fth_path_sent(void *context, const struct fth_order_sent *sent)
{
    struct fth_path *path = context;
    struct fth_message_sums *sums = &path->matches.sums;
    if (!is_selected(path, sent->from, sent->to))
        return;
    fth_path_list_sent(path, sent);
    if (sent->one_sided)
        return;
    if (!sums->block)
        begin(path, sums);
    add(sum_between(path, sent->from, sent->to),
        &(struct fth_message_sum){
            .count = 1, .bytes = sent->bytes > 0 ? sent->bytes : 0, .unsized = sent->bytes < 0});
    while (sums->pairs.count > MOST_PAIRS && sums->unit_count > 1)
        fold(path, sums);
}

int64_t fth_path_clock_error(const struct fth_path *path, uint32_t proc, uint32_t other)
{
    if (path->hosts[proc] == path->hosts[other])
        return 0;
    int64_t one = fth_trace_process(path->trace, proc)->clock_error,
            two = fth_trace_process(path->trace, other)->clock_error;
    if (one < 0 || two < 0)
        return INT64_MAX;
    return one > INT64_MAX / 2 || two > INT64_MAX / 2 ? INT64_MAX : one + two;
}

/* From the entry of the call that sends it to the exit of the one that finds it received. If that
 * was before the other by more than clocks and rounding explain, nothing is known. */
void fth_path_received(struct fth_path *path, const struct fth_order_message *message)
{
    fth_path_link_message(path, message);
    if (message->probed || !fth_path_has(path, message->send) ||
        !fth_path_has(path, message->received))
        return;
    int64_t rounding = fth_trace_info(path->trace)->resolution,
            error = fth_path_clock_error(path, message->from, message->to);
    int64_t time = fth_path_time(path, message->received) - fth_path_time(path, message->send);
    fth_path_list_received(path, message, error);
    if (message->bytes < 0 || error == INT64_MAX || !is_selected(path, message->from, message->to))
        return;
    add(sum_between(path, message->from, message->to),
        &(struct fth_message_sum){.timed = 1,
                                  .timed_bytes = message->bytes,
                                  .time = time,
                                  .error = time < -error - rounding ? INT64_MAX : error});
}

void fth_path_free_messages(struct fth_message_sums *sums)
{
    fth_intern_free(&sums->pairs);
    fth_intern_trail_free(&sums->trail);
    free(sums->all);
    free(sums->units);
    free(sums->firsts);
}

/* ---- the table ---- */

enum {
    M_FROM_RANK,
    M_FROM_PROC,
    M_FROM_NODE,
    M_FROM_BLOCK,
    M_TO_RANK,
    M_TO_PROC,
    M_TO_NODE,
    M_TO_BLOCK,
    M_UNKNOWN,
    M_COUNT,
    M_BYTES,
    M_UNSIZED,
    M_TIMED,
    M_TIMED_BYTES,
    M_TIME,
    M_RATE,
    COLUMNS
};
static const struct fth_column columns[COLUMNS] = {
    {"from_rank", "from rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"from_proc", "from proc", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"from_node", "from node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"from_block", "from", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"to_rank", "to rank", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"to_proc", "to proc", FTH_UNIT_NUMBER, FTH_SHOW_UNLESS_NULL},
    {"to_node", "to node", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_SAME},
    {"to_block", "to", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"unknown", "receiver unknown", FTH_UNIT_TEXT, FTH_SHOW_UNLESS_NULL},
    {"count", "messages", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"bytes", "bytes", FTH_UNIT_BYTES, FTH_SHOW_ALWAYS},
    {"unsized", "of unknown size", FTH_UNIT_COUNT, FTH_SHOW_UNLESS_ZERO},
    {"timed", "timed", FTH_UNIT_COUNT, FTH_SHOW_ALWAYS},
    {"timed_bytes", "bytes timed", FTH_UNIT_BYTES, FTH_SHOW_UNLESS_ZERO},
    {"time", "time", FTH_UNIT_TIME, FTH_SHOW_ALWAYS},
    {"rate", "mean rate", FTH_UNIT_RATE, FTH_SHOW_ALWAYS},
};
static const struct fth_shape
    between_processes = {"messages", "Messages", columns, COLUMNS, 0},
    between_nodes = {"messages", "Messages between nodes (too many pairs of processes)", columns,
                     COLUMNS, 0},
    between_blocks = {"messages", "Messages between blocks (too many pairs)", columns, COLUMNS, 0};

static const struct fth_process *process_of(const struct fth_path *path, uint32_t whole)
{
    const struct fth_message_sums *sums = &path->matches.sums;
    return fth_trace_process(path->trace, sums->firsts ? sums->firsts[whole] : whole);
}

static const char *host_of(const struct fth_process *process)
{
    return process->host ? process->host : "?";
}

/* "procs 0-15", "node01 to node16" */
static void set_block(const struct fth_path *path, struct fth_table *table, size_t row,
                      size_t column, uint32_t number)
{
    const struct fth_message_sums *sums = &path->matches.sums;
    uint32_t first = number * sums->block, last = sums->whole_count - first > sums->block
                                                      ? first + sums->block - 1
                                                      : sums->whole_count - 1;
    char *text = sums->firsts ? fth_text_format("%s to %s", host_of(process_of(path, first)),
                                                host_of(process_of(path, last)))
                              : fth_text_format("procs %" PRIu32 "-%" PRIu32, first, last);
    fth_table_set(table, row, column, fth_cell_text(text));
    free(text);
}

/* What unit `number` is, in the columns from `first` on. */
static void set_unit(const struct fth_path *path, struct fth_table *table, size_t row, size_t first,
                     uint32_t number)
{
    const struct fth_message_sums *sums = &path->matches.sums;
    if (sums->block > 1) {
        set_block(path, table, row, first + M_FROM_BLOCK, number);
        return;
    }
    const struct fth_process *process = process_of(path, number);
    fth_table_set(table, row, first + M_FROM_NODE, fth_cell_text(process->host));
    if (sums->firsts)
        return;
    fth_table_set(table, row, first + M_FROM_PROC, fth_cell_integer(number));
    if (process->rank != FTH_NO_RANK)
        fth_table_set(table, row, first + M_FROM_RANK, fth_cell_integer(process->rank));
}

static void set_sum(struct fth_table *table, size_t row, const struct fth_message_sum *sum)
{
    fth_table_set(table, row, M_COUNT, fth_cell_integer(sum->count));
    fth_table_set(table, row, M_BYTES, fth_cell_integer(sum->bytes));
    fth_table_set(table, row, M_UNSIZED, fth_cell_integer(sum->unsized));
    bool known = sum->time > 0 && sum->time > sum->error;
    fth_table_set(table, row, M_TIMED, fth_cell_integer(known ? sum->timed : 0));
    if (!known)
        return;
    fth_table_set(table, row, M_TIMED_BYTES, fth_cell_integer(sum->timed_bytes));
    fth_table_set(table, row, M_TIME, fth_cell_integer(sum->time));
    double rate = (double)sum->timed_bytes * 1e9 / (double)sum->time + 0.5;
    fth_table_set(table, row, M_RATE, fth_cell_integer(fth_saturating_integer(rate)));
}

struct fth_table *fth_path_messages_table(const struct fth_path *path)
{
    const struct fth_message_sums *sums = &path->matches.sums;
    struct fth_table *table = fth_table_new(sums->block > 1 ? &between_blocks
                                            : sums->firsts  ? &between_nodes
                                                            : &between_processes);
    for (uint32_t i = 0; i < sums->pairs.count; i++) {
        struct fth_message_pair pair = pair_at(sums, i);
        size_t row = fth_table_add_row(table);
        set_unit(path, table, row, M_FROM_RANK, pair.from);
        if (pair.to < FTH_NOT_KNOWN)
            set_unit(path, table, row, M_TO_RANK, pair.to);
        else
            fth_table_set(
                table, row, M_UNKNOWN,
                fth_cell_text(pair.to == FTH_NOT_KNOWN ? "communicator" : "not recorded"));
        set_sum(table, row, &sums->all[i]);
    }
    fth_table_sort(table, (const size_t[]){M_FROM_PROC, M_TO_PROC}, 2);
    fth_table_sort_by_sum(table, (const size_t[]){M_BYTES}, 1);
    return table;
}
