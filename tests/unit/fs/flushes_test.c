/* Writing to the folder below in pieces: who is answered meanwhile, who waits, and which bytes are
 * there in the end. By the order of answers, which is that of a server. */
#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/fs_messages.h"
#include "fs/protocol/held_files.h"
#include "fs/server/flushes.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB ((uint64_t)1 << 20)

enum { LARGE = 24 /* MiB, which are several pieces */, ANSWERS_MOST = 16 };

struct answer {
    uint64_t connection;
    int error;
};

struct server {
    char folder[64];
    struct fth_fs_instance instance;
    struct fth_published published;
    struct fth_requests requests;
    struct fth_flushes flushes;
    struct answer later[ANSWERS_MOST]; /* that came later, in their order */
    size_t later_count;
    uint64_t number; /* of the last request */
};

static void note_answer(void *data, uint64_t connection, struct fth_bytes *answer)
{
    struct server *server = data;
    assert_true(server->later_count < ANSWERS_MOST);
    server->later[server->later_count++] =
        (struct answer){connection, answer->data[FTH_MESSAGE_LENGTH]};
}

static int begin(void **state)
{
    struct server *server = fth_new(1, sizeof *server);
    struct fth_error *error = NULL;
    strcpy(server->folder, "/tmp/fathom-flushes-XXXXXX");
    assert_non_null(mkdtemp(server->folder));
    server->instance.folder = open(server->folder, O_DIRECTORY | O_RDONLY);
    assert_int_equal(mkdirat(server->instance.folder, "buffers", 0700), 0);
    assert_int_equal(mkdirat(server->instance.folder, "under", 0700), 0);
    server->instance.under = openat(server->instance.folder, "under", O_DIRECTORY | O_RDONLY);
    server->instance.server_count = 1;
    assert_int_equal(fth_published_open(&server->published, server->instance.folder,
                                        server->instance.under, false, &error),
                     0);
    server->requests =
        (struct fth_requests){.instance = &server->instance, .published = &server->published};
    fth_flushes_begin(&server->flushes, &server->requests, note_answer, server);
    *state = server;
    return 0;
}

static int end(void **state)
{
    struct server *server = *state;
    char command[128];
    fth_flushes_end(&server->flushes);
    fth_published_close(&server->published);
    close(server->instance.under);
    close(server->instance.folder);
    snprintf(command, sizeof command, "rm -r %s", server->folder);
    assert_int_equal(system(command), 0);
    free(server);
    return 0;
}

/* ---- buffers of clients ---- */

static int open_buffer(const struct server *server, uint32_t client)
{
    char name[32];
    snprintf(name, sizeof name, "buffers/%u", client);
    return openat(server->instance.folder, name, O_RDWR | O_CREAT, 0600);
}

/* MiB of one byte, at this MiB of the buffer. */
static void fill(const struct server *server, uint32_t client, uint64_t at, uint64_t count,
                 char byte)
{
    int file = open_buffer(server, client);
    char *bytes = malloc(MIB);
    memset(bytes, byte, MIB);
    for (uint64_t i = 0; i < count; i++)
        assert_int_equal(pwrite(file, bytes, MIB, (off_t)(FTH_BUFFER_HEAD + (at + i) * MIB)), MIB);
    free(bytes);
    close(file);
}

/* The segment has its next generation, so that what was in it is gone. */
static void use_again(const struct server *server, uint32_t client, uint32_t segment)
{
    const uint32_t generation = 1;
    int file = open_buffer(server, client);
    assert_int_equal(
        pwrite(file, &generation, sizeof generation, (off_t)(segment * sizeof generation)),
        sizeof generation);
    close(file);
}

/* ---- requests ---- */

static struct fth_bytes about(const char *path)
{
    struct fth_bytes fields = {.data = NULL};
    fth_bytes_text(&fields, path, strlen(path));
    return fields;
}

/* Its errno, if it is answered at once; -1: later. Connections have the numbers of clients. */
static int ask_with(struct server *server, uint32_t client, uint8_t kind, struct fth_bytes fields,
                    int *passed)
{
    struct fth_view view = fth_view_of(fields.data, fields.length);
    const struct fth_asker asker = {client, fth_fs_message_is_noted(kind) ? ++server->number : 0};
    struct fth_bytes answer = {.data = NULL};
    bool at_once =
        fth_flushes_request(&server->flushes, client, &asker, kind, &view, passed, &answer);
    int error = at_once ? answer.data[FTH_MESSAGE_LENGTH] : -1;
    fth_bytes_free(&answer);
    fth_bytes_free(&fields);
    return error;
}

