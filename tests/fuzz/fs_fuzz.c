/* Any bytes are requests that a server answers, and any bytes are a journal that it begins with:
 * intervals stay in order, and no answer is longer than a message may be. The first byte chooses.
 * Nothing is written to a folder below, as no client has a buffer. */
#include "fs/protocol/fs_messages.h"
#include "fs/server/requests.h"

#include <fcntl.h>
#include <stdint.h>
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

static void ask(const uint8_t *bytes, size_t length)
{
    struct fth_published published = {.files.size = sizeof(struct fth_published_file),
                                      .journal = -1};
    struct fth_fs_instance instance = {.folder = folder(), .under = folder()};
    struct fth_requests requests = {.instance = &instance, .published = &published};
    struct fth_bytes answer = {.data = NULL};
    /* Client, kind and length of each request, then its fields. */
    while (length >= 3) {
        size_t fields = bytes[2] < length - 3 ? bytes[2] : length - 3;
        struct fth_view view = fth_view_of(bytes + 3, fields);
        int passed = bytes[0] & 4 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
        fth_requests_answer(&requests, 1 + bytes[0] % 3, bytes[1] % 20, &view, &passed, &answer);
        if (passed >= 0)
            close(passed);
        if (answer.length < 5 || answer.length > FTH_MESSAGE_MOST)
            abort();
        bytes += 3 + fields;
        length -= 3 + fields;
    }
    check_all(&published);
    fth_bytes_free(&answer);
    fth_published_close(&published);
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
    if (!fth_published_open(&published, in, in, &error))
        check_all(&published);
    fth_error_free(error);
    fth_published_close(&published);
    unlinkat(in, "journal", 0);
    unlinkat(in, "known", 0);
    close(in);
    rmdir(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length && bytes[0] & 1)
        read_journal(bytes + 1, length - 1);
    else if (length)
        ask(bytes + 1, length - 1);
    return 0;
}
