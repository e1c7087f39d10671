/* At MPI_Finalize the ranks of a world make one part of their streams: each walks through its own
 * calls, definitions are merged along a binomial tree, and every rank writes its own columns at its
 * own place of the part file. `fathom record` puts the part into the trace.
 *
 * What fails is agreed on by all ranks, and then nothing has happened: the streams stay, and are
 * merged after the run. Sections of a part file are those of a trace without its header, META, CATL
 * and END (docs/format.md). */
#include "base/memory.h"
#include "base/settings.h"
#include "capture/mpi/profiling_interface.h"
#include "capture/process/system_counts.h"
#include "capture/process/environment.h"
#include "capture/process/spill_folder.h"
#include "capture/record/plugin.h"
#include "capture/record/stream.h"
#include "interpose/own/own_memory.h"
#include "trace/file/container.h"
#include "trace/merge/counted_bytes.h"
#include "trace/merge/gather_image.h"
#include "trace/record/builtin.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <xxhash.h>

enum { TAG_LENGTH = 1, TAG_BYTES = 2, MOST_MESSAGE = 1 << 30, COPY = 1 << 20 };

struct merge {
    const char *prefix; /* of part files */
    int blocks; /* this rank's compressed columns, and then its facts: a file without a name */
    uint64_t blocks_bytes, frame_bytes;
    XXH64_state_t hash;
    struct fth_part part;
    struct fth_spill_counted moved; /* by this rank's calls */
    bool moved_is_known;
};

static jmp_buf gave_up;

static void give_up(void)
{
    longjmp(gave_up, 1);
}

/* ---- messages ---- */

static MPI_Comm world(void)
{
    return fth_mpi_handle(fth_mpi_world.comm);
}

static MPI_Datatype byte(void)
{
    return fth_mpi_handle(fth_mpi_abi.byte);
}

/* True when it is true on all ranks; `mine` of every rank, in order of ranks, into `all`. */
struct report {
    uint64_t good, bytes;
};
static bool exchange(struct report mine, struct report *all)
{
    if (fth_pmpi.Allgather(&mine, sizeof mine, byte(), all, sizeof mine, byte(), world()) != 0)
        return false;
    for (int i = 0; i < fth_mpi_world.size; i++)
        if (!all[i].good)
            return false;
    return true;
}

static bool send_bytes(const struct fth_bytes *bytes, int to)
{
    uint64_t length = bytes->length;
    return fth_pmpi.Send(&length, sizeof length, byte(), to, TAG_LENGTH, world()) == 0 &&
           (length == 0 ||
            fth_pmpi.Send(bytes->data, (int)length, byte(), to, TAG_BYTES, world()) == 0);
}

static bool receive_bytes(struct fth_bytes *bytes, int from)
{
    struct fth_mpi_own_status status;
    uint64_t length = 0;
    bytes->length = 0;
    if (fth_pmpi.Recv(&length, sizeof length, byte(), from, TAG_LENGTH, world(), &status) != 0)
        return false;
    uint8_t *room = fth_bytes_room(bytes, length + 1);
    if (length && fth_pmpi.Recv(room, (int)length, byte(), from, TAG_BYTES, world(), &status) != 0)
        return false;
    bytes->length = length;
    return true;
}

/* ---- this rank's calls ---- */

static bool take_block(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    struct merge *merge = context;
    XXH64_update(&merge->hash, bytes, length);
    if (fth_write_at(merge->blocks, bytes, length, merge->blocks_bytes, "columns", error))
        return false;
    merge->blocks_bytes += length;
    return true;
}

/* The rows of plug-ins count, too; once. */
static bool take_plugins(void)
{
    static bool taken, complete = true;
    struct fth_error *error = NULL;
    for (unsigned i = 0; !taken && complete && i < fth_plugin_count(); i++) {
        const struct fth_plugin *plugin = fth_plugin_at(i);
        complete = fth_builtin_extend(plugin->library.name, plugin->text, plugin->text_length,
                                      &error) == 0;
    }
    taken = true;
    fth_error_free(error);
    return complete;
}

/* The calls that map files will not be looked at again. */
static void note_mapped(const struct fth_walk *walk)
{
    char start[64], path[4096];
    for (size_t i = 0; i < walk->mapped.count; i++) {
        size_t length;
        const uint8_t *text = fth_interned(&walk->names.texts, walk->mapped.files[i].path, &length);
        if (length >= sizeof path)
            continue;
        memcpy(path, text, length);
        path[length] = 0;
        snprintf(start, sizeof start, FTH_MAPPED_KEY "=%" PRIu64 " ", walk->mapped.files[i].bytes);
        fth_process_note(start, path);
    }
}

