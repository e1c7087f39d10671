/* Trails of a slot that is bound anew are forgotten, those of other slots and classes are not:
 * small cases by name, then random ones, compared with a list of what is there. */
#include "trace/columns/trails.h"

#include "../shortest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CASES = 1000, STEPS = 200, CLASSES = 3 };

static struct fth_trails trails;
static struct {
    uint32_t key, handle_class;
} there[FTH_TRAIL_SETS];

static void start(void)
{
    memset(&trails, 0, sizeof trails);
    memset(there, 0, sizeof there);
}

/* ---- small cases ---- */

static int64_t *use(uint32_t function, int32_t slot, uint32_t handle_class)
{
    return fth_trails_of(&trails, fth_trail_key(function, 1, slot), handle_class);
}

static void a_trail_stays_where_it_stood(void **state)
{
    (void)state;
    start();
    use(7, 2, 0)[3] = 100;
    assert_int_equal(use(7, 2, 0)[3], 100);
    assert_int_equal(use(7, 2, 0)[4], 0);
}

static void a_slot_bound_anew_begins_at_0(void **state)
{
    (void)state;
    start();
    use(7, 2, 0)[3] = 100;
    fth_trails_forget(&trails, 0, 2);
    assert_int_equal(use(7, 2, 0)[3], 0);
}

static void other_slots_and_classes_stay(void **state)
{
    (void)state;
    start();
    use(7, 2, 0)[3] = 100;
    fth_trails_forget(&trails, 0, 1);
    fth_trails_forget(&trails, 1, 2);
    assert_int_equal(use(7, 2, 0)[3], 100);
}

/* ---- random cases ---- */

static void forget(uint32_t handle_class, int32_t slot)
{
    fth_trails_forget(&trails, handle_class, slot);
    for (int i = 0; i < FTH_TRAIL_SETS; i++)
        if (there[i].key && there[i].handle_class == handle_class &&
            fth_trail_slot(there[i].key) == slot)
            there[i].key = 0;
}

static void step(bool print)
{
    uint32_t handle_class = (uint32_t)rand() % CLASSES;
    int32_t slot = (int32_t)(rand() % 12 ? rand() % 8 : rand() % FTH_TRAIL_SLOTS);
    if (rand() % 3) {
        int32_t cursor = rand() % 8 ? slot : -1;
        uint32_t function = (uint32_t)rand() % 4, key = fth_trail_key(function, 1, cursor);
        uint32_t place = fth_trail_place(key);
        if (print)
            print_error("use function %u, slot %d, class %u\n", function, cursor, handle_class);
        fth_trails_of(&trails, key, handle_class);
        if (there[place].key != key)
            there[place].handle_class = handle_class;
        there[place].key = key;
        return;
    }
    slot = rand() % 16 ? slot : slot + FTH_TRAIL_SLOTS;
    if (print)
        print_error("bind slot %d of class %u\n", slot, handle_class);
    forget(handle_class, slot);
}

static bool run(uint32_t seed, uint32_t steps, bool print)
{
    srand(seed);
    start();
    for (uint32_t i = 0; i < steps; i++) {
        step(print);
        for (int k = 0; k < FTH_TRAIL_SETS; k++)
            if (trails.sets[k].key != there[k].key)
                return false;
    }
    return true;
}

static bool holds(uint32_t seed, uint32_t steps)
{
    return run(seed, steps, false);
}

static void slots_bound_anew_are_forgotten(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= CASES; seed++) {
        if (holds(seed, STEPS))
            continue;
        run(seed, shortest_that_fails(holds, seed, STEPS), true);
        fail_msg("seed %u: after these calls other trails are there than should be", seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trail_stays_where_it_stood),
        cmocka_unit_test(a_slot_bound_anew_begins_at_0),
        cmocka_unit_test(other_slots_and_classes_stay),
        cmocka_unit_test(slots_bound_anew_are_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
