/* Traces made by hand are read as they were made: calls, in order, of many threads; processes, many
 * of them, in little time. */
#include "model/handles/node_processors.h"
#include "fathom/trace.h"

#include "made_trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>

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

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `part`: what the call stands in. */
static void check_source(const struct fth_call *call, size_t part)
{
    char place[32];
    snprintf(place, sizeof place, "made+0x%x", 0x1234 + (unsigned)part);
    assert_string_equal(call->source, part ? place : "made.c:7 main");
}

static void check_call(const struct fth_call *call, size_t i, bool literal_offsets)
{
    assert_string_equal(call->function->name, "pwrite");
    assert_string_equal(call->file, "/work/file");
    assert_int_equal(call->number, i);
    assert_true(call->parent == FTH_NO_CALL);
    assert_int_equal(call->arguments[0].integer, 3);
    assert_int_equal(call->arguments[0].type, FTH_VALUE_HANDLE);
    assert_string_equal(call->arguments[0].text, "/work/file");
    assert_int_equal(call->arguments[1].type, FTH_VALUE_NONE);
    assert_int_equal(call->arguments[2].integer, 8);
    assert_int_equal(call->arguments[3].integer,
                     literal_offsets ? 1000000 - 7 * (int64_t)i : 8 * (int64_t)i);
    assert_int_equal(call->result.integer, 8);
    assert_int_equal(call->end - call->start, 10);
    assert_true(call->writes);
    assert_int_equal(call->bytes, 8);
}

static void one_thread(struct made made)
{
    struct fth_trace *trace = open_made(made);
    struct fth_calls *calls = fth_calls_open(trace, 0, NULL);
    struct fth_call call;
    for (size_t i = 0; i < made.calls * (made.parts ? made.parts : 1); i++) {
        assert_int_equal(fth_calls_next(calls, &call, NULL), 1);
        check_call(&call, i, made.literal_offsets);
        check_source(&call, i / made.calls);
        assert_int_equal(call.start, (int64_t)(i * made.step));
    }
    assert_int_equal(fth_calls_next(calls, &call, NULL), 0);
    assert_int_equal(fth_calls_next(calls, &call, NULL), 0);
    fth_calls_close(calls);
    fth_trace_close(trace);
}

static void calls_come_back(void **state)
{
    (void)state;
    one_thread((struct made){1, 1, 1, 10, false, 1, 0, NULL});
    one_thread((struct made){1, 1, 5000, 100, true, 1, 0, NULL});
    one_thread((struct made){1, 1, 2 * FTH_BLOCK_CALLS + 17, 30, false, 1, 0, NULL});
    one_thread((struct made){1, 1, FTH_BLOCK_CALLS - 1, 30, true, 1, 0, NULL});
}

/* A world merges itself at its end; what its processes do afterwards is another part, whose unit of
 * time may differ. */
static void images_go_on_in_the_next_part(void **state)
{
    (void)state;
    one_thread((struct made){1, 1, 100, 1000, false, 2, 0, NULL});
    one_thread((struct made){1, 1, 100, 50, true, 5, 0, NULL});
}

/* Calls of a process come out by time, those of each thread in its order, however many threads
 * there are. */
static void threads_are_merged(void **state)
{
    (void)state;
    const struct made sizes[] = {{1, 2, 100, 1000, true, 1, 0, NULL},
                                 {1, 50, 100, 330, false, 1, 0, NULL},
                                 {1, 20000, 3, 50, false, 1, 0, NULL}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        double begin = seconds();
        struct fth_trace *trace = open_made(sizes[s]);
        struct fth_calls *calls = fth_calls_open(trace, 0, NULL);
        struct fth_call call;
        size_t *given = fth_new(sizes[s].threads, sizeof *given), all = 0;
        int64_t last = 0;
        assert_int_equal(fth_trace_process(trace, 0)->thread_count, sizes[s].threads);
        for (; fth_calls_next(calls, &call, NULL) == 1; all++) {
            assert_true(call.start >= last);
            last = call.start;
            assert_true(call.thread < sizes[s].threads);
            assert_int_equal(call.tid, call.thread + 1000);
            assert_int_equal(call.start,
                             (int64_t)(call.thread * 10 + given[call.thread] * sizes[s].step));
            check_call(&call, given[call.thread]++, sizes[s].literal_offsets);
        }
        assert_int_equal(all, sizes[s].threads * sizes[s].calls);
        free(given);
        fth_calls_close(calls);
        fth_trace_close(trace);
        assert_true(seconds() - begin < 20);
    }
}

