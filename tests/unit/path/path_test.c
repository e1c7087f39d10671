/* Waits and the critical path of random runs that are played through: what is found is what was
 * played; and a run without something is the run that is played without it. */
#include "../shortest.h"
#include "played.h"

enum { PROGRAMS = 4000, TURNS = 24 };

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

static void draw_program(uint32_t seed, uint32_t turns)
{
    state = seed;
    memset(&program, 0, sizeof program);
    program.ranks = 1 + (int)draw(MOST_RANKS);
    for (uint32_t turn = 0; turn < turns; turn++) {
        int rank = (int)draw((uint32_t)program.ranks), other = (int)draw((uint32_t)program.ranks);
        uint32_t what = draw(10);
        if (what < 4) {
            add(rank, COMPUTE, 1 + draw(1000));
        } else if (what < 7) {
            add(rank, DO_IO, 2 + 2 * draw(500)); /* even: half of it may be gone */
        } else if (what < 8) {
            for (int i = 0; i < program.ranks; i++)
                add(i, MEET, 1 + draw(10));
        } else if (rank != other) {
            struct operation *send = add(rank, SEND, 1 + draw(10)),
                             *receive = add(other, RECEIVE, 1 + draw(10));
            receive->peer = rank;
            receive->place = (int)(send - program.operations[rank]);
        }
    }
}

static int64_t waited(const struct fth_path *path, int rank, enum fth_wait kind)
{
    int64_t time = 0;
    for (size_t i = 0; i < path->results.wait_count; i++)
        if (path->results.waits[i].proc == (uint32_t)rank && path->results.waits[i].kind == kind)
            time += path->results.waits[i].time;
    return time;
}

static int64_t played_waits(const struct played *played, int rank, enum kind kind)
{
    int64_t time = 0;
    for (int i = 0; i < program.counts[rank]; i++)
        time += program.operations[rank][i].kind == kind ? played->waits[rank][i] : 0;
    return time;
}

static bool has_waits(uint32_t seed, uint32_t turns)
{
    struct played played;
    bool holds = true;
    draw_program(seed, turns);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    for (int rank = 0; rank < program.ranks; rank++)
        holds = holds &&
                waited(path, rank, FTH_WAIT_BARRIER) == played_waits(&played, rank, MEET) &&
                waited(path, rank, FTH_WAIT_LATE_SENDER) == played_waits(&played, rank, RECEIVE);
    close_path(path);
    return holds;
}

/* All of the run is on the path, once, and nothing of it is waiting: what is on it is as long as
 * the operations were. */
static bool has_all_on_the_path(uint32_t seed, uint32_t turns)
{
    struct played played;
    int64_t sum = 0, by_rank = 0, most[WORK_KINDS] = {0};
    bool holds = true;
    draw_program(seed, turns);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    for (int rank = 0; rank < program.ranks; rank++) {
        by_rank += path->results.critical_proc[rank];
        for (int i = 0; i < program.counts[rank]; i++) {
            const struct operation *operation = &program.operations[rank][i];
            most[operation->kind == COMPUTE ? COMPUTING
                 : operation->kind == DO_IO ? IO
                 : operation->kind == MEET  ? BARRIER
                                            : MESSAGE] += operation->length;
        }
    }
    for (int work = 0; work < WORK_KINDS; work++) {
        sum += path->results.critical_work[work];
        holds = holds && path->results.critical_work[work] <= most[work];
    }
    holds = holds && path->sums.length == played.whole && sum == played.whole &&
            by_rank == played.whole;
    close_path(path);
    return holds;
}

static bool is_io(void *context, const struct fth_path_work *work)
{
    (void)context;
    return work->function == &functions[0];
}

