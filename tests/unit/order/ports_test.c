/* Meetings at ports and by sockets: random ones that really happen, of which the trace tells only
 * when the calls began and ended. What is found to have met did. */
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

static uint32_t add_call(uint32_t proc, enum fth_making_form form, const char *port, int64_t start,
                         int64_t end)
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
    FTH_GROW(operations->mpi.makings, operations->mpi.making_count);
    operations->mpi.makings[operations->mpi.making_count++] =
        (struct fth_order_making){.operation = operation,
                                  .made = made,
                                  .form = form,
                                  .colour = start,
                                  .key = end,
                                  .text = joins ? NULL : strdup(port)};
    run.free_from[proc] = end + 1;
    return made;
}

/* At this instant they meet: both calls have begun, and none has ended. */
static void meet(int64_t instant)
{
    static const char *const ports[] = {"one", "other"};
    struct meeting *meeting = &run.meetings[run.count];
    uint32_t host = draw(run.processes), guest = draw(run.processes), wide = 1 + draw(40);
    if (host == guest || run.free_from[host] >= instant || run.free_from[guest] >= instant)
        return;
    bool joins = draw(3) == 0;
    const char *port = ports[draw(2)];
    *meeting = (struct meeting){.procs = {host, guest}};
    for (int i = 0; i < 2; i++) {
        uint32_t proc = meeting->procs[i];
        int64_t earliest = run.free_from[proc];
        int64_t start = earliest + draw((uint32_t)(instant - earliest));
        meeting->members[i] = add_call(proc,
                                       joins ? FTH_MAKES_JOINED
                                       : i   ? FTH_MAKES_CONNECTED
                                             : FTH_MAKES_ACCEPTED,
                                       port, start, instant + 1 + draw(wide));
    }
    run.count++;
}

static void play(void)
{
    memset(&run, 0, sizeof run);
    run.processes = 2 + draw(MOST_PROCESSES - 1);
    for (uint32_t i = 0; i < run.processes; i++) {
        run.operations[i] = (struct fth_order_operations){.first_timeline = i,
                                                          .timeline_count = 1,
                                                          .mpi.world = FTH_NO_GROUP,
                                                          .mpi.rank = FTH_NO_GROUP};
        fth_order_operations_add_member(&run.operations[i], FTH_MEMBER_SELF, NULL);
    }
    for (int64_t instant = 10; run.count < MOST_MEETINGS && instant < 400; instant += 10)
        meet(instant);
}

static void find_nothing_bad(void *context, enum fth_order_finding_kind kind, size_t proc,
                             const struct fth_order_operation *operation, const char *why)
{
    (void)context, (void)kind, (void)proc, (void)operation, (void)why;
    fail();
}

/* Those who met are two sides of one, and each knows what the other did before. */
static void check(const struct fth_matching *matching, const struct meeting *meeting)
{
    const struct fth_member *host =
                                fth_match_member(matching, meeting->procs[0], meeting->members[0]),
                            *guest =
                                fth_match_member(matching, meeting->procs[1], meeting->members[1]);
    assert_int_equal(host->group, guest->group);
    const struct fth_group *group = &matching->groups[host->group];
    assert_int_equal(group->size, 2);
    assert_int_equal(group->split, 1);
    for (int i = 0; i < 2; i++) {
        const struct fth_order_operations *mine = &run.operations[meeting->procs[i]],
                                          *other = &run.operations[meeting->procs[!i]];
        uint32_t my_operation = FTH_NO_OPERATION, other_operation = FTH_NO_OPERATION;
        for (size_t k = 0; k < mine->mpi.making_count; k++)
            if (mine->mpi.makings[k].made == meeting->members[i])
                my_operation = mine->mpi.makings[k].operation;
        for (size_t k = 0; k < other->mpi.making_count; k++)
            if (other->mpi.makings[k].made == meeting->members[!i])
                other_operation = other->mpi.makings[k].operation;
        struct fth_event begin = mine->operations[my_operation].begin,
                         end = other->operations[other_operation].end;
        assert_true(fth_clocks_before(matching->clocks,
                                      (struct fth_moment){begin.timeline, begin.step},
                                      (struct fth_moment){end.timeline, end.step + 1}));
    }
}

static void who_is_found_has_met(void **unused)
{
    (void)unused;
    unsigned all = 0, found = 0;
    for (uint32_t seed = 1; seed <= RUNS; seed++) {
        state = seed * 2654435761u;
        play();
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
        for (uint32_t i = 0; i < run.count; i++, all++) {
            const struct meeting *meeting = &run.meetings[i];
            if (fth_match_member(&matching, meeting->procs[0], meeting->members[0])->group ==
                FTH_NO_GROUP)
                continue;
            check(&matching, meeting);
            found++;
        }
        fth_match_free(&matching);
        fth_clocks_free(clocks);
        for (uint32_t i = 0; i < run.processes; i++)
            fth_order_operations_free(&run.operations[i]);
    }
    assert_true(found > all / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_is_found_has_met)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
