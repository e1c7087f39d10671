/* fth_merge: a spill folder, and the parts that MPI worlds have merged at their end, become one
 * trace. Sections are written in this order: PROC of each process as it is walked through, then
 * what refers to them; the file appears under its name when it is whole. */
#include "trace/merge/merger.h"

#include "base/memory.h"
#include "trace/merge/ahead.h"
#include "trace/columns/columns.h"
#include "trace/file/container.h"
#include "trace/file/packed_facts.h"
#include "trace/file/previous_images.h"
#include "trace/spill/sample_files.h"
#include "trace/record/spill.h"
#include "trace/file/temporary.h"
#include "trace/merge/noted_links.h"
#include "trace/merge/unseen_programs.h"
#include "trace/record/builtin.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMED = 3 }; /* streams that are damaged or gone; the others are counted */

static int write_buffer(struct fth_merger *merger, struct fth_error **error)
{
    int status = fth_merger_write(merger, merger->buffer.data, merger->buffer.length, error);
    merger->buffer.length = 0;
    return status;
}

/* ---- processes ---- */

static bool take_block(void *context, const void *bytes, size_t length, struct fth_error **error)
{
    struct fth_merger *merger = context;
    XXH64_update(merger->hash, bytes, length);
    merger->frame_bytes += length;
    return fth_merger_write(merger, bytes, length, error) == 0;
}

static void count_process(const struct fth_part_process *process, struct fth_merge_report *report)
{
    report->calls += process->calls;
    report->lost += process->facts.lost;
    report->excluded += process->facts.excluded;
    report->still_running += process->facts.alive;
    report->images++;
    report->stopped += process->facts.stopped != 0;
}

/* What was seen of it, to be compared with what the system has counted. */
static void count_image(struct fth_merger *merger, const struct fth_gather *gather,
                        const struct fth_part_process *walked,
                        const struct fth_spill_process *process)
{
    struct fth_counted_image image = {.process = process, .seen = process->counted_merged};
    image.complete = fth_counted_add_sums(&image.seen, walked) && gather->passed_is_known &&
                     !process->partial && !walked->facts.lost && !walked->facts.stopped;
    image.seen.read += gather->passed.read;
    image.seen.written += gather->passed.written;
    image.seen.reads += gather->passed.reads;
    FTH_GROW(merger->counted, merger->counted_count);
    merger->counted[merger->counted_count++] = image;
}

/* Who lost calls, and how, for who recorded. */
static void count_losses(struct fth_lost *losses, const struct fth_facts *facts,
                         const struct fth_spill_process *process)
{
    uint64_t lost = facts->lost - facts->unkept.calls;
    if (!lost)
        return;
    losses->left += facts->left;
    losses->deep += facts->deep;
    losses->of_devices += process->lost;
    losses->processes++;
    if (lost <= losses->most)
        return;
    const char *exe = fth_spill_text(process, "exe", NULL), *slash = exe ? strrchr(exe, '/') : NULL;
    snprintf(losses->program, sizeof losses->program, "%s", slash ? slash + 1 : exe ? exe : "?");
    losses->most = lost;
    losses->pid = facts->pid;
}

/* Calls that are in sums only: of this image. */
static void add_summed(struct fth_merger *merger, const struct fth_part_process *walked,
                       struct fth_merge_report *report)
{
    const struct fth_summed *summed = &walked->facts.summed;
    const struct fth_unkept item = {
        .calls = summed->calls, .error = summed->error, .since = summed->since};
    if (!summed->since)
        return;
    for (size_t i = 0; i < walked->sum_count; i++) /* of which there may be no signature */
        merger->used[walked->sums[i].function] = true;
    fth_unkept_add(&merger->summed, walked->facts.image, &item);
    if (!report->summed.calls || summed->since < report->summed.since) {
        report->summed.since = summed->since;
        report->summed.error = summed->error;
    }
    report->summed.calls += summed->calls;
    report->summed_processes += summed->calls != 0;
}

