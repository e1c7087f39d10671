/* fth_merge: a spill folder, and the parts that MPI worlds have merged at their end, become one trace. Sections are written in this order: PROC of
 * each process as it is walked through, then what refers to them; the file appears under its name when it is whole. */
#include "trace/merge.h"

#include "base/memory.h"
#include "trace/columns.h"
#include "trace/container.h"
#include "trace/gather.h"
#include "trace/sample_files.h"
#include "trace/unseen.h"

#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { NAMED = 3 }; /* damaged streams; the others are counted */

struct merger {
    int file;
    uint64_t at; /* end of what is written */
    const char *path;
    uint64_t frame_bytes; /* of the PROC being written */
    XXH64_state_t *hash;
    bool *used; /* functions */
    struct fth_bytes buffer;
    uint32_t parts;
    struct fth_part_process *merged; /* of the parts that are there already: their facts */
    size_t merged_count;
    struct fth_part copied; /* strings and signatures of the part that is being copied */
    struct fth_places places;
};

static int write_on(struct merger *merger, const void *bytes, size_t length,
                    struct fth_error **error)
{
    if (fth_write_at(merger->file, bytes, length, merger->at, merger->path, error))
        return -1;
    merger->at += length;
    return 0;
}

static int write_buffer(struct merger *merger, struct fth_error **error)
{
    int status = write_on(merger, merger->buffer.data, merger->buffer.length, error);
    merger->buffer.length = 0;
    return status;
}

/* ---- PROC of one process ---- */

static bool take_block(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    struct merger *merger = context;
    XXH64_update(merger->hash, bytes, length);
    merger->frame_bytes += length;
    return write_on(merger, bytes, length, error) == 0;
}

static void count_process(const struct fth_part_process *process, struct fth_merge_report *report)
{
    report->calls += process->calls;
    report->lost += process->facts.lost;
    report->excluded += process->facts.excluded;
    report->still_running += process->facts.alive;
    report->processes++;
    if (!process->facts.stopped)
        return;
    report->stopped++;
    snprintf(report->stopped_why, sizeof report->stopped_why, "%s",
             strerror((int)process->facts.stopped));
}

static int gather_one(struct merger *merger, struct fth_gather *gather,
                      const struct fth_spill_folder *folder, const struct fth_spill_image *image,
                      const struct fth_clock *clock, struct fth_merge_report *report,
                      struct fth_error **error)
{
    uint64_t place = merger->at;
    struct fth_section section = {.kind = FTH_SECTION_PROCESS,
                                  .part = merger->parts,
                                  .process = gather->walk.part->shapes.count};
    struct fth_bytes facts = {0};
    merger->at += sizeof section;
    merger->frame_bytes = 0;
    XXH64_reset(merger->hash, FTH_SECTION_PROCESS);
    int status = fth_gather_process(gather, folder, image, clock, &facts, error);
    section.raw = merger->frame_bytes;
    if (status == 0 && !take_block(merger, facts.data, facts.length, error))
        status = -1;
    fth_bytes_free(&facts);
    if (status)
        return -1;
    count_process(&gather->walk.process, report);
    section.stored = merger->frame_bytes;
    fth_section_seal(&section, XXH64_digest(merger->hash));
    return fth_write_at(merger->file, &section, sizeof section, place, merger->path, error);
}

/* ---- parts that are there already ---- */

/* A part is whole: which functions its signatures have, and where their calls are made. */
static void end_part(struct merger *merger)
{
    fth_part_mark_used(&merger->copied, merger->used);
    fth_places_add(&merger->places, &merger->copied);
    fth_part_free(&merger->copied);
}

/* What a process of a part has, to know what not to merge again. */
static int read_process(struct merger *merger, const struct fth_section *section,
                        const uint8_t *stored, struct fth_error **error)
{
    const struct fth_stored_process process = {stored, stored + section->raw, section->raw,
                                               section->stored - section->raw};
    FTH_GROW(merger->merged, merger->merged_count);
    return fth_facts_read(&merger->merged[merger->merged_count++], &process, error);
}

