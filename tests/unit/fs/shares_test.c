/* Writing to the folder below where bytes are on several nodes: what other servers are asked for,
 * in pieces, and what comes of their answers; and what is written for them. */
#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/flushes.h"
#include "fs/server/share_of_file.h"

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

enum { SERVERS = 3, ASKED_MOST = 16, HERE = 1, OTHER = (1 << FTH_SERVER_SHIFT) + 1 };

/* What another server was asked for, and has not answered. */
struct question {
    struct fth_stage_asked *asked;
    uint32_t server;
    uint64_t begin, end; /* the first range of the piece, and the end of the last */
    uint64_t place;
    uint64_t count;
};

struct server {
    char folder[64];
    struct fth_fs_instance instance;
    struct fth_published published;
    struct fth_requests requests;
    struct fth_flushes flushes;
    struct question questions[ASKED_MOST];
    size_t count;
    uint64_t later[ASKED_MOST];
    size_t later_count;
    int error; /* of the last one, and why */
    char why[512];
};

static void note_answer(void *data, uint64_t connection, struct fth_bytes *answer)
{
    enum { HEAD = FTH_MESSAGE_LENGTH + 1 };
    struct server *server = data;
    assert_true(server->later_count < ASKED_MOST);
    server->later[server->later_count++] = connection;
    server->error = answer->data[FTH_MESSAGE_LENGTH];
    snprintf(server->why, sizeof server->why, "%.*s",
             server->error ? (int)(answer->length - HEAD) : 0, (char *)answer->data + HEAD);
}

static void note_question(void *data, uint32_t to, const struct fth_bytes *fields,
                          struct fth_stage_asked *asked)
{
    struct server *server = data;
    struct fth_view view = fth_view_of(fields->data, fields->length);
    struct question question = {.asked = asked, .server = to};
    assert_true(server->count < ASKED_MOST);
    for (int i = 0; i < 2; i++) /* the file, and its name below */
        fth_view_bytes(&view, fth_view_varint(&view));
    fth_view_varint(&view);
    question.count = fth_view_varint(&view);
    for (uint64_t i = 0; i < question.count; i++) {
        uint64_t begin = fth_view_varint(&view);
        question.end = begin + fth_view_varint(&view);
        uint64_t place = fth_view_varint(&view);
        assert_int_equal(fth_server_of((uint32_t)fth_view_varint(&view)), to);
        if (i == 0) {
            question.begin = begin;
            question.place = place;
        }
    }
    assert_false(view.failed);
    server->questions[server->count++] = question;
}

static int begin(void **state)
{
    struct server *server = fth_new(1, sizeof *server);
    struct fth_error *error = NULL;
    strcpy(server->folder, "/tmp/fathom-shares-XXXXXX");
    assert_non_null(mkdtemp(server->folder));
    server->instance.folder = open(server->folder, O_DIRECTORY | O_RDONLY);
    assert_int_equal(mkdirat(server->instance.folder, "buffers", 0700), 0);
    assert_int_equal(mkdirat(server->instance.folder, "under", 0700), 0);
    server->instance.under = openat(server->instance.folder, "under", O_DIRECTORY | O_RDONLY);
    server->instance.server_count = SERVERS;
    assert_int_equal(fth_published_open(&server->published, server->instance.folder,
                                        server->instance.under, true, &error),
                     0);
    server->published.servers = SERVERS;
    server->requests =
        (struct fth_requests){.instance = &server->instance, .published = &server->published};
    fth_flushes_begin(&server->flushes, &server->requests, note_answer, server);
    server->flushes.elsewhere = (struct fth_flush_elsewhere){note_question, server};
    *state = server;
    return 0;
}

static int end(void **state)
{
    struct server *server = *state;
    char command[128];
    assert_int_equal(server->count, 0);
    fth_flushes_end(&server->flushes);
    fth_published_close(&server->published);
    close(server->instance.under);
    close(server->instance.folder);
    snprintf(command, sizeof command, "rm -r %s", server->folder);
    assert_int_equal(system(command), 0);
    free(server);
    return 0;
}

/* ---- what the server learns ---- */

/* In MiB. */
static void attach(struct server *server, uint32_t client, const char *path, uint64_t begin,
                   uint64_t count, uint64_t place)
{
    const struct fth_interval interval = {
        begin * MIB, (begin + count) * MIB, FTH_BUFFER_HEAD + place * MIB, client, 0};
    assert_int_equal(fth_published_attach(&server->published, path, strlen(path), &interval, 1,
                                          NULL, NULL),
                     0);
}

