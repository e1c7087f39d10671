/* Names without what is made up anew in each run; and names that somebody chose, which stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "diff/plain_names.h"

#include <stdlib.h>
#include <string.h>

static struct fth_diff_pids pids;

static int prepare(void **state)
{
    (void)state;
    const int64_t list[] = {31014, 365, 7, 4768};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        fth_diff_pids_add(&pids, list[i]);
    fth_diff_pids_sort(&pids);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    fth_diff_pids_free(&pids);
    return 0;
}

static void assert_plain(const char *path, const char *expected)
{
    char *plain = fth_diff_plain_name(path, &pids, NULL);
    assert_string_equal(plain, expected);
    free(plain);
}

static void numbers_of_the_system(void **state)
{
    (void)state;
    assert_plain("pipe:[51994234]", "pipe:[*]");
    assert_plain("socket:[1]", "socket:[*]");
    assert_plain("/proc/99/stat", "/proc/PID/stat");
    assert_plain("/proc/self/stat", "/proc/self/stat");
    assert_plain("/proc/99", "/proc/PID");
}

static void numbers_of_processes(void **state)
{
    (void)state;
    assert_plain("/scratch/job.31014.log", "/scratch/job.PID.log");
    assert_plain("/scratch/31014", "/scratch/PID");
    assert_plain("/scratch/out365.h5", "/scratch/outPID.h5");
    assert_plain("/scratch/out3650.h5", "/scratch/out3650.h5");
    assert_plain("/scratch/out.0365", "/scratch/out.0365");
    assert_plain("/scratch/step.7", "/scratch/step.7");
    assert_plain("/scratch/123456789012345678901234567890",
                 "/scratch/123456789012345678901234567890");
}

static void sessions(void **state)
{
    (void)state;
    assert_plain("/tmp/ompi.vm.0/pid.99/1/rod.20_cid-0-31.sm",
                 "/tmp/ompi.vm.*/pid.*/*/rod.*_cid-*-*.sm");
    assert_plain("/dev/shm/vader_segment.vm.0.b6a60001.3", "/dev/shm/vader_segment.vm.*.*.*");
    assert_plain("/dev/shm/facade", "/dev/shm/facade");
    assert_plain("/scratch/out.0001", "/scratch/out.0001");
}

static void assert_moment(const char *path, const char *expected)
{
    /* 2024-01-31, from 14:32:00 to 14:32:09 UTC */
    struct fth_diff_span span = {1706711520, 1706711529};
    const struct fth_diff_spans spans = {1, &span};
    char *plain = fth_diff_plain_name(path, &pids, &spans);
    assert_string_equal(plain, expected);
    free(plain);
}

static void moments_of_the_run(void **state)
{
    (void)state;
    assert_moment("/out/log-20240131-143205.txt", "/out/log-TIME.txt");
    assert_moment("/out/log-2024-01-31T20:02:05.txt", "/out/log-TIME.txt"); /* in India */
    assert_moment("/out/log-20240131143205", "/out/log-TIME");
    assert_moment("/out/2024.01.31/a", "/out/TIME/a");
    assert_moment("/out/log.1706711525", "/out/log.TIME");
    assert_moment("/out/log.1706711525123456789", "/out/log.TIME");
    assert_moment("/out/log-20240131-143305.txt", "/out/log-TIME-143305.txt");
    assert_moment("/out/run_20230131", "/out/run_20230131");
    assert_moment("/out/step_1706711999", "/out/step_1706711999");
    assert_moment("/out/2024", "/out/2024");
    assert_moment("/out/2024-01", "/out/2024-01");
    assert_moment("/out/000120240131", "/out/000120240131");
}

static void assert_temporary(const char *path, const char *expected, bool looks_random)
{
    bool random;
    char *name = NULL;
    for (size_t endings = 0; !name && endings <= FTH_DIFF_MOST_ENDINGS; endings++)
        name = fth_diff_temporary_name(path, endings, &random);
    if (!expected) {
        assert_null(name);
        return;
    }
    assert_non_null(name);
    assert_string_equal(name, expected);
    assert_int_equal(random, looks_random);
    free(name);
}

static void letters_that_nobody_chose(void **state)
{
    (void)state;
    assert_temporary("/tmp/ccLeQKJo.s", "/tmp/ccXXXXXX.s", true);
    assert_temporary("/tmp/ccJ9oPnM.cdtor.c", "/tmp/ccXXXXXX.cdtor.c", true);
    assert_temporary("/tmp/ccJ9o1nM.cdtor.c", "/tmp/ccXXXXXX.cdtor.c", true);
    assert_temporary("/tmp/tmp9a2_x1bq.cdtor.c", "/tmp/tmpXXXXXXXX.cdtor.c", true);
    assert_temporary("/tmp/ccJ9oPnM.a.b/part.txt", "/tmp/ccXXXXXX.a.b/part.txt", true);
    assert_temporary("/src/stcXIRWl", "/src/stXXXXXX", true);
    assert_temporary("/tmp/tmp.aB3dE9xYz0", "/tmp/tmp.XXXXXXXXXX", true);
    assert_temporary("/tmp/tmp9a2_x1bq", "/tmp/tmpXXXXXXXX", true);
    assert_temporary("/tmp/x8w2k_1q", "/tmp/XXXXXXXX", true);
    assert_temporary("/tmp/tmpk3j2h1ab/part.txt", "/tmp/tmpXXXXXXXX/part.txt", true);
    assert_temporary("/out/data.Ab3dE9", "/out/data.XXXXXX", true);
    assert_temporary("/tmp/tmpzbpmklkq/output", "/tmp/tmpXXXXXXXX/output", false);
    assert_temporary("/out/obj-5a43fc1639f1409a2a34279a5726a935e6081fff",
                     "/out/obj-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", true);
    assert_temporary("/out/run-1966088c-3cb3-4196-bf05-e3f35e98baf1.txt",
                     "/out/run-XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX.txt", true);
    assert_temporary("/out/2024-01-31-14-32-05", NULL, false);
    assert_temporary("/out/data.5ccebf", "/out/data.XXXXXX", true);
    assert_temporary("/out/data.202401", "/out/data.XXXXXX", false);
    assert_temporary("/out/run.Ab3dE9/stdout", "/out/run.XXXXXX/stdout", true);
}

static void words(void **state)
{
    (void)state;
    assert_temporary("/out/report.txt", "/out/XXXXXX.txt", false);
    assert_temporary("/out/README", "/out/XXXXXX", false);
    assert_temporary("/out/Config", "/out/XXXXXX", false);
    assert_temporary("/out/data01.bin", "/out/XXXXXX.bin", false);
    assert_temporary("/out/report.part.txt", "/out/XXXXXX.part.txt", false);
    assert_temporary("/out/a.h5", NULL, false);
    assert_temporary("/out/again_h5py/a.h5", NULL, false);
    assert_temporary("/checkpoint/a.h5", NULL, false);
    assert_temporary("", NULL, false);
    assert_temporary("/", NULL, false);
    assert_temporary("......", NULL, false);
    assert_temporary("\xff\xfe\x1b[31m", NULL, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_the_system),
        cmocka_unit_test(numbers_of_processes),
        cmocka_unit_test(sessions),
        cmocka_unit_test(moments_of_the_run),
        cmocka_unit_test(letters_that_nobody_chose),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, prepare, clean_up);
}
