/* Runs that are played through: ranks that compute, do I/O, meet, gather and send messages,
 * each of which takes a known time; and what the path room is given of them. The order of the run
 * is given here, not computed. */
#ifndef FTH_TEST_PLAYED_H
#define FTH_TEST_PLAYED_H

#include "base/memory.h"
#include "path/run_flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_RANKS = 5,
    MOST_OPERATIONS = 40,
    WORK_KINDS = 4,
    COMPUTING = 0,
    IO = 1,
    BARRIER = 2,
    MESSAGE = 3
};

/* ---- a program ---- */

enum kind { COMPUTE, DO_IO, MEET, GATHER, SPREAD, SEND, RECEIVE }; /* GATHER: to a root; SPREAD */
struct operation {
    enum kind kind;
    int64_t length;    /* of a meeting and of messages: what they take when all are there */
    int peer, place;   /* of a message: rank, and the operation there; peer of GATHER: the root */
    int64_t meanwhile; /* of MEET: computation before it is waited for, if it does not block */
};
static bool is_collective(enum kind kind)
{
    return kind == MEET || kind == GATHER || kind == SPREAD;
}
static struct {
    int ranks, counts[MOST_RANKS];
    int64_t begins[MOST_RANKS];
    struct operation operations[MOST_RANKS][MOST_OPERATIONS];
} program;

static struct operation *add(int rank, enum kind kind, int64_t length)
{
    struct operation *operation = &program.operations[rank][program.counts[rank]++];
    *operation = (struct operation){.kind = kind, .length = length};
    return operation;
}

/* ---- played through: entries and exits ---- */

struct played {
    int64_t begin[MOST_RANKS][MOST_OPERATIONS], end[MOST_RANKS][MOST_OPERATIONS];
    int64_t waits[MOST_RANKS][MOST_OPERATIONS];
    bool entered[MOST_RANKS][MOST_OPERATIONS];
    int64_t whole;
};

/* What I/O takes, in halves of its length. */
enum io { IO_IS_GONE, HALF_OF_IO, ALL_IO };

/* The place of the rank's n-th collective call. */
static int place_of_call(int rank, int n)
{
    int place = 0;
    while (!is_collective(program.operations[rank][place].kind) || n--)
        place++;
    return place;
}

/* When those have come that the call at this place, GATHER or SPREAD, waits for; -1: not known. */
static int64_t rooted_from(const struct played *played, const int *at, int rank, int place)
{
    const struct operation *operation = &program.operations[rank][place];
    int64_t last = 0;
    int n = 0;
    for (int i = 0; i < place; i++)
        n += is_collective(program.operations[rank][i].kind);
    for (int other = 0; other < program.ranks; other++) {
        bool waits = operation->kind == GATHER ? rank == operation->peer : other == operation->peer;
        if (!waits || other == rank)
            continue;
        int there = place_of_call(other, n);
        if (at[other] < there || (at[other] == there && !played->entered[other][there]))
            return -1;
        last = played->begin[other][there] > last ? played->begin[other][there] : last;
    }
    return last;
}

