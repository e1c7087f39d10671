/* The tree of calls, alone and merged, and the classes of histograms. */
#include "overview/histograms.h"
#include "overview/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { OPEN, WRITE, SYNC };
static const struct fth_overview_axis axis = {0, 10, 64, false};

/* `function` in `parent`, from `start` to `end`, once. */
static uint32_t spend(struct fth_overview_profile *profile, uint32_t parent, uint32_t function,
                      int64_t start, int64_t end)
{
    uint32_t node = fth_overview_node(profile, parent, function, 0);
    fth_overview_spend(profile, node, start, end, (uint64_t[]){0, 5}, function == SYNC);
    return node;
}

static int64_t time_of(const struct fth_overview_node *node)
{
    int64_t time = 0;
    for (size_t i = 0; i < node->part_count; i++)
        time += node->parts[i].bin.busy;
    return time;
}

static void free_nodes(struct fth_overview *overview)
{
    for (size_t i = 0; i < overview->node_count; i++) {
        free(overview->nodes[i].parts);
        free(overview->nodes[i].shares);
    }
    free(overview->nodes);
}

/* Process 3: open, in it a write; write alone. Process 7: open, in it a sync. The tree of the run:
 * open (3, 7) > write (3), open > sync (7), write (3). */
static void two_processes_are_one_tree(void **unused)
{
    (void)unused;
    struct fth_overview_profile run = {.axis = &axis}, one = {.axis = &axis},
                                other = {.axis = &axis};
    uint32_t open = spend(&one, FTH_OVERVIEW_ROOT, OPEN, 0, 25);
    spend(&one, open, WRITE, 5, 15);
    spend(&one, FTH_OVERVIEW_ROOT, WRITE, 30, 37);
    open = spend(&other, FTH_OVERVIEW_ROOT, OPEN, 100, 140);
    spend(&other, open, SYNC, 100, 101);
    fth_overview_profile_merge(&run, &one, 3, &(uint32_t){0});
    fth_overview_profile_merge(&run, &other, 7, &(uint32_t){0});
    struct fth_overview overview = {0};
    fth_overview_profile_collect(&run, &overview);
    assert_int_equal(overview.node_count, 4);
    const struct {
        uint32_t parent, function;
        int64_t time;
        size_t shares;
        uint32_t first;
        uint64_t failed;
    } expected[] = {{FTH_OVERVIEW_ROOT, OPEN, 65, 2, 3, 0},
                    {0, WRITE, 10, 1, 3, 0},
                    {FTH_OVERVIEW_ROOT, WRITE, 7, 1, 3, 0},
                    {0, SYNC, 1, 1, 7, 1}};
    for (size_t i = 0; i < 4; i++) {
        const struct fth_overview_node *node = &overview.nodes[i];
        assert_int_equal(node->parent, expected[i].parent);
        assert_int_equal(node->function, expected[i].function);
        assert_int_equal(time_of(node), expected[i].time);
        assert_int_equal(node->share_count, expected[i].shares);
        assert_int_equal(node->shares[0].proc, expected[i].first);
        assert_int_equal(node->failed, expected[i].failed);
    }
    assert_int_equal(overview.nodes[0].shares[1].time, 40);
    free_nodes(&overview);
}

/* Recursion without end stays within its limit: what is deeper counts at the last node. */
static void a_tree_has_a_limit(void **unused)
{
    (void)unused;
    struct fth_overview_profile run = {.axis = &axis};
    uint32_t node = FTH_OVERVIEW_ROOT;
    for (int i = 0; i < FTH_OVERVIEW_NODES + 10; i++)
        node = fth_overview_node(&run, node, OPEN, 0);
    assert_int_equal(node, FTH_OVERVIEW_NODES - 1);
    struct fth_overview overview = {0};
    fth_overview_profile_collect(&run, &overview);
    assert_int_equal(overview.node_count, FTH_OVERVIEW_NODES);
    free_nodes(&overview);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_are_one_tree),
        cmocka_unit_test(a_tree_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