static int ask(struct server *server, uint32_t client, uint8_t kind, struct fth_bytes fields)
{
    int none = -1;
    return ask_with(server, client, kind, fields, &none);
}

/* MiB, as the following. */
static int attach(struct server *server, uint32_t client, const char *path, uint64_t begin,
                  uint64_t count, uint64_t at)
{
    struct fth_bytes fields = about(path);
    fth_bytes_varint(&fields, 1);
    fth_bytes_varint(&fields, begin * MIB);
    fth_bytes_varint(&fields, count * MIB);
    fth_bytes_varint(&fields, FTH_BUFFER_HEAD + at * MIB);
    return ask(server, client, FTH_MESSAGE_ATTACH, fields);
}

static int query(struct server *server, uint32_t client, const char *path)
{
    struct fth_bytes fields = about(path);
    fth_bytes_varint(&fields, 0);
    fth_bytes_varint(&fields, UINT64_MAX);
    return ask(server, client, FTH_MESSAGE_QUERY, fields);
}

static int cut_off(struct server *server, uint32_t client, const char *path, uint64_t length)
{
    struct fth_bytes fields = about(path);
    fth_bytes_varint(&fields, length * MIB);
    return ask(server, client, FTH_MESSAGE_TRUNCATE, fields);
}

static int flush(struct server *server, uint32_t client)
{
    return ask(server, client, FTH_MESSAGE_FLUSH, (struct fth_bytes){.data = NULL});
}

static void write_all(struct server *server)
{
    while (fth_flushes_step(&server->flushes)) {
    }
}

static void begin_large(struct server *server)
{
    fill(server, 1, 0, LARGE, 'a');
    assert_int_equal(attach(server, 1, "large", 0, LARGE, 0), 0);
    assert_int_equal(flush(server, 5), -1);
}

static void check_below(const struct server *server, const char *name, uint64_t at, char byte)
{
    int file = openat(server->instance.under, name, O_RDONLY);
    char *bytes = malloc(MIB);
    assert_true(file >= 0);
    assert_int_equal(pread(file, bytes, MIB, (off_t)(at * MIB)), MIB);
    for (uint64_t i = 0; i < MIB; i++)
        if (bytes[i] != byte)
            fail_msg("byte %zu of MiB %zu is '%c', not '%c'", (size_t)i, (size_t)at, bytes[i],
                     byte);
    free(bytes);
    close(file);
}

static uint32_t attached(const struct server *server, const char *path)
{
    uint32_t number;
    assert_true(fth_keyed_number(&server->published.files, path, strlen(path), &number));
    const struct fth_published_file *file = fth_keyed_item(&server->published.files, number);
    return file->intervals.count;
}

/* ---- tests ---- */

static void others_are_answered_meanwhile(void **state)
{
    struct server *server = *state;
    begin_large(server);
    fill(server, 2, 0, 1, 'b');
    assert_int_equal(query(server, 2, "large"), 0);
    assert_int_equal(attach(server, 2, "other", 0, 1, 0), 0);
    assert_int_equal(cut_off(server, 3, "other", 0), 0);
    assert_int_equal(attach(server, 2, "large", LARGE, 1, 0), 0);
    assert_true(fth_flushes_step(&server->flushes));
    assert_int_equal(query(server, 3, "large"), 0);
    assert_int_equal(server->later_count, 0);
    write_all(server);
    assert_int_equal(server->later_count, 1);
    assert_int_equal(server->later[0].connection, 5);
    assert_int_equal(server->later[0].error, 0);
    for (uint64_t at = 0; at < LARGE; at++)
        check_below(server, "large", at, 'a');
}