/* A section of a part that is there already, as far as it matters for the rest of the trace. */
static int read_section(struct merger *merger, const struct fth_section *section,
                        const uint8_t *stored, struct fth_error **error)
{
    if (section->kind == FTH_SECTION_PROCESS)
        return section->raw <= section->stored ? read_process(merger, section, stored, error)
                                               : fth_fail(error, "a part is damaged");
    bool strings = section->kind == FTH_SECTION_STRINGS;
    if (!strings && section->kind != FTH_SECTION_SIGNATURES)
        return 0;
    uint8_t *raw = fth_new(section->raw, 1);
    int status = 0;
    if (section->codec == FTH_CODEC_NONE)
        memcpy(raw, stored, section->raw);
    else
        status = fth_decompress(stored, section->stored, raw, section->raw, error);
    if (status == 0)
        status = fth_intern_read(strings ? &merger->copied.strings : &merger->copied.signatures,
                                 raw, section->raw, strings ? "string" : "signature", error);
    free(raw);
    return status;
}

/* Copies the sections of a part file, with this trace's number of the part. */
static int copy_part(struct merger *merger, const char *path, struct fth_error **error)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return fth_fail_errno(error, "cannot open '%s'", path);
    struct fth_section section;
    uint8_t *bytes = NULL;
    int status = 0;
    merger->copied = (struct fth_part){.catalog = fth_builtin_catalog()};
    while (status == 0 && fread(&section, sizeof section, 1, in) == 1) {
        bytes = fth_resize(bytes, section.stored, 1);
        uint64_t stored = fth_section_unseal(&section);
        section.part = merger->parts;
        fth_section_seal(&section, stored);
        if (fread(bytes, 1, section.stored, in) != section.stored)
            status = fth_fail(error, "'%s' is cut", path);
        else if (write_on(merger, &section, sizeof section, error) ||
                 write_on(merger, bytes, section.stored, error))
            status = -1;
        else
            status = read_section(merger, &section, bytes, error);
    }
    free(bytes);
    fclose(in);
    end_part(merger);
    merger->parts++;
    return status;
}

static int copy_parts(struct merger *merger, const char *prefix, struct fth_error **error)
{
    glob_t found = {0};
    char *pattern;
    int status = 0;
    if (!prefix || asprintf(&pattern, "%s-*", prefix) < 0)
        return 0;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && status == 0; i++) {
            size_t length = strlen(found.gl_pathv[i]);
            if (length > 4 && strcmp(found.gl_pathv[i] + length - 4, ".tmp") == 0)
                continue; /* left behind by ranks that were killed while they wrote it */
            status = copy_part(merger, found.gl_pathv[i], error);
        }
    globfree(&found);
    free(pattern);
    return status;
}

/* Parts are in the trace now; those that were never finished are of no use. */
static void remove_parts(const char *prefix)
{
    glob_t found = {0};
    char *pattern;
    if (!prefix || asprintf(&pattern, "%s-*", prefix) < 0)
        return;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            unlink(found.gl_pathv[i]);
    globfree(&found);
    free(pattern);
}

/* ---- the rest ---- */

static void add_unseen(struct fth_merge_report *report, char *sentence)
{
    FTH_GROW(report->unseen, report->unseen_count);
    report->unseen[report->unseen_count++] = sentence;
}

/* What was damaged, what was never there. */
static void list_unseen(struct fth_merge_report *report, const struct fth_gather *gather,
                        const struct fth_spill_folder *folder)
{
    size_t count, named = gather->problem_count < NAMED ? gather->problem_count : NAMED;
    char *more;
    for (size_t i = 0; i < named; i++)
        add_unseen(report, strdup(gather->problems[i]));
    if (gather->problem_count > named &&
        asprintf(&more, "the same holds for %zu more streams of spill files",
                 gather->problem_count - named) >= 0)
        add_unseen(report, more);
    for (size_t i = 0; i < folder->problem_count; i++)
        add_unseen(report, strdup(folder->problems[i]));
    if (report->damaged_samples &&
        asprintf(&more, "the samples of %zu node%s: their file is damaged", report->damaged_samples,
                 report->damaged_samples == 1 ? "" : "s") >= 0)
        add_unseen(report, more);
    char **programs = fth_unseen_programs(folder, &count);
    for (size_t i = 0; i < count; i++)
        add_unseen(report, programs[i]);
    free(programs);
}

void fth_merge_report_free(struct fth_merge_report *report)
{
    for (size_t i = 0; i < report->unseen_count; i++)
        free(report->unseen[i]);
    free(report->unseen);
    report->unseen = NULL;
    report->unseen_count = 0;
}

static bool is_merged(const struct merger *merger, uint64_t image)
{
    for (size_t i = 0; i < merger->merged_count; i++)
        if (merger->merged[i].facts.image == image)
            return true;
    return false;
}