/* All operations before `at` of each rank are played. */
static void play(struct played *played, enum io io, bool meetings_do_not_wait)
{
    int at[MOST_RANKS] = {0}, left = 1;
    int64_t now[MOST_RANKS] = {0};
    memset(played, 0, sizeof *played);
    for (int rank = 0; rank < program.ranks; rank++)
        now[rank] = program.begins[rank];
    while (left) {
        left = 0;
        int meeting = 0;
        for (int rank = 0; rank < program.ranks; rank++) {
            while (at[rank] < program.counts[rank]) {
                const struct operation *operation = &program.operations[rank][at[rank]];
                int64_t begin = now[rank], from = begin;
                if (operation->kind == MEET && !meetings_do_not_wait)
                    break;
                if (operation->kind == RECEIVE) {
                    if (at[operation->peer] <= operation->place)
                        break;
                    int64_t sent = played->begin[operation->peer][operation->place];
                    from = sent > begin ? sent : begin;
                }
                if (operation->kind == GATHER || operation->kind == SPREAD) {
                    played->begin[rank][at[rank]] = begin;
                    left += !played->entered[rank][at[rank]];
                    played->entered[rank][at[rank]] = true;
                    int64_t others = rooted_from(played, at, rank, at[rank]);
                    if (others < 0)
                        break;
                    from = others > begin ? others : begin;
                }
                played->begin[rank][at[rank]] = begin;
                played->waits[rank][at[rank]] = from - begin;
                now[rank] = from + (operation->kind == DO_IO ? operation->length / 2 * (int)io
                                                             : operation->length);
                played->end[rank][at[rank]++] = now[rank];
            }
            left += at[rank] < program.counts[rank];
            meeting +=
                at[rank] < program.counts[rank] && program.operations[rank][at[rank]].kind == MEET;
        }
        if (meeting < program.ranks)
            continue;
        int64_t last = 0;
        for (int rank = 0; rank < program.ranks; rank++)
            last = now[rank] > last ? now[rank] : last;
        for (int rank = 0; rank < program.ranks; rank++) {
            played->begin[rank][at[rank]] = now[rank];
            const struct operation *operation = &program.operations[rank][at[rank]];
            int64_t from = now[rank] + operation->meanwhile, until = last > from ? last : from;
            played->waits[rank][at[rank]] = until - from;
            now[rank] = until + operation->length;
            played->end[rank][at[rank]++] = now[rank];
        }
    }
    for (int rank = 0; rank < program.ranks; rank++)
        played->whole = now[rank] > played->whole ? now[rank] : played->whole;
}

/* ---- the trace and the order of it, as the path room asks for them ---- */

static struct fth_process processes[MOST_RANKS];
static const struct fth_function functions[] = {
    {.name = "pwrite", .layer = "posix", .kind = "write"},
    {.name = "MPI_Barrier",
     .layer = "mpi",
     .kind = "collective",
     .collective = true,
     .orders = "barrier"},
    {.name = "MPI_Recv", .layer = "mpi", .kind = "recv"},
    {.name = "MPI_Send", .layer = "mpi", .kind = "send"},
    {.name = "MPI_Reduce",
     .layer = "mpi",
     .kind = "collective",
     .collective = true,
     .orders = "to_root"},
    {.name = "MPI_Bcast",
     .layer = "mpi",
     .kind = "collective",
     .collective = true,
     .orders = "from_root"},
    {.name = "MPI_Ibarrier",
     .layer = "mpi",
     .kind = "collective",
     .collective = true,
     .orders = "barrier"},
    {.name = "MPI_Wait", .layer = "mpi", .kind = "wait"},
    {.name = "MPI_Win_lock", .layer = "mpi", .kind = "rma", .orders = "lock"},
};
enum { WIN_LOCK = sizeof functions / sizeof *functions - 1 };
size_t fth_trace_process_count(const struct fth_trace *trace)
{
    (void)trace;
    return (size_t)program.ranks;
}
const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc)
{
    (void)trace;
    return &processes[proc];
}
static struct fth_trace_info info;
static const char *host; /* of all ranks; NULL: not known */
const struct fth_trace_info *fth_trace_info(const struct fth_trace *trace)
{
    (void)trace;
    return &info;
}
size_t fth_trace_function_count(const struct fth_trace *trace)
{
    (void)trace;
    return sizeof functions / sizeof *functions;
}
const struct fth_function *fth_trace_function(const struct fth_trace *trace, size_t index)
{
    (void)trace;
    return &functions[index];
}