/* Its columns, and what follows, go to the trace. */
static bool take_columns(struct fth_merger *merger, struct fth_ahead_image *ahead,
                         struct fth_error **error)
{
    enum { COPY = 1 << 20 };
    uint8_t *buffer = fth_new(COPY, 1);
    uint64_t done = 0;
    bool good = true;
    while (good && done < ahead->column_bytes) {
        ssize_t got = pread(ahead->columns, buffer, COPY, (off_t)done);
        if (got <= 0)
            fth_fail_errno(error, "cannot read columns");
        good = got > 0 && take_block(merger, buffer, (size_t)got, error);
        done += got > 0 ? (uint64_t)got : 0;
    }
    free(buffer);
    ahead->walk.walk.sink = take_block;
    ahead->walk.walk.context = merger;
    return good;
}

/* What came of the process that was gathered last. */
static void take_gathered(struct fth_merger *merger, struct fth_gather *gather,
                          const struct fth_walk *walk, const struct fth_spill_image *image,
                          struct fth_merge_report *report)
{
    const struct fth_part_process *process = &walk->process;
    count_process(process, report);
    count_image(merger, gather, process, image->process);
    count_losses(&report->losses, &process->facts, image->process);
    fth_mapped_report(&walk->mapped, &walk->names.texts, image->process, &report->unseen);
    fth_unkept_add(&merger->unkept, image->image, &process->facts.unkept);
    add_summed(merger, process, report);
    for (size_t i = 0; i < gather->watched.counted_count; i++)
        merger->used[gather->watched.counted[i].function] = true;
    fth_watched_list_add(&merger->watched, &gather->watched);
}

static int gather_one(struct fth_merger *merger, struct fth_gather *gather,
                      const struct fth_spill_folder *folder, const struct fth_spill_image *image,
                      const struct fth_clock *clock, struct fth_ahead_image *ahead,
                      struct fth_merge_report *report, struct fth_error **error)
{
    FTH_GROW(merger->facts, merger->facts_count);
    struct fth_bytes *facts = &merger->facts[merger->facts_count++];
    struct fth_image_walk *walk = ahead ? &ahead->walk : &merger->walk;
    *facts = (struct fth_bytes){0};
    report->ahead += ahead ? walk->walk.process.calls : 0;
    if ((ahead && !take_columns(merger, ahead, error)) ||
        fth_gather_process(gather, walk, folder, image, clock, facts, error))
        return -1;
    take_gathered(merger, gather, &walk->walk, image, report);
    if (ahead)
        fth_part_absorb(&merger->part, &ahead->part);
    return 0;
}

/* All of them become one section: frames as they come, facts behind them. */
static void begin_processes(struct fth_merger *merger)
{
    merger->processes_at = merger->at;
    merger->at += sizeof(struct fth_section);
    merger->frame_bytes = 0;
    XXH64_reset(merger->hash, FTH_SECTION_PROCESSES);
}

static int end_processes(struct fth_merger *merger, struct fth_error **error)
{
    struct fth_section section = {
        .kind = FTH_SECTION_PROCESSES, .part = merger->parts, .raw = merger->frame_bytes};
    struct fth_bytes packed = {0};
    fth_facts_pack(merger->facts, merger->facts_count, &packed);
    bool written = take_block(merger, packed.data, packed.length, error);
    fth_bytes_free(&packed);
    section.stored = merger->frame_bytes;
    fth_section_seal(&section, XXH64_digest(merger->hash));
    return written ? fth_write_at(merger->file, &section, sizeof section, merger->processes_at,
                                  merger->path, error)
                   : -1;
}

/* ---- the rest ---- */

static struct fth_blind_spot *add_unseen(struct fth_merge_report *report, char *sentence)
{
    return fth_blind_spots_add(&report->unseen, FTH_UNSEEN_OTHER, sentence);
}

static char *copy_of(const char *text)
{
    return text ? fth_text_copy(text) : NULL;
}

/* What the caller knew comes first. */
static void take_known(struct fth_merge_report *report, const struct fth_blind_spots *known)
{
    for (size_t i = 0; known && i < known->count; i++) {
        struct fth_blind_spot *spot = add_unseen(report, copy_of(known->list[i].sentence));
        if (!spot)
            continue;
        char *sentence = spot->sentence;
        *spot = known->list[i];
        spot->sentence = sentence;
        spot->program = copy_of(spot->program);
        spot->path = copy_of(spot->path);
    }
}