static int ask(struct server *server, uint64_t connection, uint32_t client, uint8_t kind,
               struct fth_bytes fields)
{
    struct fth_view view = fth_view_of(fields.data, fields.length);
    const struct fth_asker asker = {client, 0};
    struct fth_bytes answer = {.data = NULL};
    int none = -1;
    bool at_once =
        fth_flushes_request(&server->flushes, connection, &asker, kind, &view, &none, &answer);
    int error = at_once ? answer.data[FTH_MESSAGE_LENGTH] : -1;
    fth_bytes_free(&answer);
    fth_bytes_free(&fields);
    return error;
}

/* Of a file, "": of all. */
static int write_out(struct server *server, const char *path)
{
    struct fth_bytes fields = {.data = NULL};
    fth_bytes_text(&fields, path, strlen(path));
    fth_bytes_varint(&fields, 0);
    return ask(server, 1, 0, FTH_MESSAGE_WRITE_OUT, fields);
}

static void step(struct server *server)
{
    while (fth_flushes_step(&server->flushes)) {
    }
}

/* The first that was asked is answered, and what comes of that is done. */
static void answer(struct server *server, int error, const char *why)
{
    struct question question = server->questions[0];
    assert_true(server->count > 0);
    memmove(server->questions, server->questions + 1, --server->count * sizeof question);
    fth_stage_answered(question.asked, error ? 0 : question.asked->bytes, error, why);
    step(server);
}

static struct fth_published_file *file_of(const struct server *server, const char *path)
{
    uint32_t number;
    assert_true(fth_keyed_number(&server->published.files, path, strlen(path), &number));
    return fth_keyed_item(&server->published.files, number);
}

static bool is_below(const struct server *server, const char *name)
{
    return faccessat(server->instance.under, name, F_OK, 0) == 0;
}

/* ---- tests ---- */

static void others_write_a_piece_behind_the_other(void **state)
{
    struct server *server = *state;
    uint64_t at = 0;
    attach(server, OTHER, "large", 0, 22, 0);
    assert_int_equal(write_out(server, ""), -1);
    for (step(server); at < 22; at += 4) {
        size_t left = (22 - at + 3) / 4;
        assert_int_equal(server->count, left < 2 ? left : 2);
        assert_int_equal(server->questions[0].begin, at * MIB);
        assert_int_equal(server->questions[0].end, (at + 4 < 22 ? at + 4 : 22) * MIB);
        /* meanwhile others are answered */
        struct fth_bytes fields = {.data = NULL};
        fth_bytes_text(&fields, "large", 5);
        assert_int_equal(ask(server, 2, OTHER, FTH_MESSAGE_STAT, fields), 0);
        assert_int_equal(server->later_count, 0);
        assert_false(is_below(server, "large"));
        answer(server, 0, "");
    }
    assert_int_equal(server->later_count, 1);
    assert_int_equal(server->error, 0);
    assert_true(is_below(server, "large"));
    assert_false(fth_published_is_dirty(file_of(server, "large")));
    assert_int_equal(write_out(server, ""), 0);
}

static void what_would_be_undone_waits(void **state)
{
    struct server *server = *state;
    struct fth_bytes fields = {.data = NULL};
    attach(server, OTHER, "file", 0, 1, 0);
    attach(server, OTHER, "later", 0, 1, 1);
    assert_int_equal(write_out(server, ""), -1);
    fth_bytes_text(&fields, "file", 4);
    fth_bytes_varint(&fields, 0);
    assert_int_equal(ask(server, 2, OTHER, FTH_MESSAGE_TRUNCATE, fields), -1);
    assert_int_equal(
        ask(server, 3, OTHER, FTH_MESSAGE_RECLAIM, (struct fth_bytes){.data = NULL}), -1);
    answer(server, 0, "");
    assert_int_equal(server->later_count, 2);
    assert_int_equal(server->later[0], 2);
    assert_int_equal(server->later[1], 3);
    assert_int_equal(server->error, EBUSY); /* the other file is not below */
    answer(server, 0, "");
    assert_int_equal(server->later[2], 1);
    assert_int_equal(server->error, 0);
    assert_int_equal(
        ask(server, 3, OTHER, FTH_MESSAGE_RECLAIM, (struct fth_bytes){.data = NULL}), 0);
    assert_int_equal(file_of(server, "later")->intervals.count, 0);
}

static void what_was_written_over_is_asked_for_again(void **state)
{
    struct server *server = *state;
    attach(server, OTHER, "file", 0, 8, 0);
    assert_int_equal(write_out(server, ""), -1);
    assert_int_equal(server->count, 2);
    /* by a client of the third node, in the first piece */
    attach(server, (2 << FTH_SERVER_SHIFT) + 1, "file", 1, 1, 50);
    answer(server, ENODATA, "");
    assert_int_equal(server->count, 1); /* not before the other piece is there */
    answer(server, 0, "");
    const uint32_t servers[] = {1, 2, 1, 1};
    const uint64_t begins[] = {0, 1, 2, 6}, ends[] = {1, 2, 6, 8};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(server->questions[0].server, servers[i]);
        assert_int_equal(server->questions[0].begin, begins[i] * MIB);
        assert_int_equal(server->questions[0].end, ends[i] * MIB);
        answer(server, 0, "");
    }
    assert_int_equal(server->later_count, 1);
    assert_int_equal(server->error, 0);
}

