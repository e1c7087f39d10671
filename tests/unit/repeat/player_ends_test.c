/* The player, with scripts that no run leads to: it comes to an end, and says why. */
#include "player/player_script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { FOPEN, FCLOSE, ABORT, NONE, FUNCTIONS, FD = 1, STREAM };

static char folder[] = "/tmp/fathom_player_XXXXXX";

/* The plan of one process and thread, with one stream. */
static struct plan {
    struct fth_script_plan plan;
    struct fth_script_process process;
    struct fth_script_function functions[FUNCTIONS];
    struct fth_script_blob blobs[6];
    char bytes[6][16];
} made = {
    .plan = {.magic = FTH_SCRIPT_MAGIC,
             .fd_class = FD,
             .stream_class = STREAM,
             .class_sizes = {[FD] = 3, [STREAM] = 1},
             .process_count = 1,
             .function_count = FUNCTIONS,
             .blob_count = 6,
             .directory = FTH_SCRIPT_NO_BLOB,
             .buffer_bytes = 1 << 17,
             .processes_at = offsetof(struct plan, process),
             .functions_at = offsetof(struct plan, functions),
             .blobs_at = offsetof(struct plan, blobs),
             .bytes_at = offsetof(struct plan, bytes)},
    .process = {.rank = -1, .becomes = -1, .is_root = 1, .threads = 1},
    .functions = {[FOPEN] = {.name = 0,
                             .result = FTH_SCRIPT_POINTER,
                             .result_class = STREAM,
                             .parameter_count = 2,
                             .parameters = {{.form = FTH_SCRIPT_TEXT}, {.form = FTH_SCRIPT_TEXT}}},
                  [FCLOSE] = {.name = 1,
                              .result = FTH_SCRIPT_STATUS,
                              .narrow = 1,
                              .parameter_count = 1,
                              .parameters = {{.form = FTH_SCRIPT_HANDLE,
                                              .handle_class = STREAM,
                                              .gives_up = 1}}},
                  [ABORT] = {.name = 2},
                  [NONE] = {.name = 3}},
    .bytes = {"fopen", "fclose", "abort", "", "/dev/null", "w"},
};

static void save(const char *name, const void *bytes, size_t length)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static size_t put(int64_t *words, unsigned function, unsigned flags, unsigned count,
                  const int64_t *arguments)
{
    struct fth_script_op op = {.function = (uint16_t)function,
                               .count = (uint8_t)count,
                               .flags = (uint8_t)flags,
                               .words = (uint16_t)(FTH_SCRIPT_OP_WORDS + count)};
    bool makes = made.functions[function].result_class;
    op.words = (uint16_t)(op.words + makes);
    memcpy(words, &op, sizeof op);
    for (unsigned i = 0; i < count + makes; i++)
        words[FTH_SCRIPT_OP_WORDS + i] = arguments[i];
    return op.words;
}

/* What it says goes to `said`; its status. */
static int play(const int64_t *words, size_t count, char said[1000])
{
    char command[4200];
    for (size_t i = 0; i < 6; i++)
        made.blobs[i] =
            (struct fth_script_blob){i * sizeof made.bytes[0], strlen(made.bytes[i]) + 1};
    save("plan", &made, sizeof made);
    save("0.0", words, count * sizeof *words);
    snprintf(command, sizeof command, "'%s/lib/fathom-player' %s '' '' 2>&1", getenv("BUILD"),
             folder);
    FILE *player = popen(command, "r");
    assert_non_null(player);
    said[fread(said, 1, 999, player)] = 0;
    int status = pclose(player);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static struct fth_script_outcome outcome_of(unsigned function)
{
    char path[100];
    struct fth_script_results results;
    struct fth_script_outcome outcomes[FUNCTIONS];
    snprintf(path, sizeof path, "%s/result.0", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(&results, sizeof results, 1, file), 1);
    assert_int_equal(fread(outcomes, sizeof outcomes, 1, file), 1);
    fclose(file);
    return outcomes[function];
}

/* A call that failed closes the stream, too. */
static void test_closed_twice(void **state)
{
    static const int64_t open[] = {4, 5, 0}, slot[] = {0};
    int64_t words[40];
    char said[1000];
    size_t count = put(words, FOPEN, 0, 2, open);
    (void)state;
    count += put(words + count, FCLOSE, FTH_SCRIPT_FAILED, 1, slot);
    count += put(words + count, FCLOSE, 0, 1, slot);
    int status = play(words, count, said);
    assert_string_equal(said, "");
    assert_int_equal(status, 0);
    assert_int_equal(outcome_of(FCLOSE).calls, 2);
    assert_int_equal(outcome_of(FCLOSE).differences, 2);
}

static void test_signal(void **state)
{
    int64_t words[10];
    char said[1000];
    (void)state;
    int status = play(words, put(words, ABORT, 0, 0, NULL), said);
    assert_non_null(strstr(said, "process 0 was ended by signal 6 in its call of abort\n"));
    assert_int_equal(status, 1);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"plan", "0.0", "result.0"};
    char path[100];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_twice),
        cmocka_unit_test(test_signal),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