static bool gather(struct merge *merge)
{
    struct fth_spill_folder folder = {0};
    struct fth_error *error = NULL;
    if (!take_plugins())
        return false;
    const struct fth_catalog *catalog = fth_builtin_catalog();
    if (!fth_process || fth_process->stopped)
        return false;
    merge->blocks = open(fth_spill_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (merge->blocks < 0)
        return false;
    fth_part_init(&merge->part, catalog);
    XXH64_reset(&merge->hash, FTH_SECTION_PROCESS);
    struct fth_gather gathering = {0};
    struct fth_image_walk walk;
    struct fth_bytes facts = {0};
    fth_time_mode_parse(fth_spill_text(fth_process, "time", NULL), &gathering.times);
    fth_image_walk_open(&walk, &merge->part, take_block, merge);
    bool good =
        fth_spill_folder_open_one(&folder, fth_spill_folder(), fth_process->image, &error) == 0;
    struct fth_clock *clock = good ? fth_clocks_of(folder.images, 1) : NULL;
    good = good &&
           fth_gather_process(&gathering, &walk, &folder, &folder.images[0], clock, &facts,
                              &error) == 0 &&
           gathering.problem_count + gathering.gone_count == 0 &&
           !walk.walk.process.facts.summed.since;
    note_mapped(&walk.walk);
    merge->moved_is_known = fth_counted_add_sums(&merge->moved, &walk.walk.process);
    free(clock);
    merge->frame_bytes = merge->blocks_bytes;
    good = good && take_block(merge, facts.data, facts.length, &error);
    fth_bytes_free(&facts);
    fth_image_walk_close(&walk);
    fth_gather_free(&gathering);
    fth_error_free(error);
    fth_spill_folder_close(&folder);
    return good;
}

/* ---- the tree ---- */

/* Rank r takes what r + 1, r + 2, r + 4 ... have, as far as it is theirs to give: processes stay in
 * order of ranks. A rank that cannot go on sends nothing but an empty message, so that nobody waits
 * for it. */
static bool reduce(struct merge *merge, bool good)
{
    int rank = fth_mpi_world.rank, size = fth_mpi_world.size;
    struct fth_bytes bytes = {0};
    for (int distance = 1; distance < size; distance *= 2) {
        if (rank % (2 * distance) == distance) {
            bytes.length = 0;
            if (good)
                fth_part_send(&merge->part, &bytes);
            if (bytes.length > MOST_MESSAGE)
                bytes.length = 0;
            good = send_bytes(&bytes, rank - distance) && good && bytes.length > 0;
            break;
        }
        if (rank + distance >= size)
            continue;
        struct fth_part other = {0};
        good = receive_bytes(&bytes, rank + distance) && good && bytes.length > 0;
        good = good && fth_part_receive(&other, fth_builtin_catalog(), bytes.data, bytes.length);
        if (good)
            fth_part_absorb(&merge->part, &other);
        else
            fth_part_free(&other);
    }
    fth_bytes_free(&bytes);
    return good;
}

/* ---- the part file ---- */

static uint64_t section_bytes(uint64_t blocks)
{
    return blocks + sizeof(struct fth_section);
}

static bool copy_blocks(const struct merge *merge, int file, uint64_t at)
{
    struct fth_section section = {.kind = FTH_SECTION_PROCESS,
                                  .process = (uint32_t)fth_mpi_world.rank,
                                  .stored = merge->blocks_bytes,
                                  .raw = merge->frame_bytes};
    fth_section_seal(&section, XXH64_digest(&merge->hash));
    if (fth_write_at(file, &section, sizeof section, at, "part", NULL))
        return false;
    uint8_t *buffer = fth_new(COPY, 1);
    uint64_t done = 0;
    bool good = true;
    at += sizeof section;
    while (good && done < merge->blocks_bytes) {
        ssize_t got = pread(merge->blocks, buffer, COPY, (off_t)done);
        good = got > 0 && fth_write_at(file, buffer, (size_t)got, at + done, "part", NULL) == 0;
        done += got > 0 ? (uint64_t)got : 0;
    }
    free(buffer);
    return good;
}

static bool write_definitions(const struct merge *merge, int file, uint64_t at)
{
    struct fth_bytes bytes = {0};
    fth_part_append(&bytes, &merge->part, 0);
    bool good = fth_write_at(file, bytes.data, bytes.length, at, "part", NULL) == 0;
    fth_bytes_free(&bytes);
    return good;
}

/* By rank 0, before the others look for it: who does not find it is on a node that does not share
 * the file system. */
static bool create_share(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return file >= 0 && close(file) == 0;
}

/* Everybody knows from `all` where its place is. */
static bool write_share(const struct merge *merge, const char *path, const struct report *all)
{
    uint64_t mine = 0, whole = 0;
    for (int i = 0; i < fth_mpi_world.size; i++) {
        if (i == fth_mpi_world.rank)
            mine = whole;
        whole += section_bytes(all[i].bytes);
    }
    int file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return false;
    bool good = copy_blocks(merge, file, mine) &&
                (fth_mpi_world.rank != 0 || write_definitions(merge, file, whole));
    return close(file) == 0 && good;
}

static void name_part(bool good, const char *partial, const char *path)
{
    if (fth_mpi_world.rank == 0 && (!good || rename(partial, path) != 0))
        unlink(partial);
}

/* Work that may run out of memory: false then. No message is on its way, but for those of the tree,
 * which are small. */
static bool try_gather(struct merge *merge)
{
    return setjmp(gave_up) == 0 && gather(merge);
}

static bool try_reduce(struct merge *merge, bool good)
{
    return setjmp(gave_up) == 0 && reduce(merge, good);
}

static bool try_write(const struct merge *merge, const char *path, const struct report *all)
{
    return setjmp(gave_up) == 0 && write_share(merge, path, all);
}

/* The calls that are in the part will not be added up again. */
static void keep_moved(const struct merge *merge)
{
    struct fth_spill_counted *merged = &fth_process->counted_merged;
    merged->read += merge->moved.read;
    merged->written += merge->moved.written;
    merged->reads += merge->moved.reads;
    merged->writes += merge->moved.writes;
    if (!merge->moved_is_known)
        fth_process->partial = 1;
}

/* Every rank takes part in every exchange, whatever became of its own work. */
static void merge_ranks(struct merge *merge, struct report *all)
{
    char path[4200], partial[4216];
    snprintf(path, sizeof path, "%s-%016llx", merge->prefix,
             (unsigned long long)fth_mpi_world.number);
    snprintf(partial, sizeof partial, "%s.tmp", path);
    bool good = try_reduce(merge, try_gather(merge));
    good = good && (fth_mpi_world.rank != 0 || create_share(partial));
    if (!exchange((struct report){good, merge->blocks_bytes}, all)) {
        name_part(false, partial, path);
        return;
    }
    good = try_write(merge, partial, all);
    good = exchange((struct report){good, 0}, all);
    name_part(good, partial, path);
    if (!good)
        return;
    fth_recorder_merged();
    keep_moved(merge);
}

/* All that the system has counted meanwhile was for the merge. */
static void own_since(const struct fth_spill_counted *before)
{
    struct fth_spill_counted now;
    uint64_t took;
    if (fth_counted_read(&now, &took)) {
        fth_own_read(now.read - before->read);
        fth_own_written(now.written - before->written);
    } else if (fth_process) {
        fth_process->partial = 1;
    }
}

void fth_mpi_merge(void)
{
    struct fth_mpi_quiet quiet;
    struct fth_spill_counted before = {0};
    const char *prefix = fth_setting(FTH_SETTING_NAME(PARTS));
    fth_mpi_quiet_begin(&quiet);
    /* All ranks of a world have this variable, or none has. */
    if (prefix && strlen(prefix) < 4000 && fth_mpi_world.number) {
        struct merge merge = {.prefix = prefix, .blocks = -1};
        uint64_t took;
        if (fth_counted_read(&before, &took))
            fth_own_read(took);
        void (*handler)(void) = fth_out_of_memory;
        fth_out_of_memory = give_up;
        size_t bytes = (size_t)fth_mpi_world.size * sizeof(struct report);
        struct report *all = fth_map_memory(
            bytes); /* a rank that cannot even have this would keep the others waiting */
        merge_ranks(&merge, all);
        fth_unmap(all, bytes);
        if (merge.blocks >= 0)
            close(merge.blocks);
        fth_part_free(&merge.part);
        fth_out_of_memory = handler;
        own_since(&before);
    }
    fth_mpi_quiet_end(&quiet);
}