/* Which worlds have ranks elsewhere? Those that a launcher's variables tell of (even numbers) only in a run without MPI, and only when the launcher
 * is recorded, too: else nobody asked for more than this rank. Of a world of MPI behind a launcher some ranks may not have been recorded at all. */
static bool may_lack_ranks(const struct fth_spill_folder *folder,
                           const struct fth_spill_process *process)
{
    if (process->size < 1 || !process->elsewhere)
        return false;
    if (process->world & 1)
        return !fth_spill_text(process, "apart", NULL);
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *other = folder->images[i].process;
        if (other->world & 1 || (other->world == process->world && other->previous == 0))
            return false;
    }
    return true;
}

/* Ranks from which nothing came: they were on nodes that do not share the folder of the output, or died. A world that has merged
 * itself is complete. */
static void find_missing_ranks(const struct merger *merger, const struct fth_spill_folder *folder,
                               struct fth_merge_report *report)
{
    struct fth_intern worlds = {0}, ranks = {0};
    uint64_t *missing = fth_new(folder->image_count + 1, sizeof *missing);
    for (size_t i = 0; i < folder->image_count; i++) {
        const struct fth_spill_process *process = folder->images[i].process;
        const uint64_t rank[] = {process->world, (uint64_t)process->rank};
        uint32_t known = worlds.count, known_ranks = ranks.count;
        uint32_t world = fth_intern(&worlds, &process->world, sizeof process->world);
        fth_intern(&ranks, rank, sizeof rank);
        if (worlds.count > known)
            missing[world] = may_lack_ranks(folder, process) ? (uint64_t)process->size : 0;
        if (missing[world] && is_merged(merger, process->image))
            missing[world] = 0;
        else if (missing[world] && ranks.count > known_ranks)
            missing[world]--;
    }
    for (uint32_t i = 0; i < worlds.count; i++) {
        char *text;
        report->missing_ranks += missing[i];
        if (missing[i] &&
            asprintf(&text,
                     "nothing came of %" PRIu64
                     " rank%s on other nodes: look there for the folder %s, or one of that name in "
                     "TMPDIR or /tmp; copied here, fathom merge takes it",
                     missing[i], missing[i] == 1 ? "" : "s", folder->path) >= 0)
            add_unseen(report, text);
    }
    free(missing);
    fth_intern_free(&worlds);
    fth_intern_free(&ranks);
}

static void append_mounts(struct merger *merger, const struct fth_run *run)
{
    struct fth_bytes raw = {0};
    for (size_t i = 0; i < run->mounts_count; i++) {
        raw.length = 0;
        fth_mounts_write(&run->mounts[i], &raw);
        fth_section_append(&merger->buffer, FTH_SECTION_MOUNTS, 0, raw.data, raw.length);
    }
    fth_bytes_free(&raw);
}

/* META: varint start, varint end (ns since 1970), varint resolution, JSON, blind spots. */
static void append_meta(struct merger *merger, const struct fth_run *run,
                        const struct fth_gather *gather, const struct fth_merge_report *report)
{
    struct fth_bytes raw = {0};
    fth_bytes_varint(&raw, (uint64_t)run->start_realtime);
    fth_bytes_varint(&raw, (uint64_t)run->end_realtime);
    fth_bytes_varint(&raw, gather->times.resolution_ns);
    fth_bytes_text(&raw, run->meta_json ? run->meta_json : "{}",
                   run->meta_json ? strlen(run->meta_json) : 2);
    fth_bytes_varint(&raw, run->blind_spot_count + report->unseen_count);
    for (size_t i = 0; i < run->blind_spot_count; i++)
        fth_bytes_text(&raw, run->blind_spots[i], strlen(run->blind_spots[i]));
    for (size_t i = 0; i < report->unseen_count; i++)
        fth_bytes_text(&raw, report->unseen[i], strlen(report->unseen[i]));
    fth_section_append(&merger->buffer, FTH_SECTION_META, 0, raw.data, raw.length);
    fth_bytes_free(&raw);
}

/* Ranks of a world one after another, as their numbers make lines then. */
static int by_rank(const void *one, const void *other)
{
    const struct fth_spill_process *a = (*(const struct fth_spill_image *const *)one)->process;
    const struct fth_spill_process *b = (*(const struct fth_spill_image *const *)other)->process;
    if (a->world != b->world)
        return a->world < b->world ? -1 : 1;
    if (a->world && a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->start.realtime != b->start.realtime)
        return a->start.realtime < b->start.realtime ? -1 : 1;
    return a->image < b->image ? -1 : a->image > b->image;
}