static bool is_without_as_played_without(uint32_t seed, uint32_t turns)
{
    static const struct {
        enum io io;
        bool meetings_do_not_wait;
        struct fth_path_change change;
    } cases[] = {{ALL_IO, false, {0}},
                 {IO_IS_GONE, false, {.gone = is_io}},
                 {HALF_OF_IO, false, {.gone = is_io, .kept = 0.5}},
                 {ALL_IO, true, {.waits = 1u << FTH_WAIT_BARRIER}}};
    struct played played, other;
    bool holds = true;
    draw_program(seed, turns);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        play(&other, cases[i].io, cases[i].meetings_do_not_wait);
        holds = holds && fth_path_without(path, &cases[i].change) == other.whole;
    }
    close_path(path);
    return holds;
}

static void print_program(void)
{
    static const char *const names[] = {"compute", "I/O", "meet", "send", "receive"};
    for (int rank = 0; rank < program.ranks; rank++) {
        print_error("  rank %d:", rank);
        for (int i = 0; i < program.counts[rank]; i++) {
            const struct operation *operation = &program.operations[rank][i];
            print_error("%s %s %lld", i ? "," : "", names[operation->kind],
                        (long long)operation->length);
            if (operation->kind == RECEIVE)
                print_error(" of rank %d's operation %d", operation->peer, operation->place);
        }
        print_error("\n");
    }
}

static void hold_for_all(fth_test_holds *holds, const char *what)
{
    for (uint32_t seed = 1; seed <= PROGRAMS; seed++) {
        if (holds(seed, TURNS))
            continue;
        uint32_t turns = shortest_that_fails(holds, seed, TURNS);
        draw_program(seed, turns);
        print_program();
        fail_msg("%s: seed %u, %u turns", what, seed, turns);
    }
}

static void waits_are_found(void **unused)
{
    (void)unused;
    hold_for_all(has_waits, "other waits than were played");
}

static void path_covers_the_run(void **unused)
{
    (void)unused;
    hold_for_all(has_all_on_the_path, "the path is not the run");
}

static void without_is_the_run_without(void **unused)
{
    (void)unused;
    hold_for_all(is_without_as_played_without, "another length than is played without");
}

/* ---- cases by hand ---- */

static void message(int from, int to)
{
    struct operation *send = add(from, SEND, 1), *receive = add(to, RECEIVE, 1);
    receive->peer = from;
    receive->place = (int)(send - program.operations[from]);
}

/* rank 0: computes 100, sends;  rank 1: computes 30, receives: it waits for 70. */
static void a_receive_waits_for_a_late_sender(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    add(0, COMPUTE, 100);
    add(1, COMPUTE, 30);
    message(0, 1);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(waited(path, 1, FTH_WAIT_LATE_SENDER), 70);
    assert_int_equal(waited(path, 0, FTH_WAIT_LATE_SENDER), 0);
    assert_int_equal(path->sums.length, 101);
    assert_int_equal(path->results.critical_work[COMPUTING], 100);
    close_path(path);
}

/* rank 0: computes 40;  rank 1: writes for 60; then both meet. */
static void who_comes_first_waits_at_a_barrier(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    add(0, COMPUTE, 40);
    add(1, DO_IO, 60);
    add(0, MEET, 1);
    add(1, MEET, 1);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(waited(path, 0, FTH_WAIT_BARRIER), 20);
    assert_int_equal(waited(path, 1, FTH_WAIT_BARRIER), 0);
    assert_int_equal(path->results.critical_work[IO], 60);
    assert_int_equal(path->results.critical_work[COMPUTING], 0);
    /* without I/O the other one is the last */
    assert_int_equal(fth_path_without(path, &(struct fth_path_change){.gone = is_io}), 41);
    close_path(path);
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
    play(&played, ALL_IO, false);
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

/* It is what the threshold says: of eleven calls the last rank is the last one in ten. */
static void a_straggler_is_what_the_threshold_says(void **unused)
{
    (void)unused;
    for (int often = 0; often < 2; often++) {
        struct played played;
        draw_straggler(4);
        add(0, COMPUTE, 2000);
        for (int rank = 0; rank < 4; rank++)
            add(rank, MEET, 1);
        play(&played, ALL_IO, false);
        straggles = often ? 0.95 : 0.6;
        struct fth_path *path = path_of(&played);
        assert_int_equal(path->sums.straggler, often ? -1 : 3);
        straggles = 0.5;
        close_path(path);
    }
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
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.straggler, -1);
    close_path(path);
}