/* What was damaged, what was never there. */
static void list_unseen(struct fth_merge_report *report, const struct fth_gather *gather,
                        const struct fth_spill_folder *folder, bool is_over)
{
    size_t named = gather->problem_count < NAMED ? gather->problem_count : NAMED;
    for (size_t i = 0; i < named; i++)
        add_unseen(report, fth_text_copy(gather->problems[i]));
    if (gather->problem_count > named)
        add_unseen(report,
                   fth_text_format("the same holds %zu more times, of other processes or streams",
                                   gather->problem_count - named));
    for (size_t i = 0; i < folder->problem_count; i++)
        add_unseen(report, fth_text_copy(folder->problems[i]));
    if (report->damaged_samples)
        add_unseen(report, fth_text_format("the samples of %zu node%s: their file is damaged",
                                           report->damaged_samples,
                                           report->damaged_samples == 1 ? "" : "s"));
    take_known(report, &gather->unreturned);
    report->still_running += fth_unseen_programs(folder, is_over, &report->unseen);
}

void fth_merge_report_free(struct fth_merge_report *report)
{
    fth_blind_spots_free(&report->unseen);
}

static bool is_merged(const struct fth_merger *merger, uint64_t image)
{
    for (size_t i = 0; i < merger->merged_count; i++)
        if (merger->merged[i].facts.image == image)
            return true;
    return false;
}

/* Which worlds have ranks elsewhere? Those that a launcher's variables name (even numbers) only
 * in a run without MPI, and only when the launcher is recorded, too: else nobody asked for more
 * than this rank. Of a world of MPI behind a launcher some ranks may not have been recorded at
 * all. */
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

/* Ranks from which nothing came: they were on nodes that do not share the folder of the output, or
 * died. A world that has merged itself is complete. */
static void find_missing_ranks(const struct fth_merger *merger,
                               const struct fth_spill_folder *folder,
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
        report->missing_ranks += missing[i];
        if (missing[i])
            add_unseen(
                report,
                fth_text_format("no data came from %" PRIu64
                                " rank%s on other nodes: look there for the folder %s (or one of "
                                "that name in TMPDIR or /tmp), and copy it here for fathom merge",
                                missing[i], missing[i] == 1 ? "" : "s", folder->path));
    }
    free(missing);
    fth_intern_free(&worlds);
    fth_intern_free(&ranks);
}

static void append_list(struct fth_merger *merger, const struct fth_unkept_list *list,
                        enum fth_section_kind kind)
{
    struct fth_bytes raw = {0};
    if (!list->count)
        return;
    fth_unkept_write(list, &raw);
    fth_section_append(&merger->buffer, kind, 0, raw.data, raw.length);
    fth_bytes_free(&raw);
}

static void append_watched(struct fth_merger *merger)
{
    struct fth_bytes raw = {0};
    if (!merger->watched.count)
        return;
    fth_watched_write(&merger->watched, &raw);
    fth_section_append(&merger->buffer, FTH_SECTION_WATCHED, 0, raw.data, raw.length);
    fth_bytes_free(&raw);
}

static void append_mounts(struct fth_merger *merger, const struct fth_mounts *nodes, size_t count)
{
    struct fth_bytes raw = {0};
    for (size_t i = 0; i < count; i++) {
        raw.length = 0;
        fth_mounts_write(&nodes[i], &raw);
        fth_section_append(&merger->buffer, FTH_SECTION_MOUNTS, 0, raw.data, raw.length);
    }
    fth_bytes_free(&raw);
}

static void append_links(struct fth_merger *merger, const struct fth_spill_folder *folder)
{
    struct fth_noted_links links = fth_noted_links_of(folder);
    append_mounts(merger, links.nodes, links.count);
    fth_noted_links_free(&links);
}

/* ---- calls that were not kept ---- */