static struct fth_order_edge edges[MOST_RANKS][MOST_RANKS * MOST_OPERATIONS];
static size_t edge_counts[MOST_RANKS];
static struct fth_event hubs[MOST_OPERATIONS][MOST_RANKS];
static size_t hub_count;
const struct fth_rows *fth_order_edges(const struct fth_order *order, uint32_t timeline)
{
    static struct fth_rows rows[MOST_RANKS];
    (void)order;
    fth_rows_free(&rows[timeline]);
    rows[timeline].columns = 3;
    for (size_t i = 0; i < edge_counts[timeline]; i++) {
        const struct fth_order_edge *edge = &edges[timeline][i];
        fth_rows_add(&rows[timeline], (int64_t[]){edge->to, edge->from, edge->step});
    }
    return &rows[timeline];
}
size_t fth_order_hubs(const struct fth_order *order)
{
    (void)order;
    return hub_count;
}
size_t fth_order_hub_size(const struct fth_order *order, size_t hub, bool *chained)
{
    (void)order, (void)hub;
    *chained = false;
    return (size_t)program.ranks;
}
struct fth_event fth_order_hub_input(const struct fth_order *order, struct fth_rows_place *place,
                                     size_t hub, size_t i)
{
    (void)order, (void)place;
    return hubs[hub][i];
}

/* ---- from a run to timelines ---- */

static struct fth_thread_timeline timelines[MOST_RANKS];
static struct fth_flow_store stores[MOST_RANKS];

/* steps */
static uint32_t entry_of[MOST_RANKS][MOST_OPERATIONS], exit_of[MOST_RANKS][MOST_OPERATIONS];

/* A call that does not block, and returns at once; then computation. */
static uint32_t put_start(struct fth_flow_packer *packer, int64_t time, int call, int64_t meanwhile)
{
    uint32_t entry =
        fth_flow_add_event(packer, (struct fth_flow_event){time, (uint32_t)call, 6, false});
    fth_flow_add_event(packer, (struct fth_flow_event){time, entry, 6, true});
    fth_flow_add_time(packer, COMPUTING, meanwhile);
    return entry;
}

static void put_rank(const struct played *played, int rank)
{
    struct fth_thread_timeline *timeline = &timelines[rank];
    *timeline = (struct fth_thread_timeline){.proc = (uint32_t)rank};
    stores[rank] = (struct fth_flow_store){0};
    struct fth_flow_packer packer = {.timeline = timeline, .store = &stores[rank]};
    int64_t now = program.begins[rank];
    fth_flow_add_event(&packer, (struct fth_flow_event){now, UINT32_MAX, FTH_NO_FUNCTION, false});
    for (int i = 0; i < program.counts[rank]; i++) {
        const struct operation *operation = &program.operations[rank][i];
        int64_t length = played->end[rank][i] - played->begin[rank][i];
        now = played->end[rank][i];
        if (operation->kind == COMPUTE || operation->kind == DO_IO) {
            fth_flow_add_time(&packer, operation->kind == COMPUTE ? COMPUTING : IO, length);
            continue;
        }
        static const uint16_t of[] = {
            [MEET] = 1, [RECEIVE] = 2, [SEND] = 3, [GATHER] = 4, [SPREAD] = 5};
        uint16_t function = of[operation->kind];
        int64_t begin = played->begin[rank][i];
        bool blocks = !operation->meanwhile;
        if (!blocks) {
            entry_of[rank][i] = put_start(&packer, begin, i, operation->meanwhile);
            begin += operation->meanwhile;
            length -= operation->meanwhile;
            function = 7;
        }
        uint32_t entry = fth_flow_add_event(
            &packer, (struct fth_flow_event){begin, (uint32_t)i, function, false});
        entry_of[rank][i] = blocks ? entry : entry_of[rank][i];
        fth_flow_add_time(&packer, is_collective(operation->kind) ? BARRIER : MESSAGE, length);
        exit_of[rank][i] =
            fth_flow_add_event(&packer, (struct fth_flow_event){now, entry, function, true});
    }
    fth_flow_add_event(&packer, (struct fth_flow_event){now, UINT32_MAX, FTH_NO_FUNCTION, false});
    fth_flow_end_timeline(&packer);
    uint32_t *numbers = fth_new(WORK_KINDS, sizeof *numbers);
    for (uint32_t i = 0; i < WORK_KINDS; i++)
        numbers[i] = i;
    fth_flow_end_store(&stores[rank], numbers, timeline, 1);
    processes[rank] = (struct fth_process){
        .rank = rank, .host = host, .start = program.begins[rank], .end = now, .thread_count = 1};
}

static void put_edge(int rank, uint32_t to, uint32_t from, uint32_t step)
{
    edges[rank][edge_counts[rank]++] = (struct fth_order_edge){to, from, step};
}

