/* The journal of a server is made shorter, and the next server knows from it what it knew from the
 * long one. */
#include "base/memory.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"
#include "fs/server/published.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { CLIENTS = 5, FILES = 7, BLOCK = 1000, BLOCKS = 40, CHANGES_MOST = 2000000 };

struct places {
    char path[64];
    int folder, under;
};

static int begin(void **state)
{
    struct places *places = fth_new(1, sizeof *places);
    strcpy(places->path, "/tmp/fathom-journal-XXXXXX");
    assert_non_null(mkdtemp(places->path));
    places->folder = open(places->path, O_DIRECTORY | O_RDONLY);
    assert_int_equal(mkdirat(places->folder, "under", 0700), 0);
    places->under = openat(places->folder, "under", O_DIRECTORY | O_RDONLY);
    *state = places;
    return 0;
}

static int end(void **state)
{
    struct places *places = *state;
    char command[128];
    close(places->under);
    close(places->folder);
    snprintf(command, sizeof command, "rm -r %s", places->path);
    assert_int_equal(system(command), 0);
    free(places);
    return 0;
}

static void open_again(struct fth_published *published, const struct places *places)
{
    struct fth_error *error = NULL;
    assert_int_equal(fth_published_open(published, places->folder, places->under, false, &error),
                     0);
}

/* Any change of any file, by this number. */
static void change(struct fth_published *published, uint64_t number)
{
    uint64_t random = number * UINT64_C(0x9e3779b97f4a7c15) >> 20;
    char path[16];
    int length = snprintf(path, sizeof path, "file%llu", (unsigned long long)random % FILES);
    uint64_t begin = random / FILES % BLOCKS * BLOCK;
    const struct fth_interval interval = {.begin = begin,
                                          .end = begin + BLOCK + random % BLOCK,
                                          .place = number * 10 * BLOCK,
                                          .owner = 1 + (uint32_t)(random >> 9) % CLIENTS};
    struct fth_noted noted = {
        .asker = {interval.owner, number + 1}, .kind = FTH_MESSAGE_ATTACH, .answer = number};
    struct fth_error *error = NULL;
    int failed = 0;
    if (number % 97 == 0) {
        noted.kind = FTH_MESSAGE_TRUNCATE;
        failed = fth_published_truncate(published, path, (size_t)length, &noted, begin, &error);
    } else if (number % 89 == 0) {
        noted.kind = FTH_MESSAGE_RESERVE;
        failed = fth_published_reserve(published, path, (size_t)length, &noted, begin + 3 * BLOCK,
                                       &error);
    } else if (number % 83 == 0) {
        failed = fth_published_detach(published, path, (size_t)length, interval.owner, begin,
                                      interval.end, &error);
    } else {
        failed =
            fth_published_attach(published, path, (size_t)length, &interval, 1, &noted, &error);
    }
    assert_int_equal(failed, 0);
}

static void check_file(const struct fth_published_file *one, const struct fth_published_file *other)
{
    struct fth_interval of_one, of_other;
    uint64_t at = 0;
    assert_int_equal(one->end, other->end);
    assert_int_equal(one->lengthener, other->lengthener);
    for (; fth_intervals_find(&one->intervals, at, &of_one); at = of_one.end) {
        assert_true(fth_intervals_find(&other->intervals, at, &of_other));
        assert_memory_equal(&of_one, &of_other, sizeof of_one);
    }
    assert_false(fth_intervals_find(&other->intervals, at, &of_other));
}

static void check_same(struct fth_published *one, struct fth_published *other)
{
    assert_int_equal(one->last_client, other->last_client);
    for (uint32_t i = 0; i < fth_keyed_count(&one->files); i++) {
        size_t length;
        const char *path = fth_published_path(one, i, &length);
        check_file(fth_keyed_item(&one->files, i), fth_published_file(other, path, length));
    }
    assert_int_equal(fth_keyed_count(&one->files), fth_keyed_count(&other->files));
}

