/* Process files of imported traces: see the header. */
#include "import/shared/imported_process.h"

#include "base/memory.h"
#include "catalog/packed.h"
#include "trace/record/builtin.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

uint64_t fth_imported_image(struct fth_imported_run *run, int64_t pid)
{
    return ++run->images * (FTH_IMAGE_PID + 1) | ((uint64_t)pid & FTH_IMAGE_PID);
}

struct fth_imported_stream *fth_imported_thread(struct fth_imported_run *run,
                                                struct fth_imported_process *process, int64_t tid,
                                                int64_t start)
{
    return fth_imported_stream_new(&run->folder, process->image, process->streams++, tid,
                                   fth_imported_ticks(run, start));
}

static void put_text(struct fth_bytes *texts, const char *key, const char *value)
{
    if (!value)
        return;
    fth_bytes_put(texts, key, strlen(key));
    fth_bytes_put(texts, "=", 1);
    fth_bytes_put(texts, value, strlen(value) + 1);
}

static struct fth_spill_anchor anchor_of(const struct fth_imported_run *run, int64_t time)
{
    uint64_t ticks = fth_imported_ticks(run, time);
    return (struct fth_spill_anchor){ticks, (int64_t)ticks,
                                     run->start - 1000000000 + (int64_t)ticks};
}

static void describe(const struct fth_imported_run *run, const struct fth_imported_process *process,
                     struct fth_bytes *texts, struct fth_spill_process *facts)
{
    put_text(texts, "host", process->host);
    put_text(texts, "exe", process->exe);
    put_text(texts, "cwd", process->directory);
    put_text(texts, "mpi", process->mpi);
    put_text(texts, "mpi_abi", process->mpi_abi);
    for (size_t at = 0; at < process->arguments.length;
         at += strlen((const char *)process->arguments.data + at) + 1)
        put_text(texts, "arg", (const char *)process->arguments.data + at);
    *facts = (struct fth_spill_process){.magic = FTH_SPILL_PROCESS_MAGIC,
                                        .catalog = fth_packed_builtin.hash,
                                        .image = process->image,
                                        .previous = process->previous,
                                        .pid = process->pid,
                                        .parent_pid = process->parent_pid,
                                        .start = anchor_of(run, process->start),
                                        .last = anchor_of(run, process->last),
                                        .ticks_are_ns = 1,
                                        .ended = process->ended,
                                        .status = process->status,
                                        .rank = (int32_t)process->rank,
                                        .size = (int32_t)process->size,
                                        .world = process->world,
                                        .streams = process->streams,
                                        .text_bytes = (uint32_t)texts->length};
}

void fth_imported_process_close(struct fth_imported_run *run, struct fth_imported_process *process)
{
    struct fth_bytes texts = {0};
    struct fth_spill_process facts;
    describe(run, process, &texts, &facts);
    char name[64];
    struct fth_bytes file = {0};
    static const char behind[sizeof facts]; /* the texts begin before the structure ends */
    const size_t head = offsetof(struct fth_spill_process, text);
    fth_bytes_put(&file, &facts, head);
    fth_bytes_put(&file, texts.data, texts.length);
    fth_bytes_put(&file, behind, sizeof facts - head);
    snprintf(name, sizeof name, "%016" PRIx64 ".process", process->image);
    fth_imported_folder_write(&run->folder, name, FTH_IMPORTED_TO_MEMORY, file.data, file.length, 0,
                              0);
    fth_bytes_free(&file);
    fth_bytes_free(&texts);
    free(process->host);
    free(process->exe);
    free(process->directory);
    free(process->mpi);
    free(process->mpi_abi);
    fth_bytes_free(&process->arguments);
}
