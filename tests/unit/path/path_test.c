/* Waits and the critical path of random runs that are played through: ranks that compute, do I/O, meet at barriers and send messages, each of which takes a known time. What
 * is found is what was played; and a run without something is the run that is played without it. The order of the run is given here, not computed. */
#include "base/memory.h"
#include "path/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_RANKS = 5,
    MOST_DEEDS = 40,
    PROGRAMS = 4000,
    WORKS = 4,
    COMPUTING = 0,
    IO = 1,
    BARRIER = 2,
    MESSAGE = 3
};

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

/* ---- a program ---- */

enum kind { COMPUTE, DO_IO, MEET, SEND, RECEIVE };
struct deed {
    enum kind kind;
    int64_t length;  /* of a meeting and of messages: what they take when all are there */
    int peer, place; /* of a message: rank, and the deed there */
};
static struct {
    int ranks, counts[MOST_RANKS];
    struct deed deeds[MOST_RANKS][MOST_DEEDS];
} program;

static struct deed *add(int rank, enum kind kind, int64_t length)
{
    struct deed *deed = &program.deeds[rank][program.counts[rank]++];
    *deed = (struct deed){.kind = kind, .length = length};
    return deed;
}

static void draw_program(uint32_t seed)
{
    state = seed;
    memset(&program, 0, sizeof program);
    program.ranks = 1 + (int)draw(MOST_RANKS);
    for (int turn = 0; turn < 24; turn++) {
        int rank = (int)draw((uint32_t)program.ranks), other = (int)draw((uint32_t)program.ranks);
        uint32_t what = draw(10);
        if (what < 4) {
            add(rank, COMPUTE, 1 + draw(1000));
        } else if (what < 7) {
            add(rank, DO_IO, 1 + draw(1000));
        } else if (what < 8) {
            for (int i = 0; i < program.ranks; i++)
                add(i, MEET, 1 + draw(10));
        } else if (rank != other) {
            struct deed *send = add(rank, SEND, 1 + draw(10)),
                        *receive = add(other, RECEIVE, 1 + draw(10));
            receive->peer = rank;
            receive->place = (int)(send - program.deeds[rank]);
        }
    }
}

/* ---- played through: entries and exits ---- */

struct played {
    int64_t begin[MOST_RANKS][MOST_DEEDS], end[MOST_RANKS][MOST_DEEDS];
    int64_t waits[MOST_RANKS][MOST_DEEDS];
    int64_t whole;
};

