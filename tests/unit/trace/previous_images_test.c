/* Previous images that are processes of the same part are written by their numbers, and come back
 * as images. */
#include "trace/file/previous_images.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { CHILDREN = 8, ALL = 2 * CHILDREN + 1, OTHERS = 2 };

static uint64_t image_of(uint32_t process)
{
    return (process + 1) * 0x9E3779B97F4A7C15u;
}

/* A launcher, its children, and the ranks that these become. */
static uint64_t previous_of(uint32_t process)
{
    return process == 0           ? 0x123456789ABCu /* of another part */
           : process <= CHILDREN ? image_of(0)
                                 : image_of(process - CHILDREN);
}

/* All processes have one shape, whose second column is their number. */
static void add_processes(struct fth_shapes *shapes, struct fth_bytes *facts)
{
    for (uint32_t i = 0; i < ALL; i++) {
        uint64_t image = image_of(i);
        const int64_t row[] = {(int64_t)previous_of(i), i};
        fth_shapes_add(shapes, i > CHILDREN ? "rank" : "child", 4, row, OTHERS);
        fth_bytes_put(&facts[i], &image, sizeof image);
    }
}

static struct fth_stored_part *as_read(const struct fth_bytes *facts)
{
    struct fth_stored_part *part = fth_new(1, sizeof *part);
    part->process_count = ALL;
    part->processes = fth_new(ALL, sizeof *part->processes);
    for (uint32_t i = 0; i < ALL; i++) {
        part->processes[i].facts = facts[i].data;
        part->processes[i].facts_bytes = facts[i].length;
    }
    return part;
}

static void images_come_back(void **state)
{
    (void)state;
    struct fth_shapes shapes = {0};
    struct fth_bytes facts[ALL] = {{0}};
    add_processes(&shapes, facts);
    fth_previous_refer(&shapes, facts);
    struct fth_stored_part *part = as_read(facts);
    for (uint32_t i = 0; i < shapes.names.count; i++) {
        const struct fth_process_shape *shape = &shapes.shapes[i];
        uint32_t *things = fth_shape_things(shape);
        int64_t *numbers = fth_new(shape->member_count, sizeof *numbers);
        fth_lines_list(&shape->columns[0], things, numbers);
        for (uint32_t k = 0; k < shape->member_count; k++)
            assert_true(fth_previous_image(part, numbers[k]) == previous_of(things[k]));
        free(things);
        free(numbers);
    }
    assert_int_equal(shapes.shapes[1].columns[0].count, 1); /* of ranks: one line */
    for (uint32_t i = 0; i < ALL; i++)
        fth_bytes_free(&facts[i]);
    free(part->processes);
    free(part);
    fth_shapes_free(&shapes);
}

/* In damaged and in old traces, and where no process is meant. */
static void numbers_of_no_process_stay(void **state)
{
    (void)state;
    struct fth_bytes facts[ALL] = {{0}};
    struct fth_stored_part *part = as_read(facts);
    assert_true(fth_previous_image(part, 0) == 0);
    assert_true(fth_previous_image(part, -1) == 0); /* its facts are too short */
    assert_true(fth_previous_image(part, -ALL - 1) == (uint64_t)-ALL - 1);
    assert_true(fth_previous_image(part, INT64_MIN) == (uint64_t)1 << 63);
    part->stores_previous = true;
    assert_true(fth_previous_image(part, -1) == UINT64_MAX);
    free(part->processes);
    free(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_come_back),
        cmocka_unit_test(numbers_of_no_process_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
