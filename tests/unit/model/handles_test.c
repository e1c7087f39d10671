/* Handles of traces made by hand: each call of each thread is about the one descriptor of the
 * process, which nothing has opened. */
#include "fathom/trace.h"
#include "model/calls/choice.h"

#include "made_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>

#include <cmocka.h>

static char path[64];

static struct fth_trace *open_made(struct made made)
{
    struct fth_bytes bytes = made_trace(&made);
    struct fth_error *error = NULL;
    made_write(path, bytes.data, bytes.length);
    fth_bytes_free(&bytes);
    struct fth_trace *trace = fth_trace_open(path, &error);
    if (!trace)
        fail_msg("%s", fth_error_text(error));
    return trace;
}

static void check_process(struct fth_trace *trace, size_t proc, size_t all_calls)
{
    struct fth_calls *calls = fth_calls_with_handles(trace, proc, NULL);
    const struct fth_handle *ended;
    struct fth_call call;
    size_t count = 0;
    while (fth_calls_next(calls, &call, NULL) == 1) {
        count++;
        assert_non_null(call.handle);
        assert_int_equal(call.use_count, 1);
        assert_ptr_equal(call.uses[0].handle, call.handle);
        assert_int_equal(call.uses[0].kind, FTH_HANDLE_USED);
        assert_int_equal(call.handle->number, 0);
        assert_int_equal(call.handle->calls, count);
        assert_false(call.collective);
        assert_null(fth_calls_ended_handle(calls));
    }
    assert_int_equal(count, all_calls);
    ended = fth_calls_ended_handle(calls);
    assert_non_null(ended);
    assert_int_equal(ended->proc, proc);
    assert_int_equal(ended->origin, FTH_HANDLE_THERE);
    assert_int_equal(ended->value, 3);
    assert_string_equal(ended->path, "/work/file");
    assert_string_equal(ended->layer, "posix");
    assert_int_equal(ended->bytes_written, 8 * all_calls);
    assert_true(ended->made_by == FTH_NO_CALL && ended->closed_by == FTH_NO_CALL);
    assert_null(ended->parent);
    assert_null(fth_calls_ended_handle(calls));
    assert_int_equal(fth_calls_next(calls, &call, NULL), 0); /* and stays so */
    assert_null(fth_calls_ended_handle(calls));
    fth_calls_close(calls);
}

static void handles_of_threads(void **state)
{
    (void)state;
    struct fth_trace *trace =
        open_made((struct made){.processes = 2, .threads = 3, .calls = 100, .step = 1000});
    check_process(trace, 0, 300);
    check_process(trace, 1, 300);
    fth_trace_close(trace);
}

static void nobody_asked(void **state)
{
    (void)state;
    struct fth_trace *trace =
        open_made((struct made){.processes = 1, .threads = 1, .calls = 10, .step = 1000});
    struct fth_calls *calls = fth_calls_open(trace, 0, NULL);
    struct fth_call call;
    while (fth_calls_next(calls, &call, NULL) == 1)
        assert_true(!call.handle && !call.uses && !call.use_count && !call.group);
    assert_null(fth_calls_ended_handle(calls));
    fth_calls_close(calls);
    /* given up in the middle */
    calls = fth_calls_with_handles(trace, 0, NULL);
    assert_int_equal(fth_calls_next(calls, &call, NULL), 1);
    fth_calls_close(calls);
    fth_trace_close(trace);
}

static void handles_left_out(void **state)
{
    (void)state;
    struct fth_trace *trace =
        open_made((struct made){.processes = 1, .threads = 2, .calls = 10, .step = 1000});
    struct fth_calls *calls = fth_calls_with_handles(trace, 0, NULL);
    struct fth_call call;
    size_t count = 0;
    fth_calls_leave_handles(calls, "fd");
    while (fth_calls_next(calls, &call, NULL) == 1) {
        count++;
        assert_true(!call.handle && !call.use_count && !call.group);
    }
    assert_int_equal(count, 20);
    assert_null(fth_calls_ended_handle(calls));
    fth_calls_close(calls);
    /* of a class that the calls do not use */
    calls = fth_calls_with_handles(trace, 0, NULL);
    fth_calls_leave_handles(calls, "datatype");
    assert_int_equal(fth_calls_next(calls, &call, NULL), 1);
    assert_non_null(call.handle);
    fth_calls_close(calls);
    fth_trace_close(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_of_threads),
        cmocka_unit_test(nobody_asked),
        cmocka_unit_test(handles_left_out),
    };
    snprintf(path, sizeof path, "/proc/self/fd/%d", memfd_create("trace", 0));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
