/* Calls that were not kept: lists of them come back as they were written, and what is damaged is
 * refused. */
#include "trace/file/unkept_section.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void lists_come_back(void **state)
{
    (void)state;
    struct fth_unkept_list list = {0};
    fth_unkept_add(&list, 7, &(struct fth_unkept){0});
    assert_true(list.count == 0); /* nothing is missing */
    fth_unkept_add(&list, 7, &(struct fth_unkept){.calls = 3, .error = 28, .since = 50});
    fth_unkept_add(&list, 0,
                   &(struct fth_unkept){.calls = 4, .processes = 1, .error = 13, .since = 60});
    fth_unkept_add(&list, 0,
                   &(struct fth_unkept){
                       .calls = 5, .processes = 2, .error = 28, .since = 40, .uncounted = true});
    assert_true(list.count == 2);
    const struct fth_unkept *of_none = fth_unkept_of(&list, 0);
    assert_true(of_none->calls == 9 && of_none->processes == 3 && of_none->uncounted);
    assert_true(of_none->error == 28 && of_none->since == 40); /* the first reason */

    struct fth_bytes bytes = {0};
    struct fth_unkept_list back = {0};
    struct fth_error *error = NULL;
    fth_unkept_write(&list, &bytes);
    assert_true(fth_unkept_read(&back, bytes.data, bytes.length, &error) == 0);
    assert_true(back.count == 2 && fth_unkept_of(&back, 7)->calls == 3);
    assert_true(fth_unkept_of(&back, 7)->error == 28 && !fth_unkept_of(&back, 7)->uncounted);
    assert_true(fth_unkept_of(&back, 0)->calls == 9 && fth_unkept_of(&back, 0)->uncounted);
    assert_true(!fth_unkept_of(&back, 8));
    fth_unkept_free(&back);
    for (size_t length = 0; length < bytes.length; length++) {
        assert_true(fth_unkept_read(&back, bytes.data, length, &error) == -1);
        fth_unkept_free(&back);
        fth_error_free(error);
        error = NULL;
    }
    fth_bytes_free(&bytes);
    fth_unkept_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lists_come_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