static void add_unrecorded(struct fth_merger *merger, const struct fth_spill_unkept *unkept)
{
    const struct fth_unkept all = {.calls = unkept->calls,
                                   .processes = unkept->processes,
                                   .uncounted = unkept->uncounted,
                                   .error = (int)unkept->error,
                                   .since = unkept->since.realtime};
    fth_unkept_add(&merger->unkept, 0, &all);
}

static void add_to_report(struct fth_unkept *sum, const struct fth_unkept *more)
{
    if (!sum->processes || more->since < sum->since) {
        sum->since = more->since;
        sum->error = more->error;
    }
    sum->calls += more->calls;
    sum->processes++;
}

/* Processes that could make no file: who forked them counted for them, or the page did. */
static void find_unrecorded(struct fth_merger *merger, const struct fth_spill_folder *folder,
                            struct fth_merge_report *report)
{
    struct fth_spill_unkept page;
    for (size_t i = 0; i < folder->image_count; i++)
        add_unrecorded(merger, &folder->images[i].process->forked);
    if (fth_spill_read_unkept(folder, &page))
        add_unrecorded(merger, &page);
    for (size_t i = 0; i < merger->unkept.count; i++) {
        const struct fth_unkept_of *of = &merger->unkept.items[i];
        if (of->image)
            add_to_report(&report->unkept, &of->unkept);
        else
            report->unrecorded = of->unkept;
    }
}

/* META: varint start, varint end (ns since 1970), varint resolution, JSON, blind spots; and UNSN,
 * what is known of these. */