static void what_would_be_undone_waits_for_its_file(void **state)
{
    struct server *server = *state;
    begin_large(server);
    assert_int_equal(cut_off(server, 2, "large", 1), -1);
    struct fth_bytes fields = about("large");
    fth_bytes_varint(&fields, 0);
    fth_bytes_varint(&fields, MIB);
    assert_int_equal(ask(server, 1, FTH_MESSAGE_DETACH, fields), -1);
    assert_int_equal(ask(server, 4, FTH_MESSAGE_DETACH_ALL, (struct fth_bytes){.data = NULL}), -1);
    write_all(server);
    assert_int_equal(server->later_count, 4);
    for (size_t i = 0; i < server->later_count; i++)
        assert_int_equal(server->later[i].error, 0);
    assert_int_equal(server->later[0].connection, 5);
    assert_int_equal(server->later[1].connection, 2);
    assert_int_equal(attached(server, "large"), 0);
    check_below(server, "large", LARGE - 1, 'a');
}

static void the_newest_bytes_are_written(void **state)
{
    struct server *server = *state;
    begin_large(server);
    fill(server, 1, LARGE, 5, 'n');
    /* not written yet, and the place of the old ones is used again */
    assert_int_equal(attach(server, 1, "large", 16, 4, LARGE), 0);
    use_again(server, 1, 4);
    /* written already: it is below with the next flush */
    assert_int_equal(attach(server, 1, "large", 0, 1, LARGE + 4), 0);
    write_all(server);
    assert_int_equal(server->later[0].error, 0);
    check_below(server, "large", 0, 'a');
    check_below(server, "large", 15, 'a');
    check_below(server, "large", 16, 'n');
    check_below(server, "large", 19, 'n');
    assert_int_equal(flush(server, 5), -1);
    write_all(server);
    check_below(server, "large", 0, 'n');
    check_below(server, "large", 1, 'a');
}

static void room_is_given_back_when_all_is_below(void **state)
{
    struct server *server = *state;
    const struct fth_bytes none = {.data = NULL};
    begin_large(server);
    assert_int_equal(ask(server, 1, FTH_MESSAGE_RECLAIM, none), -1);
    write_all(server);
    assert_int_equal(server->later_count, 2);
    assert_int_equal(server->later[1].connection, 1);
    assert_int_equal(server->later[1].error, 0);
    assert_int_equal(attached(server, "large"), 0);
    /* one that does not wait any more has attached something that is not below */
    assert_int_equal(attach(server, 1, "large", 0, LARGE, 0), 0);
    assert_int_equal(ask(server, 1, FTH_MESSAGE_RECLAIM, none), -1);
    fill(server, 1, LARGE, 1, 'n');
    assert_int_equal(attach(server, 1, "large", 0, 1, LARGE), 0);
    write_all(server);
    assert_int_equal(server->later[2].error, EBUSY);
    assert_int_equal(attached(server, "large"), 2);
}

static void who_has_gone_asks_for_nothing(void **state)
{
    struct server *server = *state;
    begin_large(server);
    assert_int_equal(cut_off(server, 2, "large", 0), -1);
    fth_flushes_drop(&server->flushes, 2);
    write_all(server);
    assert_int_equal(server->later_count, 1);
    assert_int_equal(attached(server, "large"), 1);
}

static void the_end_comes_behind_all(void **state)
{
    struct server *server = *state;
    const struct fth_bytes none = {.data = NULL};
    begin_large(server);
    assert_int_equal(ask(server, 2, FTH_MESSAGE_STOP, none), -1);
    assert_int_equal(flush(server, 3), -1);
    fill(server, 4, 0, 1, 'l');
    assert_int_equal(attach(server, 4, "late", 0, 1, 0), 0);
    write_all(server);
    assert_true(server->requests.stop);
    assert_int_equal(server->later[0].connection, 5);
    assert_int_equal(server->later[1].connection, 2);
    assert_int_equal(server->later_count, 2); /* nothing is done behind the end */
    check_below(server, "late", 0, 'l');
}

/* A file that is known by its identity, held, and larger than a piece. */
static void hold(struct server *server, char identity[FTH_IDENTITY_MOST + 1])
{
    struct stat facts;
    int file = openat(server->instance.under, "held", O_RDWR | O_CREAT, 0600);
    assert_int_equal(fstat(file, &facts), 0);
    identity[fth_identity_of(&facts, 0, identity)] = 0;
    struct fth_bytes fields = about(identity);
    assert_int_equal(ask_with(server, 1, FTH_MESSAGE_HOLD, fields, &file), 0);
    fill(server, 1, 0, LARGE, 'h');
    assert_int_equal(attach(server, 1, identity, 0, LARGE, 0), 0);
}