/* `gone`: length of I/O is 0. All deeds before `at` of each rank are played. */
static void play(struct played *played, bool io_is_gone, bool meetings_do_not_wait)
{
    int at[MOST_RANKS] = {0}, left = 1;
    int64_t now[MOST_RANKS] = {0};
    memset(played, 0, sizeof *played);
    while (left) {
        left = 0;
        int meeting = 0;
        for (int rank = 0; rank < program.ranks; rank++) {
            while (at[rank] < program.counts[rank]) {
                const struct deed *deed = &program.deeds[rank][at[rank]];
                int64_t begin = now[rank], from = begin;
                if (deed->kind == MEET && !meetings_do_not_wait)
                    break;
                if (deed->kind == RECEIVE) {
                    if (at[deed->peer] <= deed->place)
                        break;
                    int64_t sent = played->begin[deed->peer][deed->place];
                    from = sent > begin ? sent : begin;
                }
                played->begin[rank][at[rank]] = begin;
                played->waits[rank][at[rank]] = from - begin;
                now[rank] = from + (deed->kind == DO_IO && io_is_gone ? 0 : deed->length);
                played->end[rank][at[rank]++] = now[rank];
            }
            left += at[rank] < program.counts[rank];
            meeting +=
                at[rank] < program.counts[rank] && program.deeds[rank][at[rank]].kind == MEET;
        }
        if (meeting < program.ranks)
            continue;
        int64_t last = 0;
        for (int rank = 0; rank < program.ranks; rank++)
            last = now[rank] > last ? now[rank] : last;
        for (int rank = 0; rank < program.ranks; rank++) {
            played->begin[rank][at[rank]] = now[rank];
            played->waits[rank][at[rank]] = last - now[rank];
            now[rank] = last + program.deeds[rank][at[rank]].length;
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
};
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
size_t fth_trace_function_count(const struct fth_trace *trace)
{
    (void)trace;
    return 4;
}
const struct fth_function *fth_trace_function(const struct fth_trace *trace, size_t index)
{
    (void)trace;
    return &functions[index];
}

static struct fth_order_edge edges[MOST_RANKS][MOST_DEEDS];
static size_t edge_counts[MOST_RANKS];
static struct fth_event hubs[MOST_DEEDS][MOST_RANKS];
static size_t hub_count;
const struct fth_order_edge *fth_order_edges(const struct fth_order *order, uint32_t strand,
                                             size_t *count)
{
    (void)order;
    *count = edge_counts[strand];
    return edges[strand];
}
size_t fth_order_hubs(const struct fth_order *order)
{
    (void)order;
    return hub_count;
}
const struct fth_event *fth_order_hub(const struct fth_order *order, size_t hub, size_t *count,
                                      bool *chained)
{
    (void)order;
    *chained = false;
    *count = (size_t)program.ranks;
    return hubs[hub];
}

/* ---- from a run to strands ---- */

static struct fth_strand strands[MOST_RANKS];
static struct fth_flow_event events[MOST_RANKS][2 * MOST_DEEDS + 2];
static uint32_t first_share[MOST_RANKS][2 * MOST_DEEDS + 3], share_work[MOST_RANKS][2 * MOST_DEEDS];
static int64_t share_time[MOST_RANKS][2 * MOST_DEEDS];

static void put_event(struct fth_strand *strand, struct fth_flow_event event)
{
    strand->first_share[strand->event_count] = strand->share_count;
    strand->events[strand->event_count++] = event;
    strand->first_share[strand->event_count] = strand->share_count;
}

static void put_share(struct fth_strand *strand, uint32_t work, int64_t time)
{
    strand->share_work[strand->share_count] = work;
    strand->share_time[strand->share_count++] = time;
    strand->first_share[strand->event_count] = strand->share_count;
}

static uint32_t entry_of[MOST_RANKS][MOST_DEEDS]; /* steps */

static void put_rank(const struct played *played, int rank)
{
    struct fth_strand *strand = &strands[rank];
    *strand = (struct fth_strand){.proc = (uint32_t)rank,
                                  .events = events[rank],
                                  .first_share = first_share[rank],
                                  .share_work = share_work[rank],
                                  .share_time = share_time[rank]};
    put_event(strand, (struct fth_flow_event){0, UINT32_MAX, FTH_NO_FUNCTION, false});
    int64_t now = 0;
    for (int i = 0; i < program.counts[rank]; i++) {
        const struct deed *deed = &program.deeds[rank][i];
        int64_t length = played->end[rank][i] - played->begin[rank][i];
        now = played->end[rank][i];
        if (deed->kind == COMPUTE || deed->kind == DO_IO) {
            put_share(strand, deed->kind == COMPUTE ? COMPUTING : IO, length);
            continue;
        }
        uint16_t function = deed->kind == MEET ? 1 : deed->kind == RECEIVE ? 2 : 3;
        uint32_t entry = entry_of[rank][i] = strand->event_count;
        put_event(strand,
                  (struct fth_flow_event){played->begin[rank][i], (uint32_t)i, function, false});
        put_share(strand, deed->kind == MEET ? BARRIER : MESSAGE, length);
        put_event(strand, (struct fth_flow_event){now, entry, function, true});
    }
    put_event(strand, (struct fth_flow_event){now, UINT32_MAX, FTH_NO_FUNCTION, false});
    processes[rank] = (struct fth_process){.rank = rank, .end = now, .thread_count = 1};
}

static void put_edges(void)
{
    hub_count = 0;
    for (int rank = 0; rank < program.ranks; rank++) {
        size_t meetings = 0;
        edge_counts[rank] = 0;
        for (int i = 0; i < program.counts[rank]; i++) {
            const struct deed *deed = &program.deeds[rank][i];
            struct fth_order_edge *edge = &edges[rank][edge_counts[rank]];
            if (deed->kind == MEET) {
                hubs[meetings][rank] = (struct fth_event){(uint32_t)rank, entry_of[rank][i]};
                *edge = (struct fth_order_edge){entry_of[rank][i] + 1, FTH_NO_STRAND,
                                                (uint32_t)meetings++};
            } else if (deed->kind == RECEIVE) {
                *edge = (struct fth_order_edge){entry_of[rank][i] + 1, (uint32_t)deed->peer,
                                                entry_of[deed->peer][deed->place]};
            } else {
                continue;
            }
            edge_counts[rank]++;
        }
        hub_count = meetings > hub_count ? meetings : hub_count;
    }
}

/* As fth_path_open does it when all calls have been gone through. */
static struct fth_path *path_of(const struct played *played)
{
    static const struct fth_flow_work works[WORKS] = {
        {FTH_NO_FUNCTION, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0},
        {0, 0, FTH_FLOW_NO_FILE, 0},
        {1, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0},
        {2, FTH_NO_FUNCTION, FTH_FLOW_NO_FILE, 0}};
    struct fth_path *path = fth_new(1, sizeof *path);
    for (int rank = 0; rank < program.ranks; rank++)
        put_rank(played, rank);
    put_edges();
    path->strands = strands;
    path->strand_count = (uint32_t)program.ranks;
    path->first_strand = fth_new(MOST_RANKS + 1, sizeof *path->first_strand);
    path->hosts = fth_new(MOST_RANKS, sizeof *path->hosts);
    path->selected = fth_new(MOST_RANKS, sizeof *path->selected);
    for (uint32_t i = 0; i <= MOST_RANKS; i++)
        path->first_strand[i] = i;
    memset(path->selected, 1, MOST_RANKS);
    path->all_work = works;
    path->work_count = WORKS;
    path->end = played->whole;
    path->causes = fth_new(MOST_RANKS * FTH_WAITS, sizeof *path->causes);
    fth_path_note_functions(path);
    for (int meeting = 0; meeting < (int)hub_count; meeting++) {
        struct fth_order_member members[MOST_RANKS];
        for (int rank = 0; rank < program.ranks; rank++) {
            struct fth_event begin = hubs[meeting][rank];
            members[rank] = (struct fth_order_member){
                (uint32_t)rank, 0, 0, begin, {begin.strand, begin.step + 1}};
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
    fth_works_free(path->works);
    free(path->facts);
    free(path->first_strand);
    free(path->hosts);
    free(path->selected);
    free(path->hub_latest);
    free(path->waits);
    free(path->wait_places);
    free(path->causes);
    free(path->critical_work);
    free(path->critical_proc);
    free(path->last_count);
    free(path->last_caused);
    free(path->balances);
    free(path);
}

/* ---- the tests ---- */

static int64_t waited(const struct fth_path *path, int rank, enum fth_wait kind)
{
    int64_t time = 0;
    for (size_t i = 0; i < path->wait_count; i++)
        if (path->waits[i].proc == (uint32_t)rank && path->waits[i].kind == kind)
            time += path->waits[i].time;
    return time;
}

static int64_t played_waits(const struct played *played, int rank, enum kind kind)
{
    int64_t time = 0;
    for (int i = 0; i < program.counts[rank]; i++)
        time += program.deeds[rank][i].kind == kind ? played->waits[rank][i] : 0;
    return time;
}

static void waits_are_found(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        struct played played;
        draw_program(seed);
        play(&played, false, false);
        struct fth_path *path = path_of(&played);
        for (int rank = 0; rank < program.ranks; rank++) {
            assert_int_equal(waited(path, rank, FTH_WAIT_BARRIER),
                             played_waits(&played, rank, MEET));
            assert_int_equal(waited(path, rank, FTH_WAIT_LATE_SENDER),
                             played_waits(&played, rank, RECEIVE));
        }
        close_path(path);
    }
}

/* All of the run is on the path, once, and nothing of it is waiting: what is on it is as long as the deeds were. */
static void path_covers_the_run(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        struct played played;
        int64_t sum = 0, by_rank = 0, most[WORKS] = {0};
        draw_program(seed);
        play(&played, false, false);
        struct fth_path *path = path_of(&played);
        for (int rank = 0; rank < program.ranks; rank++) {
            by_rank += path->critical_proc[rank];
            for (int i = 0; i < program.counts[rank]; i++) {
                const struct deed *deed = &program.deeds[rank][i];
                most[deed->kind == COMPUTE ? COMPUTING
                     : deed->kind == DO_IO ? IO
                     : deed->kind == MEET  ? BARRIER
                                           : MESSAGE] += deed->length;
            }
        }
        for (int work = 0; work < WORKS; work++) {
            sum += path->critical_work[work];
            assert_true(path->critical_work[work] <= most[work]);
        }
        assert_int_equal(path->sums.length, played.whole);
        assert_int_equal(sum, played.whole);
        assert_int_equal(by_rank, played.whole);
        close_path(path);
    }
}

static bool is_io(void *context, const struct fth_path_work *work)
{
    (void)context;
    return work->function == &functions[0];
}

static void without_is_the_run_without(void **unused)
{
    (void)unused;
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        struct played played, other;
        draw_program(seed);
        play(&played, false, false);
        struct fth_path *path = path_of(&played);
        assert_int_equal(fth_path_without(path, &(struct fth_path_change){0}), played.whole);
        play(&other, true, false);
        assert_int_equal(fth_path_without(path, &(struct fth_path_change){.gone = is_io}),
                         other.whole);
        play(&other, false, true);
        assert_int_equal(
            fth_path_without(path, &(struct fth_path_change){.waits = 1u << FTH_WAIT_BARRIER}),
            other.whole);
        close_path(path);
    }
}

/* Ranks that meet again and again, the last of them works eight times as long as the others. */
static void draw_straggler(int ranks)
{
    memset(&program, 0, sizeof program);
    program.ranks = ranks;
    for (int turn = 0; turn < 10; turn++)
        for (int rank = 0; rank < ranks; rank++) {
            add(rank, COMPUTE, rank == ranks - 1 ? 800 : 100);
            add(rank, MEET, 1);
        }
}

static void straggler_is_found(void **unused)
{
    (void)unused;
    struct played played;
    draw_straggler(4);
    play(&played, false, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.straggler, 3);
    assert_int_equal(path->sums.straggler_last, 10);
    assert_int_equal(path->sums.straggler_caused, 10 * 3 * 700);
    assert_int_equal(path->sums.late, 10 * 3 * 700);
    assert_int_equal(path->sums.late_compute, 10 * 3 * 700);
    assert_int_equal(path->sums.late_io, 0);
    /* all compute (800 + 3 * 100) / 4 */
    int64_t balanced = fth_path_without(path, &(struct fth_path_change){.balanced = true});
    assert_in_range(balanced, 10 * 276 - 10, 10 * 276 + 10);
    close_path(path);
}

static void equal_ranks_are_no_stragglers(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 10; turn++)
        for (int rank = 0; rank < 4; rank++) {
            add(rank, COMPUTE, 100 + (turn + rank) % 4); /* each is the last one at times */
            add(rank, MEET, 1);
        }
    play(&played, false, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.straggler, -1);
    close_path(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_are_found),
        cmocka_unit_test(path_covers_the_run),
        cmocka_unit_test(without_is_the_run_without),
        cmocka_unit_test(straggler_is_found),
        cmocka_unit_test(equal_ranks_are_no_stragglers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
