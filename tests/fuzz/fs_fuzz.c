/* Any bytes are requests that a server answers, of clients or of the servers of other nodes, and
 * any bytes are a journal that it begins with: intervals stay in order, and no answer is longer
 * than a message may be. Any bytes are frames that the server of another node sends, before and
 * behind the proof of the secret, which no bytes are. Any bytes are what the copy of another node
 * is asked to keep, and then a journal that a server begins with. The first byte chooses. Nothing
 * is written to a folder below, as no client has a buffer. */
#include "base/memory.h"
#include "fs/protocol/buffer_file.h"
#include "fs/protocol/fs_messages.h"
#include "fs/server/flushes.h"
#include "fs/server/kept_copy.h"
#include "fs/server/sealed_link.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void check_file(const struct fth_published_file *file)
{
    struct fth_interval interval;
    uint64_t end = 0;
    for (uint64_t at = 0; fth_intervals_find(&file->intervals, at, &interval); at = interval.end) {
        if (interval.begin < end || interval.begin >= interval.end)
            abort();
        end = interval.end;
    }
    if (end > file->end)
        abort();
}

static void check_all(const struct fth_published *published)
{
    for (uint32_t i = 0; i < fth_keyed_count(&published->files); i++)
        check_file(fth_keyed_item(&published->files, i));
}

/* A folder of our own in memory, for all inputs. */
static int folder(void)
{
    static int opened;
    static char path[] = "/tmp/fathom-fs-fuzz-XXXXXX";
    if (!opened) {
        if (!mkdtemp(path))
            abort();
        opened = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        rmdir(path); /* it lives as long as it is open, and is empty */
    }
    return opened;
}

enum { SERVERS = 3 };

static void check_answer(void *data, uint64_t connection, struct fth_bytes *answer)
{
    (void)data;
    (void)connection;
    if (answer->length < 5 || answer->length > FTH_MESSAGE_MOST)
        abort();
}

/* What another server is asked to write, and answers before the next request. */
static struct fth_stage_asked **asked;
static size_t asked_count;

static void write_elsewhere(void *data, uint32_t server, const struct fth_bytes *fields,
                            struct fth_stage_asked *question)
{
    (void)data;
    if (server >= SERVERS || !fields->length)
        abort();
    FTH_GROW(asked, asked_count);
    asked[asked_count++] = question;
}

/* `error`: with that one. */
static void answer_elsewhere(struct fth_flushes *flushes, int error)
{
    do {
        while (asked_count)
            fth_stage_answered(asked[--asked_count], 1, error, "");
        while (fth_flushes_step(flushes)) {
        }
    } while (asked_count);
}

/* `is_part`: the server is the second of three, and another one asks. */
static void ask(const uint8_t *bytes, size_t length, bool is_part)
{
    struct fth_published published = {.files.size = sizeof(struct fth_published_file),
                                      .journal.file = -1,
                                      .servers = is_part ? SERVERS : 0,
                                      .server = is_part};
    struct fth_fs_instance instance = {.folder = folder(),
                                       .under = folder(),
                                       .server_count = is_part ? SERVERS : 1,
                                       .server = is_part};
    struct fth_requests requests = {.instance = &instance, .published = &published};
    struct fth_bytes answer = {.data = NULL};
    struct fth_flushes flushes;
    fth_flushes_begin(&flushes, &requests, check_answer, NULL);
    if (is_part)
        flushes.elsewhere.ask = write_elsewhere;
    /* Client, kind and length of each request, then its fields. */
    while (length >= 3) {
        size_t fields = bytes[2] < length - 3 ? bytes[2] : length - 3;
        struct fth_view view = fth_view_of(bytes + 3, fields);
        int passed = bytes[0] & 4 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
        uint32_t client =
            ((uint32_t)(bytes[0] >> 3) % SERVERS << FTH_SERVER_SHIFT) + 1 + bytes[0] % 3;
        uint8_t kind = bytes[1] % (FTH_MESSAGE_LAST + 1);
        const struct fth_asker asker = {is_part ? client : 1u + bytes[0] % 3, bytes[0] >> 6};
        static const int errors[] = {0, EHOSTDOWN, ENODATA, ENOENT, EIO};
        bool at_once = fth_flushes_request(&flushes, client, &asker, kind, &view, &passed, &answer);
        if (bytes[0] >> 5 & 1)
            answer_elsewhere(&flushes, errors[bytes[0] % 5]);
        if (passed >= 0)
            close(passed);
        if (at_once)
            check_answer(NULL, client, &answer);
        bytes += 3 + fields;
        length -= 3 + fields;
    }
    answer_elsewhere(&flushes, 0);
    check_all(&published);
    fth_flushes_end(&flushes);
    fth_bytes_free(&answer);
    fth_buffer_file_close_all(&requests.buffers);
    fth_published_close(&published);
}

