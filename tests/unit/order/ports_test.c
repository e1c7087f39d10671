/* Meetings at ports and by sockets, of which the trace has only when the calls began and ended:
 * some by hand, then random ones that really happen. Who is found to have met did. */
#include "base/memory.h"
#include "order/match/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PROCESSES = 6, MOST_MEETINGS = 12, RUNS = 2000, SELF = 0 };

static uint32_t state;
static uint32_t draw(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * below >> 24);
}

struct meeting {
    uint32_t procs[2], members[2];
};

static struct {
    uint32_t processes, count;
    struct fth_order_operations operations[MOST_PROCESSES];
    uint32_t steps[MOST_PROCESSES];
    int64_t free_from[MOST_PROCESSES]; /* when its last call had ended */
    struct meeting meetings[MOST_MEETINGS];
} run;

static uint32_t add_call(uint32_t proc, enum fth_creation_form form, const char *port,
                         int64_t start, int64_t end)
{
    struct fth_order_operations *operations = &run.operations[proc];
    uint32_t made = fth_order_operations_add_member(operations, FTH_MEMBER_MADE, NULL);
    bool joins = form == FTH_MAKES_JOINED;
    struct fth_order_operation call = {.begin = {proc, run.steps[proc]},
                                       .end = {proc, run.steps[proc] + 1},
                                       .member = joins ? FTH_NO_MEMBER : SELF,
                                       .kind = FTH_SYNC_COLLECTIVE,
                                       .flags = FTH_SYNC_MAKES | FTH_SYNC_COMPLETED,
                                       .function = (uint16_t)form};
    run.steps[proc] += 2;
    uint32_t operation = fth_order_operations_add(operations, call);
    if (!joins)
        fth_order_operations_chain(operations, operation);
    FTH_GROW(operations->mpi.creations, operations->mpi.creation_count);
    operations->mpi.creations[operations->mpi.creation_count++] =
        (struct fth_order_creation){.operation = operation,
                                    .made = made,
                                    .form = form,
                                    .colour = start,
                                    .key = end,
                                    .text = joins ? NULL : strdup(port)};
    run.free_from[proc] = end + 1;
    return made;
}

static void begin_run(uint32_t processes)
{
    memset(&run, 0, sizeof run);
    run.processes = processes;
    for (uint32_t i = 0; i < run.processes; i++) {
        run.operations[i] = (struct fth_order_operations){.first_timeline = i,
                                                          .timeline_count = 1,
                                                          .mpi.world = FTH_NO_GROUP,
                                                          .mpi.rank = FTH_NO_GROUP};
        fth_order_operations_add_member(&run.operations[i], FTH_MEMBER_SELF, NULL);
    }
}

struct span {
    int64_t start, end;
};

/* They meet at `port`; NULL: by MPI_Comm_join. Returns the number of the meeting. */
static uint32_t add_meeting(uint32_t host, uint32_t guest, const char *port, struct span of_host,
                            struct span of_guest)
{
    struct meeting *meeting = &run.meetings[run.count];
    meeting->procs[0] = host;
    meeting->procs[1] = guest;
    meeting->members[0] = add_call(host, port ? FTH_MAKES_ACCEPTED : FTH_MAKES_JOINED, port,
                                   of_host.start, of_host.end);
    meeting->members[1] = add_call(guest, port ? FTH_MAKES_CONNECTED : FTH_MAKES_JOINED, port,
                                   of_guest.start, of_guest.end);
    return run.count++;
}

static void find_nothing_bad(void *context, enum fth_order_finding_kind kind, size_t proc,
                             const struct fth_order_operation *operation, const char *why)
{
    (void)context, (void)kind, (void)proc, (void)operation, (void)why;
    fail();
}

/* Are those who met the two sides of one communicator, and does each know what the other one did
 * before? */