static const struct fth_spill_image **order_images(const struct fth_spill_folder *folder)
{
    const struct fth_spill_image **images = fth_new(folder->image_count, sizeof *images);
    for (size_t i = 0; i < folder->image_count; i++)
        images[i] = &folder->images[i];
    if (folder->image_count)
        qsort(images, folder->image_count, sizeof(struct fth_spill_image *), by_rank);
    return images;
}

static int write_trace(struct merger *merger, struct fth_spill_folder *folder,
                       const struct fth_run *run, struct fth_merge_report *report,
                       void (*progress)(void *, uint64_t, uint64_t), void *context,
                       struct fth_error **error)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    struct fth_part part, kept;
    struct fth_gather gather;
    struct fth_header header;
    fth_header_make(&header);
    int status = write_on(merger, &header, sizeof header, error);
    if (status == 0)
        status = copy_parts(merger, run->parts, error);
    fth_part_init(&part, catalog);
    fth_part_init(&kept, catalog);
    fth_gather_open(&gather, &part, &run->times, take_block, merger);
    gather.merged = merger->merged;
    gather.merged_count = merger->merged_count;
    const struct fth_spill_image **images = order_images(folder);
    struct fth_clock *clocks = fth_clocks_of(folder->images, folder->image_count);
    for (size_t i = 0; i < folder->image_count && status == 0; i++) {
        if (progress)
            progress(context, i, folder->image_count);
        status = gather_one(merger, &gather, folder, images[i], &clocks[images[i] - folder->images],
                            report, error);
    }
    free(images);
    if (status == 0) {
        report->damaged_samples = fth_sample_files_append(&merger->buffer, folder, clocks);
        append_mounts(merger, run);
        fth_part_absorb(&kept, &part); /* leaves behind what only calls of other parts name */
        fth_part_mark_used(&kept, merger->used);
        fth_catalog_append(&merger->buffer, catalog, merger->used);
        fth_part_append(&merger->buffer, &kept, merger->parts++);
        fth_places_add(&merger->places, &kept);
        fth_code_lines_append(&merger->buffer, &merger->places, run->find_line, run->line_context);
        list_unseen(report, &gather, folder);
        find_missing_ranks(merger, folder, report);
        append_meta(merger, run, &gather, report);
        struct fth_section end = {.kind = FTH_SECTION_END};
        fth_section_seal(&end, XXH64(NULL, 0, FTH_SECTION_END));
        fth_bytes_put(&merger->buffer, &end, sizeof end);
        status = write_buffer(merger, error);
    }
    for (size_t i = 0; i < merger->merged_count; i++)
        report->calls += merger->merged[i].calls;
    free(clocks);
    report->bytes = merger->at;
    fth_gather_close(&gather);
    fth_part_free(&part);
    fth_part_free(&kept);
    return status;
}

int fth_merge(const char *spill, const char *output, const struct fth_run *run,
              struct fth_merge_report *report,
              void (*progress)(void *context, uint64_t done, uint64_t all), void *context,
              struct fth_error **error)
{
    struct fth_spill_folder folder;
    struct merger merger = {.path = output};
    char *temporary;
    *report = (struct fth_merge_report){0};
    if (fth_spill_folder_open(&folder, spill, error)) {
        fth_spill_folder_close(&folder);
        return -1;
    }
    if (asprintf(&temporary, "%s.%ld.tmp", output, (long)getpid()) < 0)
        return fth_fail(error, "out of memory");
    merger.file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int status = merger.file < 0 ? fth_fail_errno(error, "cannot create '%s'", temporary) : 0;
    if (status == 0) {
        merger.hash = XXH64_createState();
        merger.used = fth_new(fth_builtin_catalog()->row_count, sizeof *merger.used);
        status = write_trace(&merger, &folder, run, report, progress, context, error);
        if (close(merger.file) != 0 && status == 0)
            status = fth_fail_errno(error, "cannot write '%s'", temporary);
        if (status == 0 && rename(temporary, output) != 0)
            status = fth_fail_errno(error, "cannot rename '%s' to '%s'", temporary, output);
        if (status)
            unlink(temporary);
        else
            remove_parts(run->parts);
        XXH64_freeState(merger.hash);
        free(merger.used);
        for (size_t i = 0; i < merger.merged_count; i++)
            fth_part_process_free(&merger.merged[i]);
        free(merger.merged);
        fth_bytes_free(&merger.buffer);
        fth_places_free(&merger.places);
    }
    free(temporary);
    fth_spill_folder_close(&folder);
    return status;
}