static void lost_bytes_are_named(void **state)
{
    struct server *server = *state;
    attach(server, OTHER, "file", 1, 2, 0);
    assert_int_equal(write_out(server, ""), -1);
    answer(server, ENODATA, "");
    assert_int_equal(server->error, EIO);
    assert_non_null(strstr(server->why, "'file'"));
    assert_non_null(strstr(server->why, "1048576 to 3145728"));
    assert_non_null(strstr(server->why, "node number 1"));
    assert_false(is_below(server, "file"));
    assert_true(fth_published_is_dirty(file_of(server, "file")));
}

static void other_files_go_on_without_a_node(void **state)
{
    struct server *server = *state;
    attach(server, OTHER, "first", 0, 20, 0);
    attach(server, OTHER, "second", 0, 1, 20);
    attach(server, (2 << FTH_SERVER_SHIFT) + 1, "third", 0, 1, 0);
    assert_int_equal(write_out(server, ""), -1);
    assert_int_equal(server->count, 2);
    answer(server, EHOSTDOWN, "the server of node 'x' does not answer");
    answer(server, EHOSTDOWN, "the server of node 'x' does not answer");
    /* nothing more is asked of it */
    assert_int_equal(server->count, 1);
    assert_int_equal(server->questions[0].server, 2);
    answer(server, 0, "");
    assert_int_equal(server->error, EIO);
    assert_non_null(strstr(server->why, "'first'"));
    assert_non_null(strstr(server->why, "bytes 0 to 20971520"));
    assert_non_null(strstr(server->why, "node 'x' does not answer"));
    assert_true(is_below(server, "third"));
    assert_false(is_below(server, "first"));
    /* it may still write to the first one: it is asked for that before anybody does */
    attach(server, HERE, "first", 0, 20, 0);
    assert_int_equal(write_out(server, "first"), -1);
    assert_int_equal(server->count, 1);
    assert_int_equal(server->questions[0].count, 0);
    answer(server, EHOSTDOWN, "the server of node 'x' does not answer");
    assert_int_equal(server->error, EIO);
    assert_non_null(strstr(server->why, "older bytes"));
    attach(server, OTHER, "first", 0, 20, 20);
    assert_int_equal(write_out(server, "first"), -1);
    answer(server, 0, "");
    while (server->count)
        answer(server, 0, "");
    assert_int_equal(server->error, 0);
    assert_null(file_of(server, "first")->unanswered);
    assert_true(is_below(server, "first"));
}

static void one_piece_of_others_is_written_a_turn(void **state)
{
    struct server *server = *state;
    int buffer = openat(server->instance.folder, "buffers/1", O_RDWR | O_CREAT, 0600);
    assert_int_equal(ftruncate(buffer, (off_t)(FTH_BUFFER_HEAD + 8 * MIB)), 0);
    close(buffer);
    for (uint64_t i = 0; i < 3; i++) {
        struct fth_bytes fields = {.data = NULL};
        fth_bytes_text(&fields, "file", 4);
        fth_bytes_text(&fields, "of-others", 9);
        fth_bytes_varint(&fields, 3);
        fth_bytes_varint(&fields, 1);
        fth_bytes_varint(&fields, i);
        fth_bytes_varint(&fields, 1);
        fth_bytes_varint(&fields, FTH_BUFFER_HEAD);
        fth_bytes_varint(&fields, HERE);
        assert_int_equal(ask(server, 10 + i, 0, FTH_MESSAGE_WRITE, fields), i ? -1 : 0);
    }
    for (size_t i = 1; i < 3; i++) {
        assert_true(fth_flushes_step(&server->flushes));
        assert_int_equal(server->later_count, i);
        assert_int_equal(server->later[i - 1], 10 + i);
        assert_int_equal(server->error, 0);
    }
    assert_false(fth_flushes_step(&server->flushes));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(others_write_a_piece_behind_the_other, begin, end),
        cmocka_unit_test_setup_teardown(what_would_be_undone_waits, begin, end),
        cmocka_unit_test_setup_teardown(what_was_written_over_is_asked_for_again, begin, end),
        cmocka_unit_test_setup_teardown(lost_bytes_are_named, begin, end),
        cmocka_unit_test_setup_teardown(other_files_go_on_without_a_node, begin, end),
        cmocka_unit_test_setup_teardown(one_piece_of_others_is_written_a_turn, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
