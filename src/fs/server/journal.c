/* Records in a mapped file. */
#include "fs/server/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WINDOW = 256 << 10 /* bytes that are mapped at a time, or as many as a record needs */ };

static int read_records(struct fth_journal *journal,
                        void (*take)(void *data, struct fth_view *view), void *data,
                        struct fth_error **error)
{
    struct stat facts;
    if (fstat(journal->file, &facts))
        return fth_fail_errno(error, "the journal of the server cannot be read");
    if (!facts.st_size)
        return 0;
    void *map = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, journal->file, 0);
    if (map == MAP_FAILED)
        return fth_fail_errno(error, "the journal of the server cannot be read");
    struct fth_view view = fth_view_of(map, (size_t)facts.st_size);
    while (view.at < view.end && *view.at && !view.failed) {
        take(data, &view);
        if (!view.failed)
            journal->end = (uint64_t)(view.at - (const uint8_t *)map);
    }
    munmap(map, (size_t)facts.st_size);
    return ftruncate(journal->file, (off_t)journal->end)
               ? fth_fail_errno(error, "the journal of the server cannot be mended")
               : 0;
}

int fth_journal_open(struct fth_journal *journal, int folder,
                     void (*take)(void *data, struct fth_view *view), void *data,
                     struct fth_error **error)
{
    *journal = (struct fth_journal){
        .file = openat(folder, "journal", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600),
        .folder = folder};
    if (journal->file < 0)
        return fth_fail_errno(error, "the journal of the server cannot be opened");
    return read_records(journal, take, data, error);
}

static void unmap(struct fth_journal *journal)
{
    if (journal->map)
        munmap(journal->map, journal->bytes);
    journal->map = NULL;
}

/* Room is reserved before it is mapped, so that there is none is an error and not a signal. */
static int make_room(struct fth_journal *journal, size_t length, struct fth_error **error)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), from = journal->end / page * page;
    size_t bytes = (journal->end - from + length + WINDOW - 1) / WINDOW * WINDOW;
    unmap(journal);
    int failed = posix_fallocate(journal->file, (off_t)from, (off_t)bytes);
    void *map =
        failed ? MAP_FAILED
               : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, journal->file, (off_t)from);
    if (map == MAP_FAILED) {
        errno = failed ? failed : errno;
        return fth_fail_errno(error, "the journal of the server cannot be written");
    }
    journal->map = map;
    journal->from = from;
    journal->bytes = bytes;
    return 0;
}

/* Its first byte comes last: without it nothing is there, wherever the server is killed. */
int fth_journal_put(struct fth_journal *journal, const struct fth_bytes *record,
                    struct fth_error **error)
{
    if (journal->file < 0)
        return 0;
    if ((!journal->map || journal->end + record->length > journal->from + journal->bytes) &&
        make_room(journal, record->length, error))
        return -1;
    uint8_t *to = journal->map + (journal->end - journal->from);
    memcpy(to + 1, record->data + 1, record->length - 1);
    __atomic_store_n(to, record->data[0], __ATOMIC_RELEASE);
    journal->end += record->length;
    if (journal->copy)
        journal->copy(journal->copy_data, record, false);
    return 0;
}

static int write_all(int file, const struct fth_bytes *bytes)
{
    for (size_t done = 0; done < bytes->length;) {
        ssize_t count = write(file, bytes->data + done, bytes->length - done);
        if (count < 0 && errno != EINTR)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

int fth_journal_replace(struct fth_journal *journal, const struct fth_bytes *records,
                        struct fth_error **error)
{
    const char *name = "journal-next";
    int file =
        openat(journal->folder, name, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0 || write_all(file, records) ||
        renameat(journal->folder, name, journal->folder, "journal")) {
        int failed = fth_fail_errno(error, "the journal of the server cannot be made shorter");
        if (file >= 0) {
            close(file);
            unlinkat(journal->folder, name, 0);
        }
        return failed;
    }
    unmap(journal);
    close(journal->file);
    journal->file = file;
    journal->end = records->length;
    if (journal->copy)
        journal->copy(journal->copy_data, records, true);
    return 0;
}

void fth_journal_close(struct fth_journal *journal)
{
    unmap(journal);
    if (journal->file >= 0)
        close(journal->file);
}