static void append_meta(struct fth_merger *merger, const struct fth_merge_run *run,
                        const struct fth_gather *gather, const struct fth_merge_report *report)
{
    struct fth_bytes raw = {0};
    fth_bytes_varint(&raw, (uint64_t)run->start_realtime);
    fth_bytes_varint(&raw, (uint64_t)run->end_realtime);
    fth_bytes_varint(&raw, gather->times.resolution_ns);
    fth_bytes_text(&raw, run->meta_json ? run->meta_json : "{}",
                   run->meta_json ? strlen(run->meta_json) : 2);
    fth_bytes_varint(&raw, report->unseen.count);
    for (size_t i = 0; i < report->unseen.count; i++)
        fth_bytes_text(&raw, report->unseen.list[i].sentence,
                       strlen(report->unseen.list[i].sentence));
    fth_section_append(&merger->buffer, FTH_SECTION_META, 0, raw.data, raw.length);
    raw.length = 0;
    fth_blind_spots_write(&report->unseen, &raw);
    if (report->unseen.count)
        fth_section_append(&merger->buffer, FTH_SECTION_UNSEEN, 0, raw.data, raw.length);
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

static int write_trace(struct fth_merger *merger, struct fth_spill_folder *folder,
                       const struct fth_part_files *parts, const struct fth_merge_run *run,
                       struct fth_merge_report *report,
                       void (*progress)(void *, uint64_t, uint64_t), void *context,
                       struct fth_error **error)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    struct fth_part kept;
    struct fth_gather gather = {.times = run->times, .takes_watched = true};
    struct fth_header header;
    fth_header_make(&header);
    int status = fth_merger_write(merger, &header, sizeof header, error);
    if (status == 0)
        status = fth_merger_copy_parts(merger, parts, error);
    fth_part_init(&merger->part, catalog);
    fth_part_init(&kept, catalog);
    fth_image_walk_open(&merger->walk, &merger->part, take_block, merger);
    gather.merged = merger->merged;
    gather.merged_count = merger->merged_count;
    const struct fth_spill_image **images = order_images(folder);
    struct fth_clock *clocks = fth_clocks_of(folder->images, folder->image_count);
    begin_processes(merger);
    for (size_t i = 0; i < folder->image_count && status == 0; i++) {
        const struct fth_clock *clock = &clocks[images[i] - folder->images];
        struct fth_ahead_image *ahead = run->ahead && !is_merged(merger, images[i]->image)
                                            ? fth_ahead_find(run->ahead, images[i], clock)
                                            : NULL;
        if (progress)
            progress(context, i, folder->image_count);
        status = gather_one(merger, &gather, folder, images[i], clock, ahead, report, error);
    }
    free(images);
    if (status == 0)
        status = end_processes(merger, error);
    if (status == 0) {
        report->damaged_samples = fth_sample_files_append(&merger->buffer, folder, clocks);
        append_mounts(merger, run->mounts, run->mounts_count);
        append_links(merger, folder);
        /* leaves behind what only calls of other parts name */
        fth_part_absorb(&kept, &merger->part);
        fth_part_mark_used(&kept, merger->used);
        fth_catalog_append(&merger->buffer, catalog, merger->used);
        fth_previous_refer(&kept.shapes, merger->facts);
        fth_part_append(&merger->buffer, &kept, merger->parts++);
        fth_places_add(&merger->places, &kept);
        fth_code_lines_append(&merger->buffer, &merger->places, run->find_line, run->line_context);
        take_known(report, run->blind_spots);
        fth_gather_report_gone(&gather);
        list_unseen(report, &gather, folder, run->is_over);
        report->processes =
            fth_counted_compare(merger->counted, merger->counted_count, &report->unseen);
        find_missing_ranks(merger, folder, report);
        find_unrecorded(merger, folder, report);
        append_list(merger, &merger->unkept, FTH_SECTION_UNKEPT);
        append_list(merger, &merger->summed, FTH_SECTION_SUMMED);
        append_watched(merger);
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
    fth_gather_free(&gather);
    fth_image_walk_close(&merger->walk);
    fth_part_free(&merger->part);
    fth_part_free(&kept);
    return status;
}

/* The trace stands in a file of its own until it is whole. */
static int write_file(struct fth_merger *merger, struct fth_spill_folder *folder,
                      const struct fth_part_files *parts, const char *temporary, const char *output,
                      const struct fth_merge_run *run, struct fth_merge_report *report,
                      void (*progress)(void *context, uint64_t done, uint64_t all), void *context,
                      struct fth_error **error)
{
    merger->file = fth_temporary_open(output, temporary);
    if (merger->file < 0)
        return fth_fail_errno(error, "cannot create '%s'", temporary);
    merger->hash = XXH64_createState();
    merger->used = fth_new(fth_builtin_catalog()->row_count, sizeof *merger->used);
    int status = write_trace(merger, folder, parts, run, report, progress, context, error);
    if (close(merger->file) != 0 && status == 0)
        status = fth_fail_errno(error, "cannot write '%s'", temporary);
    if (status == 0 && run->check && run->check(temporary, error))
        status =
            fth_fail_in(error, "the contents of '%s' do not make a readable trace", folder->path);
    if (status == 0 && rename(temporary, output) != 0)
        status = fth_fail_errno(error, "cannot rename '%s' to '%s'", temporary, output);
    if (status)
        unlink(temporary);
    XXH64_freeState(merger->hash);
    free(merger->used);
    for (size_t i = 0; i < merger->merged_count; i++)
        fth_part_process_free(&merger->merged[i]);
    free(merger->merged);
    fth_facts_free(merger->facts, merger->facts_count);
    free(merger->counted);
    fth_bytes_free(&merger->buffer);
    fth_places_free(&merger->places);
    fth_unkept_free(&merger->unkept);
    fth_unkept_free(&merger->summed);
    fth_watched_list_free(&merger->watched);
    return status;
}

int fth_merge(const char *spill, const char *output, const struct fth_merge_run *run,
              struct fth_merge_report *report,
              void (*progress)(void *context, uint64_t done, uint64_t all), void *context,
              struct fth_error **error)
{
    struct fth_spill_folder folder;
    struct fth_part_files parts;
    struct fth_merger merger = {.path = output};
    char *temporary = fth_temporary_name(output, getpid());
    *report = (struct fth_merge_report){0};
    int status = fth_spill_folder_open(&folder, spill, error);
    fth_part_files_list(&parts, run->parts);
    if (status == 0)
        status = write_file(&merger, &folder, &parts, temporary, output, run, report, progress,
                            context, error);
    if (status == 0) /* they are in the trace now; those that were never finished are of no use */
        fth_part_files_remove(&parts);
    fth_part_files_close(&parts);
    free(temporary);
    fth_spill_folder_close(&folder);
    return status;
}