/* 4 ranks that meet 4 times; one of them is the last one 3 times: any is by chance. */
static void chance_is_no_straggler(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 4; turn++)
        for (int rank = 0; rank < 4; rank++) {
            add(rank, COMPUTE, rank == (turn == 2 ? 1 : 3) ? 800 : 100);
            add(rank, MEET, 1);
        }
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.straggler, -1);
    close_path(path);
}

/* Who writes for all comes out of the call later than the others, and comes later to the next one:
 * it has nothing more to do than they have. */
static void who_writes_for_all_is_no_straggler(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 20; turn++)
        for (int rank = 0; rank < 4; rank++) {
            add(rank, COMPUTE, 100);
            add(rank, MEET, rank ? 1 : 900);
        }
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.late_instances, 19);
    assert_int_equal(path->sums.straggler, -1);
    close_path(path);
}

/* One rank does more I/O: that is gone if all of them do equally much, and what all compute
 * stays. */
static void io_is_balanced_by_itself(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 10; turn++)
        for (int rank = 0; rank < 4; rank++) {
            add(rank, COMPUTE, 100);
            add(rank, DO_IO, rank == 2 ? 800 : 40);
            add(rank, MEET, 1);
        }
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(path->sums.straggler, 2);
    assert_int_equal(path->sums.late_io, 10 * 3 * 760);
    assert_int_equal(path->results.computed[2], 10 * 100);
    assert_int_equal(path->results.did_io[2], 10 * 800);
    assert_int_equal(fth_path_without(path, &(struct fth_path_change){.balanced = true}),
                     played.whole);
    int64_t balanced = fth_path_without(path, &(struct fth_path_change){.balanced_io = true});
    assert_in_range(balanced, 10 * 331 - 10, 10 * 331 + 10); /* (800 + 3 * 40) / 4 */
    close_path(path);
}

/* What is said of messages names the function that takes most of what the sentence is about: here
 * of the time of all ranks, not of the critical path. */
static void messages_are_named_by_their_time(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    add(0, COMPUTE, 1000000);
    message(0, 1);
    program.operations[1][0].length = 50;
    for (int rank = 0; rank < 4; rank++)
        add(rank, MEET, 1);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    path->sums.program = played.whole;
    path->sums.working = 4 * played.whole;
    assert_true(path->results.critical_work[MESSAGE] > path->results.critical_work[BARRIER]);
    struct fth_findings findings = {0};
    double worth = 1 / (double)path->sums.working;
    fth_path_findings(path, worth, &findings);
    const struct fth_finding *finding = fth_finding_of(&findings, "much_in_messages");
    assert_non_null(finding);
    assert_non_null(strstr(finding->text, "most of it in MPI_Barrier."));
    fth_findings_free(&findings);

    path->results.work_time[MESSAGE] = path->results.work_time[BARRIER];
    fth_path_findings(path, worth, &findings);
    finding = fth_finding_of(&findings, "much_in_messages");
    assert_non_null(finding);
    assert_null(strstr(finding->text, "most of it"));
    assert_non_null(strstr(finding->text, "the largest part (50 %) in MPI_"));
    fth_findings_free(&findings);
    close_path(path);
}