static void many_processes_open_fast(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct fth_bytes bytes = made_trace(&(struct made){MANY, 1, 1, 10, false, 1, 0, NULL});
    made_write(path, bytes.data, bytes.length);
    fth_bytes_free(&bytes);
    double begin = seconds();
    struct fth_trace *trace = fth_trace_open(path, NULL);
    double took = seconds() - begin;
    assert_non_null(trace);
    assert_int_equal(fth_trace_process_count(trace), MANY);
    for (size_t i = 0; i < MANY; i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        assert_int_equal(process->parent_proc, (int64_t)(i / 2) - 1);
        assert_int_equal(process->world, i % 4 ? (int64_t)(i % 4) - 1 : FTH_NO_WORLD);
        assert_int_equal(process->pid, i + 100);
    }
    assert_int_equal(fth_trace_info(trace)->calls, MANY);
    fth_trace_close(trace);
    print_message("%d processes opened in %.2f s\n", MANY, took);
    assert_true(took < 10); /* about 0.5 s; squares of 100,000 would take minutes */
}

/* Whatever numbers threads have in the file, they are counted without gaps: arrays of threads are
 * as long as there are threads. */
static void numbers_of_threads_take_no_memory(void **state)
{
    (void)state;
    static const uint64_t gaps[] = {2, 1000000, (uint64_t)1 << 31, UINT32_MAX};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        struct fth_trace *trace = open_made((struct made){
            .processes = 1, .threads = 2, .calls = 3, .step = 100, .parts = 2, .gap = gaps[i]});
        struct fth_calls *calls = fth_calls_with_handles(trace, 0, NULL);
        struct fth_call call;
        size_t of_thread[2] = {0};
        assert_int_equal(fth_trace_process(trace, 0)->thread_count, 2);
        while (fth_calls_next(calls, &call, NULL) > 0) {
            assert_in_range(call.thread, 0, 1);
            assert_int_equal(call.tid, 1000 + call.thread);
            assert_int_equal(call.number, of_thread[call.thread]++);
        }
        assert_int_equal(of_thread[0], 6);
        assert_int_equal(of_thread[1], 6);
        fth_calls_close(calls);
        fth_trace_close(trace);
    }
}

static void what_is_not_there_is_an_error(void **state)
{
    (void)state;
    struct fth_error *error = NULL;
    assert_null(fth_trace_open("/nowhere/at/all", &error));
    assert_non_null(strstr(fth_error_text(error), "/nowhere/at/all"));
    fth_error_free(error);
    error = NULL;
    assert_null(fth_trace_open("/", &error));
    fth_error_free(error);
    error = NULL;
    struct fth_trace *trace = open_made((struct made){1, 1, 1, 10, false, 1, 0, NULL});
    assert_null(fth_calls_open(trace, 1, &error));
    assert_non_null(error);
    fth_error_free(error);
    fth_trace_close(trace);
    fth_trace_close(NULL);
    fth_calls_close(NULL);
}

/* A trace that does not say how large pages were may be of a machine with the largest. */
static void page_sizes_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *meta;
        uint64_t page;
    } cases[] = {
        {"{\"system\": \"Linux 6.1 aarch64\", \"page_size\": 16384}", 16384},
        {"{\"system\": \"Linux 6.1 x86_64\", \"cpus\": 2}", 4096},
        {"{\"system\": \"Linux 6.1 aarch64\"}", 65536},
        {"{}", 65536},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fth_trace *trace = open_made((struct made){
            .processes = 1, .threads = 1, .calls = 1, .step = 10, .meta = cases[i].meta});
        assert_int_equal(fth_node_page(trace), cases[i].page);
        fth_trace_close(trace);
    }
}

int main(void)
{
    snprintf(path, sizeof path, "/proc/self/fd/%d", memfd_create("trace", 0));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_come_back),
        cmocka_unit_test(images_go_on_in_the_next_part),
        cmocka_unit_test(page_sizes_are_read),
        cmocka_unit_test(threads_are_merged),
        cmocka_unit_test(many_processes_open_fast),
        cmocka_unit_test(numbers_of_threads_take_no_memory),
        cmocka_unit_test(what_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