static void give_frame(struct fth_sealed_link *link, const uint8_t *frame, size_t length)
{
    struct fth_bytes out = {.data = NULL};
    uint64_t version;
    bool was_open = fth_sealed_link_is_open(link);
    int64_t whole = fth_sealed_link_frame(link, frame, length);
    if (whole > FTH_MESSAGE_MOST + 1024)
        abort();
    if (whole > 0 && (size_t)whole <= length && was_open &&
        fth_sealed_link_take(link, frame, (size_t)whole, &out))
        abort(); /* nobody has sealed it */
    if (whole > 0 && (size_t)whole <= length && !was_open)
        fth_sealed_link_shake(link, frame, (size_t)whole, &out, &version);
    if (!was_open && fth_sealed_link_is_open(link))
        abort(); /* nobody has proved anything */
    fth_bytes_free(&out);
}

/* Frames of both sides up to the proof. */
static void open_link(struct fth_sealed_link *listener, struct fth_sealed_link *connector)
{
    struct fth_bytes first = {.data = NULL}, second = {.data = NULL}, third = {.data = NULL};
    uint64_t version;
    fth_sealed_link_begin(listener, &first);
    if (fth_sealed_link_shake(connector, first.data, first.length, &second, &version) ||
        fth_sealed_link_shake(listener, second.data, second.length, &third, &version) ||
        fth_sealed_link_shake(connector, third.data, third.length, &first, &version))
        abort();
    fth_bytes_free(&first);
    fth_bytes_free(&second);
    fth_bytes_free(&third);
}

/* The first byte says what they are given to; then frames, each behind a length of one byte. */
static void give_frames(const uint8_t *bytes, size_t length)
{
    static const uint8_t secret[FTH_SECRET_BYTES];
    struct fth_sealed_link *listener = fth_sealed_link_new(secret, true),
                           *connector = fth_sealed_link_new(secret, false);
    if (length && listener) {
        struct fth_sealed_link *link = bytes[0] & 1 ? listener : connector;
        if (bytes[0] & 2)
            open_link(listener, connector);
        for (size_t at = 1; at < length;) {
            size_t frame = bytes[at] < length - at - 1 ? bytes[at] : length - at - 1;
            give_frame(link, bytes + at + 1, frame);
            at += 1 + frame;
        }
    }
    fth_sealed_link_free(listener);
    fth_sealed_link_free(connector);
}

static void read_journal(const uint8_t *bytes, size_t length)
{
    struct fth_published published;
    struct fth_error *error = NULL;
    char path[] = "/tmp/fathom-fs-journal-XXXXXX";
    if (!mkdtemp(path))
        abort();
    int in = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int file = openat(in, "journal", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || write(file, bytes, length) != (ssize_t)length || close(file))
        abort();
    if (!fth_published_open(&published, in, in, length % 2, &error))
        check_all(&published);
    fth_error_free(error);
    fth_published_close(&published);
    unlinkat(in, "journal", 0);
    unlinkat(in, "known", 0);
    close(in);
    rmdir(path);
}

/* Messages of one server to the next one, each behind its length; then what is kept is what a
 * server begins with. */
static void keep(const uint8_t *bytes, size_t length)
{
    struct fth_published published = {.journal.file = -1};
    struct fth_error *error = NULL;
    char path[] = "/tmp/fathom-fs-copy-XXXXXX";
    bool is_again;
    if (!mkdtemp(path))
        abort();
    struct fth_fs_instance instance = {.folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                       .server_count = SERVERS,
                                       .server = 1};
    snprintf(instance.path, sizeof instance.path, "%s", path);
    snprintf(instance.under_path, sizeof instance.under_path, "%s", path);
    struct fth_requests requests = {.instance = &instance, .published = &published};
    requests.kept = fth_kept_copy_open(&instance, &is_again, &error);
    if (!requests.kept || is_again)
        abort();
    while (length >= 2) {
        size_t fields = bytes[1] < length - 2 ? bytes[1] : length - 2;
        struct fth_view view = fth_view_of(bytes + 2, fields);
        struct fth_bytes answer = {.data = NULL};
        const struct fth_asker asker = {0, 0};
        fth_requests_answer_part(&requests, &asker,
                                 bytes[0] & 1 ? FTH_MESSAGE_COPY_BYTES : FTH_MESSAGE_COPY_RECORDS,
                                 &view, &answer);
        check_answer(NULL, 0, &answer);
        fth_bytes_free(&answer);
        bytes += 2 + fields;
        length -= 2 + fields;
    }
    fth_kept_copy_free(requests.kept);
    int copy = openat(instance.folder, FTH_INSTANCE_COPY, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (!fth_published_open(&published, copy, copy, true, &error))
        check_all(&published);
    fth_error_free(error);
    fth_published_close(&published);
    close(copy);
    fth_instance_remove(&instance);
    close(instance.folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (!length)
        return 0;
    switch (bytes[0] % 5) {
    case 1:
        read_journal(bytes + 1, length - 1);
        break;
    case 3:
        give_frames(bytes + 1, length - 1);
        break;
    case 4:
        keep(bytes + 1, length - 1);
        break;
    default:
        ask(bytes + 1, length - 1, bytes[0] % 5 == 2);
    }
    return 0;
}
