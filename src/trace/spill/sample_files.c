/* Samples on their way from the sampler to the trace. */
#include "trace/spill/sample_files.h"

#include "base/memory.h"
#include "trace/file/container.h"

#define XXH_INLINE_ALL
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#define MAGIC UINT64_C(0x31504d4153485446) /* "FTHSAMP1" */
enum { MOST_BYTES = 1 << 30 };

struct head {
    uint64_t magic;
    struct fth_samples_anchor anchor;
    uint64_t length, check; /* of the bytes behind it */
};

/* ---- writing ---- */

void fth_sample_file_write(const char *path, const struct fth_samples *samples,
                           const struct fth_samples_anchor *anchor)
{
    struct fth_bytes bytes = {0};
    struct head head = {.magic = MAGIC, .anchor = *anchor};
    char *temporary;
    temporary = fth_text_format("%s.tmp", path);
    fth_bytes_put(&bytes, &head, sizeof head);
    fth_samples_write(samples, &bytes);
    head.length = bytes.length - sizeof head;
    head.check = XXH64(bytes.data + sizeof head, head.length, MAGIC);
    memcpy(bytes.data, &head, sizeof head);
    int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool written = file >= 0 && fth_write_at(file, bytes.data, bytes.length, 0, path, NULL) == 0;
    if (file >= 0)
        close(file);
    if (!written || rename(temporary, path) != 0)
        unlink(temporary);
    free(temporary);
    fth_bytes_free(&bytes);
}

/* ---- reading ---- */

static bool read_file(const char *path, struct fth_bytes *bytes)
{
    struct stat facts;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                facts.st_size >= (off_t)sizeof(struct head) && facts.st_size <= MOST_BYTES;
    if (good) {
        uint8_t *room = fth_bytes_room(bytes, (size_t)facts.st_size);
        good = pread(file, room, (size_t)facts.st_size, 0) == facts.st_size;
        bytes->length = (size_t)facts.st_size;
    }
    if (file >= 0)
        close(file);
    return good;
}

static bool is_whole(const struct fth_bytes *bytes, struct head *head)
{
    const int64_t most = INT64_C(1) << 61;
    memcpy(head, bytes->data, sizeof *head);
    return head->magic == MAGIC && head->length == bytes->length - sizeof *head &&
           head->check == XXH64(bytes->data + sizeof *head, head->length, MAGIC) &&
           head->anchor.monotonic >= 0 && head->anchor.monotonic < most &&
           head->anchor.realtime >= 0 && head->anchor.realtime < most;
}

/* A node whose processes all did without the tracer goes by its time of day. */
static struct fth_node_clock clock_of(const struct fth_spill_folder *folder,
                                      const struct fth_clock *clocks, const char *host,
                                      const struct fth_samples_anchor *anchor)
{
    for (size_t i = 0; i < folder->image_count; i++) {
        const char *its_host = fth_spill_text(folder->images[i].process, "host", NULL);
        if (its_host && strcmp(its_host, host) == 0)
            return clocks[i].node;
    }
    return (struct fth_node_clock){anchor->monotonic, anchor->realtime, 0};
}

/* Rows stay one after another, however the clock was corrected. */
static void correct_times(struct fth_read_samples *samples, const struct fth_node_clock *clock)
{
    int64_t before = samples->start = fth_node_clock_time(clock, samples->start);
    for (uint32_t row = 0; row < samples->rows; row++) {
        int64_t time = fth_node_clock_time(clock, samples->times[row]);
        before = samples->times[row] = time > before ? time : before + 1;
    }
}

static bool append(struct fth_bytes *to, const struct fth_bytes *bytes,
                   const struct fth_spill_folder *folder, const struct fth_clock *clocks)
{
    struct head head;
    struct fth_read_samples samples;
    struct fth_bytes raw = {0};
    if (!is_whole(bytes, &head) ||
        fth_samples_read(&samples, bytes->data + sizeof head, head.length, NULL))
        return false;
    struct fth_node_clock clock = clock_of(folder, clocks, samples.host, &head.anchor);
    correct_times(&samples, &clock);
    fth_samples_rewrite(&samples, &raw);
    fth_read_samples_free(&samples);
    bool good = fth_samples_read(&samples, raw.data, raw.length, NULL) == 0;
    if (good) {
        fth_read_samples_free(&samples);
        fth_section_append(to, FTH_SECTION_SAMPLES, 0, raw.data, raw.length);
    }
    fth_bytes_free(&raw);
    return good;
}

size_t fth_sample_files_append(struct fth_bytes *to, const struct fth_spill_folder *folder,
                               const struct fth_clock *clocks)
{
    const size_t ending = strlen(FTH_SAMPLES_ENDING);
    size_t damaged = 0;
    DIR *directory = opendir(folder->path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        size_t length = strlen(entry->d_name);
        char *path;
        struct fth_bytes bytes = {0};
        if (length <= ending || strcmp(entry->d_name + length - ending, FTH_SAMPLES_ENDING) != 0)
            continue;
        path = fth_text_format("%s/%s", folder->path, entry->d_name);
        damaged += !read_file(path, &bytes) || !append(to, &bytes, folder, clocks);
        fth_bytes_free(&bytes);
        free(path);
    }
    if (directory)
        closedir(directory);
    return damaged;
}