static void check_noted(struct fth_published *one, struct fth_published *other, uint64_t changes)
{
    static const uint8_t kinds[] = {FTH_MESSAGE_ATTACH, FTH_MESSAGE_TRUNCATE, FTH_MESSAGE_RESERVE};
    for (uint32_t client = 1; client <= CLIENTS; client++)
        for (uint64_t request = changes > 200 ? changes - 200 : 1; request <= changes; request++)
            for (size_t i = 0; i < 3; i++) {
                struct fth_noted asked = {.asker = {client, request}, .kind = kinds[i]};
                struct fth_noted again = asked;
                assert_int_equal(fth_noted_find(&one->noted, &asked),
                                 fth_noted_find(&other->noted, &again));
                assert_int_equal(asked.answer, again.answer);
            }
}

static uint64_t journal_bytes(const struct places *places)
{
    struct stat facts;
    assert_int_equal(fstatat(places->folder, "journal", &facts, 0), 0);
    return (uint64_t)facts.st_size;
}

/* Changes until it has become shorter, and some more. Returns how many. */
static uint64_t change_until_short(struct fth_published *published, const struct places *places)
{
    uint64_t number = 0, longest = 0, more = 0;
    while (more < 100 && number < CHANGES_MOST) {
        change(published, number++);
        fth_published_shorten(published);
        uint64_t bytes = published->journal.end;
        more += bytes < longest;
        longest = bytes > longest ? bytes : longest;
    }
    assert_int_equal(more, 100);
    assert_true(journal_bytes(places) < longest / 4);
    return number;
}

static void the_next_server_knows_the_same(void **state)
{
    const struct places *places = *state;
    struct fth_published published, next;
    struct fth_error *error = NULL;
    open_again(&published, places);
    assert_int_equal(fth_published_add_client(&published, CLIENTS, &error), 0);
    uint64_t changes = change_until_short(&published, places);
    open_again(&next, places);
    check_same(&published, &next);
    check_noted(&published, &next, changes);
    fth_published_close(&next);
    fth_published_close(&published);
}

static void files_are_held_again(void **state)
{
    const struct places *places = *state;
    struct fth_published published, next;
    struct fth_error *error = NULL;
    char identity[FTH_IDENTITY_MOST];
    struct stat facts;
    int file = openat(places->under, "before", O_RDWR | O_CREAT, 0600);
    assert_int_equal(fstat(file, &facts), 0);
    size_t length = fth_identity_of(&facts, 0, identity);
    open_again(&published, places);
    assert_int_equal(fth_published_hold(&published, identity, length, file, &error), 0);
    const struct fth_interval interval = {.end = BLOCK, .place = BLOCK, .owner = 1};
    assert_int_equal(fth_published_attach(&published, identity, length, &interval, 1, NULL, &error),
                     0);
    assert_int_equal(renameat(places->under, "before", places->under, "behind"), 0);
    change_until_short(&published, places);
    open_again(&next, places);
    assert_true(fth_published_file(&next, identity, length)->is_held);
    check_same(&published, &next);
    fth_published_close(&next);
    fth_published_close(&published);
}

/* One that is killed before it gives the new journal its name leaves a part of it. */
static void a_part_of_a_new_one_is_none(void **state)
{
    const struct places *places = *state;
    struct fth_published published, next;
    int part = openat(places->folder, "journal-next", O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(part, "\1\2\3\4\5\6\7", 7), 7);
    close(part);
    open_again(&published, places);
    for (uint64_t number = 0; number < 1000; number++)
        change(&published, number);
    open_again(&next, places);
    check_same(&published, &next);
    fth_published_close(&published);
    change_until_short(&next, places);
    assert_int_equal(faccessat(places->folder, "journal-next", F_OK, 0), -1);
    fth_published_close(&next);
}

static void what_cannot_be_made_shorter_grows(void **state)
{
    const struct places *places = *state;
    struct fth_published published, next;
    open_again(&published, places);
    assert_int_equal(mkdirat(places->folder, "journal-next", 0700), 0); /* in its way */
    uint64_t before = 0;
    for (uint64_t number = 0; number < CHANGES_MOST / 8; number++) {
        change(&published, number);
        fth_published_shorten(&published);
        assert_true(published.journal.end >= before);
        before = published.journal.end;
    }
    open_again(&next, places);
    check_same(&published, &next);
    fth_published_close(&next);
    fth_published_close(&published);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_next_server_knows_the_same, begin, end),
        cmocka_unit_test_setup_teardown(files_are_held_again, begin, end),
        cmocka_unit_test_setup_teardown(a_part_of_a_new_one_is_none, begin, end),
        cmocka_unit_test_setup_teardown(what_cannot_be_made_shorter_grows, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