/* Who waits for the lock of a window transfers nothing meanwhile. */
static void assert_no_transfer(const char *kind, int64_t computing)
{
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    for (int rank = 0; rank < 2; rank++) {
        add(rank, COMPUTE, computing);
        add(rank, MEET, 1000);
    }
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    struct fth_flow_work work[WORK_KINDS];
    memcpy(work, path->work.all, sizeof work);
    work[BARRIER].function = WIN_LOCK;
    path->work.all = work;
    path->sums.program = played.whole;
    path->sums.working = 2 * played.whole;
    struct fth_findings findings = {0};
    fth_path_findings(path, 0.005, &findings);
    const struct fth_finding *finding = fth_finding_of(&findings, kind);
    assert_non_null(finding);
    assert_non_null(strstr(finding->title, "Locking windows takes much"));
    assert_non_null(strstr(finding->text, "hold a lock"));
    assert_non_null(strstr(finding->advice, "Hold the locks of windows for shorter times"));
    assert_null(strstr(finding->text, "transfer"));
    assert_null(strstr(finding->advice, "Send less"));
    fth_findings_free(&findings);
    close_path(path);
}

static void locks_of_windows_are_no_transfer(void **unused)
{
    (void)unused;
    assert_no_transfer("bound_by_messages", 500);
    assert_no_transfer("much_in_messages", 1500);
}

/* Ranks that pass messages on in a ring, and meet at the end. In each turn one computes four times
 * as long as the others: always the last one, or each in its turn. */
static bool has_uneven_ring(bool always_the_last)
{
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 8; turn++) {
        for (int rank = 0; rank < 4; rank++)
            add(rank, COMPUTE, rank == (always_the_last ? 3 : turn % 4) ? 400 : 100);
        for (int rank = 0; rank < 4; rank++)
            message(rank, (rank + 1) % 4);
    }
    for (int rank = 0; rank < 4; rank++)
        add(rank, MEET, 1);
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    path->sums.program = played.whole;
    path->sums.working = 4 * played.whole;
    struct fth_findings findings = {0};
    fth_path_findings(path, 0.05, &findings);
    assert_non_null(fth_finding_of(&findings, "late_sender"));
    const struct fth_finding *finding = fth_finding_of(&findings, "compute_imbalance");
    if (finding) {
        assert_int_equal(finding->late.count, 1);
        assert_string_equal(finding->late.items[0], "3");
        assert_in_range(finding->gain, 8 * 225 - 50, 8 * 225 + 50); /* 400 - (400 + 300) / 4 */
        assert_non_null(strstr(finding->text, "rank 3 spends 3.20 us outside of calls (computation "
                                              "and unrecorded waits), and rank 0 800 ns."));
    }
    struct fth_table *changes = fth_path_table(path, FTH_PATH_WHAT_IF);
    bool is_offered = false;
    for (size_t i = 0; i < fth_table_rows(changes); i++)
        is_offered |= strcmp(fth_table_row(changes, i)[0].text, "compute_imbalance") == 0;
    assert_int_equal(is_offered, finding != NULL);
    fth_table_free(changes);
    fth_findings_free(&findings);
    close_path(path);
    return finding;
}

static void who_computes_longer_is_waited_for_by_messages(void **unused)
{
    (void)unused;
    assert_true(has_uneven_ring(true));
    assert_false(has_uneven_ring(false));
}

/* ---- why the last one is late ---- */

static void call_all(enum kind kind, int root)
{
    for (int rank = 0; rank < program.ranks; rank++)
        add(rank, kind, 1)->peer = root;
}

/* The finding of imbalance names this rank only, and explains this much. */
static void assert_imbalance(const char *rank, int64_t least, int64_t most)
{
    struct played played;
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    path->sums.program = played.whole;
    path->sums.working = program.ranks * played.whole;
    struct fth_findings findings = {0};
    fth_path_findings(path, 0.05, &findings);
    const struct fth_finding *finding = fth_finding_of(&findings, "compute_imbalance");
    assert_non_null(finding);
    assert_int_equal(finding->late.count, 1);
    assert_string_equal(finding->late.items[0], rank);
    assert_in_range(finding->severity, least, most);
    fth_findings_free(&findings);
    close_path(path);
}

/* The root comes late to each reduction, which no other rank waits at: they wait for it at the
 * barrier behind that. */