static bool know_each_other(const struct fth_matching *matching, const struct meeting *meeting)
{
    const struct fth_member *host =
                                fth_match_member(matching, meeting->procs[0], meeting->members[0]),
                            *guest =
                                fth_match_member(matching, meeting->procs[1], meeting->members[1]);
    const struct fth_group *group = &matching->groups[host->group];
    if (host->group != guest->group || group->size != 2 || group->split != 1)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct fth_order_operations *mine = &run.operations[meeting->procs[i]],
                                          *other = &run.operations[meeting->procs[!i]];
        uint32_t my_operation = FTH_NO_OPERATION, other_operation = FTH_NO_OPERATION;
        for (size_t k = 0; k < mine->mpi.creation_count; k++)
            if (mine->mpi.creations[k].made == meeting->members[i])
                my_operation = mine->mpi.creations[k].operation;
        for (size_t k = 0; k < other->mpi.creation_count; k++)
            if (other->mpi.creations[k].made == meeting->members[!i])
                other_operation = other->mpi.creations[k].operation;
        struct fth_event begin = mine->operations[my_operation].begin,
                         end = other->operations[other_operation].end;
        if (!fth_clocks_before(matching->clocks, (struct fth_moment){begin.timeline, begin.step},
                               (struct fth_moment){end.timeline, end.step + 1}))
            return false;
    }
    return true;
}

static struct fth_matching match_run(void)
{
    struct fth_clocks *clocks = fth_clocks_new(run.processes);
    for (uint32_t i = 0; i < run.processes; i++)
        for (uint32_t step = 0; step <= run.steps[i]; step++)
            fth_clocks_mark(clocks, (struct fth_moment){i, step + 1});
    struct fth_matching matching = {.processes = run.operations,
                                    .process_count = run.processes,
                                    .clocks = clocks,
                                    .find = find_nothing_bad};
    fth_match_groups(&matching);
    fth_clocks_compute(clocks, NULL, NULL);
    return matching;
}

static void end_run(struct fth_matching *matching)
{
    struct fth_clocks *clocks = matching->clocks;
    fth_match_free(matching);
    fth_clocks_free(clocks);
    for (uint32_t i = 0; i < run.processes; i++)
        fth_order_operations_free(&run.operations[i]);
}

static bool is_found(const struct fth_matching *matching, const struct meeting *meeting)
{
    for (int i = 0; i < 2; i++)
        if (fth_match_member(matching, meeting->procs[i], meeting->members[i])->group ==
            FTH_NO_GROUP)
            return false;
    return true;
}

/* ---- cases by hand ---- */

enum { SERVER, CLIENT, OTHER_SERVER, OTHER_CLIENT };

static void who_waits_at_a_port_meets_who_comes(void **unused)
{
    (void)unused;
    begin_run(2);
    add_meeting(SERVER, CLIENT, "one", (struct span){10, 30}, (struct span){20, 31});
    struct fth_matching matching = match_run();
    assert_true(is_found(&matching, &run.meetings[0]));
    assert_true(know_each_other(&matching, &run.meetings[0]));
    end_run(&matching);
}

static void sockets_join_two(void **unused)
{
    (void)unused;
    begin_run(2);
    add_meeting(SERVER, CLIENT, NULL, (struct span){10, 30}, (struct span){20, 31});
    struct fth_matching matching = match_run();
    assert_true(is_found(&matching, &run.meetings[0]));
    assert_true(know_each_other(&matching, &run.meetings[0]));
    end_run(&matching);
}

static void each_port_has_its_own_meeting(void **unused)
{
    (void)unused;
    begin_run(4);
    add_meeting(SERVER, CLIENT, "one", (struct span){10, 30}, (struct span){20, 31});
    add_meeting(OTHER_SERVER, OTHER_CLIENT, "other", (struct span){10, 30}, (struct span){20, 31});
    struct fth_matching matching = match_run();
    for (uint32_t i = 0; i < run.count; i++) {
        assert_true(is_found(&matching, &run.meetings[i]));
        assert_true(know_each_other(&matching, &run.meetings[i]));
    }
    end_run(&matching);
}