/* `calls`: its collective calls before. */
static void put_edges_of(int rank, int place, size_t calls)
{
    const struct operation *operation = &program.operations[rank][place];
    uint32_t exit = exit_of[rank][place];
    if (operation->kind == MEET)
        put_edge(rank, exit, FTH_NO_TIMELINE, (uint32_t)calls);
    else if (operation->kind == RECEIVE)
        put_edge(rank, exit, (uint32_t)operation->peer,
                 entry_of[operation->peer][operation->place]);
    for (int other = 0; other < program.ranks; other++)
        if (other != rank && ((operation->kind == GATHER && rank == operation->peer) ||
                              (operation->kind == SPREAD && other == operation->peer)))
            put_edge(rank, exit, (uint32_t)other,
                     entry_of[other][place_of_call(other, (int)calls)]);
}

static void put_edges(void)
{
    hub_count = 0;
    for (int rank = 0; rank < program.ranks; rank++) {
        size_t calls = 0;
        edge_counts[rank] = 0;
        for (int i = 0; i < program.counts[rank]; i++) {
            put_edges_of(rank, i, calls);
            if (is_collective(program.operations[rank][i].kind))
                hubs[calls++][rank] = (struct fth_event){(uint32_t)rank, entry_of[rank][i]};
        }
        hub_count = calls > hub_count ? calls : hub_count;
    }
}

/* As fth_path_open does it when all calls have been gone through. */
static double straggles = 0.5; /* from when on a rank does */

static struct fth_path *path_of(const struct played *played)
{
    static const struct fth_flow_work work[WORK_KINDS] = {
        {FTH_NO_FUNCTION, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0, FTH_ACTIVITIES, false, false},
        {0, 0, FTH_FLOW_NO_FILE, 0, FTH_ACTIVITY_WRITING, true, false},
        {1, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0, FTH_ACTIVITY_MESSAGES, false, false},
        {2, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0, FTH_ACTIVITY_MESSAGES, false, false}};
    struct fth_path *path = fth_new(1, sizeof *path);
    for (int rank = 0; rank < program.ranks; rank++)
        put_rank(played, rank);
    put_edges();
    path->straggles = straggles;
    path->timelines = timelines;
    path->timeline_count = (uint32_t)program.ranks;
    path->first_timeline = fth_new(MOST_RANKS + 1, sizeof *path->first_timeline);
    path->hosts = fth_new(MOST_RANKS, sizeof *path->hosts);
    path->selected = fth_new(MOST_RANKS, sizeof *path->selected);
    for (uint32_t i = 0; i <= MOST_RANKS; i++)
        path->first_timeline[i] = i;
    memset(path->selected, 1, MOST_RANKS);
    path->work.all = work;
    path->work.count = WORK_KINDS;
    path->end = played->whole;
    path->results.causes = fth_new(MOST_RANKS * FTH_WAITS, sizeof *path->results.causes);
    fth_path_note_functions(path);
    for (int meeting = 0; meeting < (int)hub_count; meeting++) {
        struct fth_order_member members[MOST_RANKS];
        for (int rank = 0; rank < program.ranks; rank++) {
            struct fth_event begin = hubs[meeting][rank];
            members[rank] = (struct fth_order_member){
                (uint32_t)rank,
                0,
                0,
                begin,
                {begin.timeline, exit_of[rank][place_of_call(rank, meeting)]}};
        }
        fth_path_together(path, members, (size_t)program.ranks);
    }
    fth_path_prepare_causes(path);
    fth_path_find_waits(path);
    fth_path_weigh_instances(path);
    fth_path_follow(path);
    return path;
}

static void close_path(struct fth_path *path)
{
    for (uint32_t i = 0; i < path->timeline_count; i++) {
        fth_flow_free_timeline(&path->timelines[i]);
        fth_flow_free_store(&stores[i]);
    }
    fth_call_classes_free(path->classes);
    free(path->facts);
    free(path->first_timeline);
    free(path->hosts);
    free(path->selected);
    fth_path_free_found(path);
    free(path);
}

#endif