static void who_is_late_to_a_reduction_has_not_met(void **unused)
{
    (void)unused;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 4; turn++) {
        add(3, COMPUTE, 1000);
        call_all(GATHER, 3);
        call_all(MEET, 0);
    }
    assert_imbalance("3", 4 * 3 * 1000, 4 * 3 * 1010);
}

/* Rank 1 comes late to each reduction. The root waits for it, and the others wait for the root,
 * at the broadcast behind that. */
static void who_is_waited_for_by_the_last_one_is_named(void **unused)
{
    (void)unused;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 4; turn++) {
        add(1, COMPUTE, 1000);
        call_all(GATHER, 0);
        call_all(SPREAD, 0);
    }
    assert_imbalance("1", 4 * 3 * 990, 4 * 3 * 1010);
}

/* Rank 0 waits for a message of rank 1, which computes before; the others wait for rank 0 at the
 * barrier behind that. */
static void who_sends_late_to_the_last_one_is_named(void **unused)
{
    (void)unused;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 4; turn++) {
        add(1, COMPUTE, 1000);
        message(1, 0);
        add(0, COMPUTE, 10);
        call_all(MEET, 0);
    }
    assert_imbalance("1", 4 * 2 * 990, 4 * 2 * 1020);
}

/* All compute while they meet. Who waits does so from MPI_Wait on, and there the time is that the
 * finding explains. */
static void who_is_late_to_a_meeting_that_does_not_block(void **unused)
{
    (void)unused;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    for (int turn = 0; turn < 3; turn++) {
        add(3, COMPUTE, 1000);
        for (int rank = 0; rank < 4; rank++)
            add(rank, MEET, 1)->meanwhile = 500;
    }
    /* rank 3 computes for 500 behind the last one to wait, too */
    int64_t waits = 3 * (500 + 2 * 1000);
    struct played played;
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(waited(path, 0, FTH_WAIT_BARRIER) * 3, waits);
    assert_int_equal(path->sums.late, waits);
    assert_int_equal(path->sums.late_compute, waits);
    path->sums.program = played.whole;
    path->sums.working = 4 * played.whole;
    struct fth_findings findings = {0};
    fth_path_findings(path, 0.05, &findings);
    const struct fth_finding *finding = fth_finding_of(&findings, "compute_imbalance");
    assert_non_null(finding);
    bool has_wait = false;
    for (size_t i = 0; i < finding->functions.count; i++)
        has_wait = has_wait || strcmp(finding->functions.items[i], "MPI_Wait") == 0;
    assert_true(has_wait);
    fth_findings_free(&findings);
    close_path(path);
}

/* Rank 1 posts an epoch late, which the others wait for in their starts. */
static void who_posts_late_is_named(void **unused)
{
    (void)unused;
    memset(&program, 0, sizeof program);
    program.ranks = 3;
    add(1, COMPUTE, 1000000);
    struct operation *post = add(1, SEND, 1);
    for (int rank = 0; rank < 3; rank += 2)
        *add(rank, RECEIVE, 1) =
            (struct operation){RECEIVE, 1, .peer = 1, .place = (int)(post - program.operations[1])};
    struct played played;
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    for (uint32_t i = 0; i < path->results.wait_count; i++)
        path->results.waits[i].kind = FTH_WAIT_ONE_SIDED;
    path->sums.program = played.whole;
    path->sums.working = 3 * played.whole;
    path->results.computed[1] = 1000000;
    path->results.did_io[0] = path->results.did_io[2] = 1;
    struct fth_findings findings = {0};
    fth_path_findings(path, 0.05, &findings);
    const struct fth_finding *finding = fth_finding_of(&findings, "compute_imbalance");
    assert_non_null(finding);
    assert_string_equal(finding->late.items[0], "1");
    assert_non_null(strstr(finding->text, "100 % of the waiting for epochs of windows."));
    fth_findings_free(&findings);

    /* the path is given posts: a start that has no other cause */
    uint32_t blocked = (uint32_t)path->matches.blocked_count, entry = entry_of[0][0];
    fth_path_posted(path, (struct fth_event){0, entry}, (struct fth_event){0, entry + 1},
                    (struct fth_event){1, entry_of[1][1]});
    assert_int_equal(path->matches.blocked_count, blocked + 1);
    fth_path_posted(path, (struct fth_event){1, entry_of[1][1]},
                    (struct fth_event){1, entry_of[1][1] + 1}, (struct fth_event){0, entry});
    assert_int_equal(path->matches.blocked_count, blocked + 1); /* that was there before */
    close_path(path);
}

