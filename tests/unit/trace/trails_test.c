/* Trails of a slot that is bound anew are forgotten, those of other slots and classes are not:
 * compared with a list of what is there. */
#include "trace/columns/trails.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 200000, CLASSES = 3 };

static struct fth_trails trails;
static struct {
    uint32_t key, handle_class;
} there[FTH_TRAIL_SETS];

static void forget(uint32_t handle_class, int32_t slot)
{
    fth_trails_forget(&trails, handle_class, slot);
    for (int i = 0; i < FTH_TRAIL_SETS; i++)
        if (there[i].key && there[i].handle_class == handle_class &&
            fth_trail_slot(there[i].key) == slot)
            there[i].key = 0;
}

static void slots_bound_anew_are_forgotten(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t handle_class = (uint32_t)random() % CLASSES;
        int32_t slot = (int32_t)(random() % 12 ? random() % 8 : random() % FTH_TRAIL_SLOTS);
        if (random() % 3) {
            bool has_cursor = random() % 8;
            uint32_t key = fth_trail_key((uint32_t)random() % 4, 1, has_cursor ? slot : -1);
            uint32_t place = fth_trail_place(key);
            fth_trails_of(&trails, key, handle_class);
            if (there[place].key != key)
                there[place].handle_class = handle_class;
            there[place].key = key;
        } else {
            forget(handle_class, random() % 16 ? slot : slot + FTH_TRAIL_SLOTS);
        }
        for (int i = 0; i < FTH_TRAIL_SETS; i++)
            assert_int_equal(trails.sets[i].key, there[i].key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slots_bound_anew_are_forgotten)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