static void one_after_the_other_at_one_port(void **unused)
{
    (void)unused;
    begin_run(3);
    add_meeting(SERVER, CLIENT, "one", (struct span){10, 30}, (struct span){20, 31});
    add_meeting(SERVER, OTHER_SERVER, "one", (struct span){40, 60}, (struct span){50, 61});
    struct fth_matching matching = match_run();
    for (uint32_t i = 0; i < run.count; i++) {
        assert_true(is_found(&matching, &run.meetings[i]));
        assert_true(know_each_other(&matching, &run.meetings[i]));
    }
    end_run(&matching);
}

/* Either server can have met either client. */
static void two_pairs_at_one_port_at_once_are_not_distinguished(void **unused)
{
    (void)unused;
    begin_run(4);
    add_meeting(SERVER, CLIENT, "one", (struct span){10, 30}, (struct span){20, 31});
    add_meeting(OTHER_SERVER, OTHER_CLIENT, "one", (struct span){10, 30}, (struct span){20, 31});
    struct fth_matching matching = match_run();
    for (uint32_t i = 0; i < run.count; i++)
        assert_false(is_found(&matching, &run.meetings[i]));
    end_run(&matching);
}

/* ---- random ones ---- */

/* At this instant they meet: both calls have begun, and none has ended. */
static void meet_somehow(int64_t instant)
{
    static const char *const ports[] = {"one", "other"};
    uint32_t host = draw(run.processes), guest = draw(run.processes), wide = 1 + draw(40);
    if (host == guest || run.free_from[host] >= instant || run.free_from[guest] >= instant)
        return;
    bool joins = draw(3) == 0;
    const char *port = ports[draw(2)];
    struct span spans[2];
    for (int i = 0; i < 2; i++) {
        int64_t earliest = run.free_from[i ? guest : host];
        spans[i].start = earliest + draw((uint32_t)(instant - earliest));
        spans[i].end = instant + 1 + draw(wide);
    }
    add_meeting(host, guest, joins ? NULL : port, spans[0], spans[1]);
}

static void play(void)
{
    begin_run(2 + draw(MOST_PROCESSES - 1));
    for (int64_t instant = 10; run.count < MOST_MEETINGS && instant < 400; instant += 10)
        meet_somehow(instant);
}

static void print_run(void)
{
    for (uint32_t i = 0; i < run.processes; i++)
        for (size_t k = 0; k < run.operations[i].mpi.creation_count; k++) {
            const struct fth_order_creation *creation = &run.operations[i].mpi.creations[k];
            print_message("process %u, from %ld to %ld: %s %s\n", i, creation->colour,
                          creation->key,
                          creation->form == FTH_MAKES_JOINED     ? "joins"
                          : creation->form == FTH_MAKES_ACCEPTED ? "accepts at port"
                                                                 : "connects to port",
                          creation->text ? creation->text : "");
        }
    for (uint32_t i = 0; i < run.count; i++)
        print_message("processes %u and %u met\n", run.meetings[i].procs[0],
                      run.meetings[i].procs[1]);
}

static void who_is_found_has_met(void **unused)
{
    (void)unused;
    unsigned all = 0, found = 0;
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed * 2654435761u;
        play();
        struct fth_matching matching = match_run();
        for (uint32_t i = 0; i < run.count; i++, all++)
            if (is_found(&matching, &run.meetings[i])) {
                if (!know_each_other(&matching, &run.meetings[i])) {
                    print_run();
                    fail_msg("program %u, meeting %u", seed, i);
                }
                found++;
            }
        end_run(&matching);
    }
    assert_true(found > all / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_waits_at_a_port_meets_who_comes),
        cmocka_unit_test(sockets_join_two),
        cmocka_unit_test(each_port_has_its_own_meeting),
        cmocka_unit_test(one_after_the_other_at_one_port),
        cmocka_unit_test(two_pairs_at_one_port_at_once_are_not_distinguished),
        cmocka_unit_test(who_is_found_has_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