/* Two ranks on one processor. Rank 1 is the last one at the first meeting, and then waits for rank
 * 0: what they did before the first meeting is no reason. */
static void who_came_last_has_met_the_others(void **unused)
{
    (void)unused;
    struct played played;
    memset(&program, 0, sizeof program);
    program.ranks = 2;
    add(0, COMPUTE, 100);
    add(1, COMPUTE, 500);
    call_all(MEET, 0);
    add(0, COMPUTE, 50);
    call_all(MEET, 0);
    host = "here";
    info.meta_json = "{\"cpus\": 1, \"host\": \"here\"}";
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    assert_int_equal(waited(path, 1, FTH_WAIT_BARRIER), 50);
    for (size_t i = 0; i < path->results.wait_count; i++) /* rank 0 waits for who lacks one */
        assert_int_equal(path->results.waits[i].contended,
                         path->results.waits[i].proc == 1 ? 0 : 100);
    close_path(path);
    host = NULL;
    info.meta_json = NULL;
}

/* A master that computes nothing hands out tasks, of which the last one is long. With equal work
 * the workers take a third of all, or more if the master works, too: what is saved is no less. */
static void who_has_less_to_do_gets_nothing_in_the_way(void **unused)
{
    (void)unused;
    memset(&program, 0, sizeof program);
    program.ranks = 4;
    add(0, COMPUTE, 1);
    for (int turn = 0; turn < 5; turn++)
        for (int worker = 1; worker < 4; worker++) {
            message(worker, 0);
            message(0, worker);
            add(worker, COMPUTE, turn == 4 && worker == 2 ? 4000 : 200);
        }
    call_all(MEET, 0);
    struct played played;
    play(&played, ALL_IO, false);
    struct fth_path *path = path_of(&played);
    int64_t all = 14 * 200 + 4000;
    int64_t balanced = fth_path_without(path, &(struct fth_path_change){.balanced = true});
    assert_in_range(balanced, all / 4, all / 3 + 100);
    close_path(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_named_by_their_time),
        cmocka_unit_test(locks_of_windows_are_no_transfer),
        cmocka_unit_test(a_receive_waits_for_a_late_sender),
        cmocka_unit_test(who_comes_first_waits_at_a_barrier),
        cmocka_unit_test(waits_are_found),
        cmocka_unit_test(path_covers_the_run),
        cmocka_unit_test(without_is_the_run_without),
        cmocka_unit_test(straggler_is_found),
        cmocka_unit_test(a_straggler_is_what_the_threshold_says),
        cmocka_unit_test(equal_ranks_are_no_stragglers),
        cmocka_unit_test(chance_is_no_straggler),
        cmocka_unit_test(who_writes_for_all_is_no_straggler),
        cmocka_unit_test(io_is_balanced_by_itself),
        cmocka_unit_test(who_computes_longer_is_waited_for_by_messages),
        cmocka_unit_test(who_is_late_to_a_reduction_has_not_met),
        cmocka_unit_test(who_is_waited_for_by_the_last_one_is_named),
        cmocka_unit_test(who_sends_late_to_the_last_one_is_named),
        cmocka_unit_test(who_is_late_to_a_meeting_that_does_not_block),
        cmocka_unit_test(who_posts_late_is_named),
        cmocka_unit_test(who_came_last_has_met_the_others),
        cmocka_unit_test(who_has_less_to_do_gets_nothing_in_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
