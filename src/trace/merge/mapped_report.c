/* What is said of mappings to store to. */
#include "base/launchers.h"
#include "base/memory.h"
#include "base/phrase.h"
#include "trace/merge/mapped.h"
#include "trace/record/spill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20 /* files that are named */ };

static const char *program_of(const struct fth_spill_process *process)
{
    const char *exe = fth_spill_text(process, "exe", NULL), *slash = exe ? strrchr(exe, '/') : NULL;
    return slash ? slash + 1 : exe ? exe : "?";
}

static size_t count_named(const struct fth_blind_spots *spots)
{
    size_t named = 0;
    for (size_t i = 0; i < spots->count; i++)
        named += spots->list[i].kind == FTH_UNSEEN_MAP && spots->list[i].path;
    return named;
}

static bool is_reported(const struct fth_blind_spots *spots, const char *path, size_t length)
{
    for (size_t i = 0; i < spots->count; i++) {
        const char *named = spots->list[i].kind == FTH_UNSEEN_MAP ? spots->list[i].path : NULL;
        if (named && strlen(named) == length && memcmp(named, path, length) == 0)
            return true;
    }
    return false;
}

/* Devices, and memory that processes share, are no files. */
static bool is_file(const char *path, size_t length)
{
    return length > 1 && *path == '/' && (length < 5 || memcmp(path, "/dev/", 5) != 0);
}

static void report(struct fth_blind_spots *spots, const struct fth_spill_process *process,
                   const char *path, size_t length, uint64_t bytes)
{
    char *sentence;
    if (!is_file(path, length) || is_reported(spots, path, length))
        return;
    if (count_named(spots) >= MOST) {
        struct fth_blind_spot *rest = fth_blind_spots_add(
            spots, FTH_UNSEEN_MAP,
            fth_text_copy(
                "more files are mapped to memory, so that stores to it become part of them"));
        if (rest && !rest->since)
            rest->since = process->start.realtime;
        return;
    }
    sentence = fth_text_format(
        "%s stores to %.*s through memory: %s of the file are mapped, and stores are not calls",
        program_of(process), (int)length, path, fth_phrase_bytes(bytes).text);
    struct fth_blind_spot *spot = fth_blind_spots_add(spots, FTH_UNSEEN_MAP, sentence);
    if (spot->path)
        return;
    spot->program = fth_text_copy(program_of(process));
    spot->path = fth_text_part(path, length);
    spot->image = process->image;
    spot->since = process->start.realtime;
    spot->bytes_written = (int64_t)bytes;
}

void fth_mapped_report(const struct fth_mapped *mapped, const struct fth_intern *texts,
                       const struct fth_spill_process *process, struct fth_blind_spots *spots)
{
    if (fth_is_launcher(program_of(process))) /* memory by which it talks to its ranks */
        return;
    for (size_t i = 0; i < mapped->count; i++) {
        size_t length;
        const char *path = (const char *)fth_interned(texts, mapped->files[i].path, &length);
        report(spots, process, path, length, mapped->files[i].bytes);
    }
    for (const char *at = NULL; (at = fth_spill_text(process, FTH_MAPPED_KEY, at));) {
        char *path;
        uint64_t bytes = strtoull(at, &path, 10);
        if (*path == ' ')
            report(spots, process, path + 1, strlen(path + 1), bytes);
    }
}
