/* The operations of a process: many of them come back as they were added, and as one of them was
 * changed later, whichever form they are in meanwhile. */
#include "order/build/operations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MANY = 200000, PERIOD = 9, NEVER = UINT32_MAX };

static struct fth_order_operation made(uint32_t i, bool alike)
{
    return (struct fth_order_operation){.begin = {3, 2 * i},
                                        .end = {3, 2 * i + 1},
                                        .member = i % PERIOD,
                                        .peer = alike ? 1 : (int32_t)i,
                                        .next = FTH_NO_OPERATION,
                                        .call = 5 * i,
                                        .kind = FTH_SYNC_SEND,
                                        .bytes = 8};
}

static void assert_same(const struct fth_order_operation *a, const struct fth_order_operation *b)
{
    assert_int_equal(a->begin.timeline, b->begin.timeline);
    assert_int_equal(a->begin.step, b->begin.step);
    assert_int_equal(a->end.step, b->end.step);
    assert_int_equal(a->member, b->member);
    assert_int_equal(a->peer, b->peer);
    assert_int_equal(a->next, b->next);
    assert_int_equal(a->call, b->call);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->flags, b->flags);
    assert_int_equal(a->bytes, b->bytes);
}

/* One of them is given another flag when all are there, and one the number of the next one. */
static struct fth_order_operation wanted(uint32_t i, bool alike, uint32_t changed, uint32_t linked)
{
    struct fth_order_operation operation = made(i, alike);
    operation.flags = i == changed ? FTH_SYNC_FREED : 0;
    operation.next = i == linked ? MANY - 1 : FTH_NO_OPERATION;
    return operation;
}

static void check_all(const struct fth_order_operations *operations, bool alike, uint32_t changed,
                      uint32_t linked)
{
    for (uint32_t i = 0; i < MANY; i++) {
        struct fth_order_operation is = fth_order_operation(operations, i),
                                   should = wanted(i, alike, changed, linked);
        assert_same(&is, &should);
    }
}

static void try(bool alike, uint32_t changed, uint32_t linked)
{
    struct fth_order_operations operations = {.has_bytes = true};
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(fth_order_operations_add(&operations, made(i, alike)), i);
    assert_true(alike == (operations.packed_count > 0));
    if (changed != NEVER)
        fth_order_operation_to_change(&operations, changed)->flags |= FTH_SYNC_FREED;
    if (linked != NEVER)
        *fth_order_next(&operations, linked) = MANY - 1;
    check_all(&operations, alike, changed, linked);
    fth_order_operations_pack(&operations);
    check_all(&operations, alike, changed, linked);
    fth_order_operations_free(&operations);
}

static void many_come_back(void **state)
{
    (void)state;
    try(true, NEVER, NEVER);
    try(false, NEVER, NEVER);
}

static void one_changes_late(void **state)
{
    (void)state;
    try(true, 7, NEVER);
    try(true, MANY - 2, 11);
    try(false, 7, 11);
}

/* Those that come behind the change are not lost, either. */
static void more_come_behind_a_change(void **state)
{
    (void)state;
    struct fth_order_operations operations = {.has_bytes = true};
    for (uint32_t i = 0; i < MANY; i++) {
        fth_order_operations_add(&operations, made(i, true));
        if (i == MANY / 2)
            fth_order_operation_to_change(&operations, 7)->flags |= FTH_SYNC_FREED;
    }
    check_all(&operations, true, 7, NEVER);
    fth_order_operations_pack(&operations);
    check_all(&operations, true, 7, NEVER);
    fth_order_operations_free(&operations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_come_back),
        cmocka_unit_test(one_changes_late),
        cmocka_unit_test(more_come_behind_a_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