static void nobody_attaches_to_what_is_given(void **state)
{
    struct server *server = *state;
    char identity[FTH_IDENTITY_MOST + 1];
    hold(server, identity);
    assert_int_equal(ask(server, 1, FTH_MESSAGE_GIVE, about(identity)), -1);
    assert_int_equal(attach(server, 2, identity, 0, 1, 0), -1);
    write_all(server);
    assert_int_equal(server->later_count, 2);
    assert_int_equal(server->later[0].connection, 1);
    assert_int_equal(server->later[0].error, 0);
    assert_int_equal(server->later[1].error, EXDEV);
    assert_int_equal(attached(server, identity), 0);
    check_below(server, "held", LARGE - 1, 'h');
}

static void what_is_attached_meanwhile_is_not_forgotten(void **state)
{
    struct server *server = *state;
    char identity[FTH_IDENTITY_MOST + 1];
    hold(server, identity);
    assert_int_equal(ask(server, 1, FTH_MESSAGE_SETTLE, about(identity)), -1);
    fill(server, 2, 0, 1, 'n');
    assert_int_equal(attach(server, 2, identity, 0, 1, 0), 0);
    write_all(server);
    assert_int_equal(server->later[0].error, 0);
    assert_int_equal(attached(server, identity), 2);
    assert_int_equal(ask(server, 1, FTH_MESSAGE_SETTLE, about(identity)), 0);
    assert_int_equal(attached(server, identity), 0);
    check_below(server, "held", 0, 'n');
    check_below(server, "held", 1, 'h');
}

static void nothing_new_is_left_of_what_has_no_end(void **state)
{
    struct server *server = *state;
    begin_large(server);
    fth_flushes_end(&server->flushes);
    assert_int_equal(unlinkat(server->instance.folder, "under", AT_REMOVEDIR), 0); /* is empty */
    assert_int_equal(mkdirat(server->instance.folder, "under", 0700), 0);
}

/* What is deleted is not known for ever, nor what was only asked for. */
static void names_of_nothing_are_forgotten(void **state)
{
    enum { NAMES = 20000, MOST = 2100 };
    struct server *server = *state;
    char name[32];
    assert_int_equal(attach(server, 1, "kept", 0, 1, 0), 0);
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "deleted.%d", i);
        assert_int_equal(attach(server, 1, name, 0, 1, 0), 0);
        assert_int_equal(cut_off(server, 1, name, 0), 0);
        snprintf(name, sizeof name, "asked.%d", i);
        assert_int_equal(query(server, 1, name), 0);
        fth_flushes_step(&server->flushes);
        assert_true(fth_keyed_count(&server->published.files) < MOST);
    }
    assert_int_equal(attached(server, "kept"), 1);
    /* while a file is being written they keep their numbers */
    begin_large(server);
    for (int i = 0; i < NAMES; i++) {
        snprintf(name, sizeof name, "meanwhile.%d", i);
        assert_int_equal(query(server, 1, name), 0);
    }
    assert_true(fth_flushes_step(&server->flushes));
    assert_true(fth_keyed_count(&server->published.files) > NAMES);
    write_all(server);
    assert_true(fth_keyed_count(&server->published.files) < MOST);
    check_below(server, "large", LARGE - 1, 'a');
    assert_int_equal(attached(server, "large"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(others_are_answered_meanwhile, begin, end),
        cmocka_unit_test_setup_teardown(what_would_be_undone_waits_for_its_file, begin, end),
        cmocka_unit_test_setup_teardown(the_newest_bytes_are_written, begin, end),
        cmocka_unit_test_setup_teardown(room_is_given_back_when_all_is_below, begin, end),
        cmocka_unit_test_setup_teardown(who_has_gone_asks_for_nothing, begin, end),
        cmocka_unit_test_setup_teardown(the_end_comes_behind_all, begin, end),
        cmocka_unit_test_setup_teardown(nobody_attaches_to_what_is_given, begin, end),
        cmocka_unit_test_setup_teardown(what_is_attached_meanwhile_is_not_forgotten, begin, end),
        cmocka_unit_test_setup_teardown(nothing_new_is_left_of_what_has_no_end, begin, end),
        cmocka_unit_test_setup_teardown(names_of_nothing_are_forgotten, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
