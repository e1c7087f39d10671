/* The processes of a trace while it is opened: the frames and facts of each are found in its
 * sections, and what its parts say of it is put together. */
#include "model/reading/model.h"
#include "model/reading/sections.h"

#include "base/memory.h"
#include "trace/file/packed_facts.h"

#include <inttypes.h>
#include <stdlib.h>

static int place_process(struct fth_stored_part *part, uint32_t process,
                         const struct fth_stored_process *stored, struct fth_error **error)
{
    if (process >= part->process_count || part->processes[process].frames)
        return fth_fail(error, "process %" PRIu32 " occurs twice or is beyond their number",
                        process);
    part->processes[process] = *stored;
    return 0;
}

/* How long the frames are that the facts describe; UINT64_MAX: they are damaged. */
static uint64_t stored_frames(const struct fth_bytes *facts)
{
    struct fth_stored_process stored = {.facts = facts->data, .facts_bytes = facts->length};
    struct fth_part_process process;
    struct fth_error *why = NULL;
    uint64_t bytes = 0;
    if (fth_facts_read(&process, &stored, &why))
        bytes = UINT64_MAX;
    for (size_t i = 0; i < process.track_count && bytes != UINT64_MAX; i++)
        if (__builtin_add_overflow(bytes, fth_track_bytes(&process.tracks[i]), &bytes))
            bytes = UINT64_MAX;
    fth_error_free(why);
    fth_part_process_free(&process);
    return bytes;
}

/* Processes whose facts are together: their frames follow one another. */
static int place_several(struct fth_stored_part *part, const struct fth_section *section,
                         const uint8_t *stored, const struct fth_unpacked *unpacked,
                         struct fth_error **error)
{
    uint64_t left = section->raw;
    for (uint32_t i = 0; i < unpacked->count; i++) {
        const struct fth_bytes *facts = &unpacked->facts[i];
        uint64_t frames = stored_frames(facts);
        if (frames > left)
            return fth_fail(error, "frames of process %" PRIu32 " are missing", i);
        const struct fth_stored_process process = {
            .frames = stored + (section->raw - left),
            .facts = facts->data,
            .frame_bytes = frames,
            .facts_bytes = facts->length,
            .stored_bytes = i ? 0 : section->stored - section->raw + sizeof *section};
        if (place_process(part, section->process + i, &process, error))
            return -1;
        left -= frames;
    }
    return left ? fth_fail(error, "it has frames that belong to no process") : 0;
}

static int unpack_facts(struct fth_trace *trace, const struct fth_sections *sections,
                        struct fth_error **error)
{
    for (size_t i = 0; i < sections->count; i++) {
        struct fth_section section = fth_section_at(sections->places[i]);
        struct fth_stored_part *part = &trace->parts[section.part];
        part->process_count += section.kind == FTH_SECTION_PROCESS;
        if (section.kind != FTH_SECTION_PROCESSES)
            continue;
        const uint8_t *packed = sections->places[i] + sizeof section + section.raw;
        FTH_GROW(trace->unpacked, trace->unpacked_count);
        struct fth_unpacked *unpacked = &trace->unpacked[trace->unpacked_count++];
        if (!fth_facts_unpack(packed, section.stored - section.raw, trace->info.version,
                              &unpacked->facts, &unpacked->count))
            return fth_fail(error, "its facts are damaged");
        part->process_count += unpacked->count;
    }
    return 0;
}

int fth_model_place_processes(struct fth_trace *trace, const struct fth_sections *sections,
                              struct fth_error **error)
{
    const struct fth_unpacked *unpacked;
    int status = unpack_facts(trace, sections, error);
    for (size_t i = 0; i < trace->part_count; i++)
        trace->parts[i].summed = &trace->summed;
    for (size_t i = 0; i < trace->part_count; i++)
        trace->parts[i].processes =
            fth_new(trace->parts[i].process_count, sizeof *trace->parts[i].processes);
    unpacked = trace->unpacked;
    for (size_t i = 0; i < sections->count && status == 0; i++) {
        struct fth_section section = fth_section_at(sections->places[i]);
        struct fth_stored_part *part = &trace->parts[section.part];
        const uint8_t *stored = sections->places[i] + sizeof section;
        const struct fth_stored_process process = {.frames = stored,
                                                   .facts = stored + section.raw,
                                                   .frame_bytes = section.raw,
                                                   .facts_bytes = section.stored - section.raw,
                                                   .stored_bytes = section.stored - section.raw +
                                                                   sizeof section};
        if (section.kind == FTH_SECTION_PROCESS)
            status = place_process(part, section.process, &process, error);
        else if (section.kind == FTH_SECTION_PROCESSES)
            status = place_several(part, &section, stored, unpacked++, error);
        if (status)
            fth_fail_in(error, "processes of part %u", section.part);
    }
    return status;
}

static struct fth_model_process *process_of_image(struct fth_trace *trace,
                                                  struct fth_intern *images, uint64_t image)
{
    uint32_t number = fth_intern(images, &image, sizeof image);
    if (number < trace->process_count)
        return &trace->processes[number];
    FTH_GROW(trace->processes, trace->process_count);
    struct fth_model_process *process = &trace->processes[trace->process_count++];
    *process = (struct fth_model_process){.image = image};
    return process;
}

void fth_model_free_facts(struct fth_facts *facts)
{
    struct fth_part_process process = {.facts = *facts};
    fth_part_process_free(&process);
}

/* What is known of a process without looking at its calls. What its blocks take counts as times and
 * literals of the trace. */
static void add_share(struct fth_trace *trace, struct fth_model_process *process,
                      const struct fth_stored_part *part, uint32_t index,
                      struct fth_part_process *stored)
{
    FTH_GROW(process->shares, process->share_count);
    process->shares[process->share_count++] =
        (struct fth_model_share){part, index, stored->facts.quantum};
    fth_model_free_facts(&process->stored);
    process->stored = stored->facts;
    unsigned percent = fth_time_percent(stored->facts.times);
    trace->info.times_are_means |= stored->facts.times == FTH_TIMES_OF_MEANS;
    if (percent > trace->info.time_percent)
        trace->info.time_percent = percent;
    stored->facts = (struct fth_facts){0};
    process->facts.calls += stored->calls;
    for (size_t i = 0; i < stored->track_count; i++) {
        const struct fth_track *track = &stored->tracks[i];
        FTH_GROW(process->threads, process->facts.thread_count);
        process->threads[process->facts.thread_count++] = track->thread;
        trace->info.time_bytes += track->means_stored;
        for (size_t k = 0; k < track->block_count; k++) {
            trace->info.time_bytes += track->blocks[k].time_stored;
            trace->info.literal_bytes += track->blocks[k].literal_stored;
        }
    }
    trace->info.count_bytes += stored->counts_stored;
    trace->info.process_bytes += part->processes[index].stored_bytes;
}

static int by_number(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

/* A thread has a track in each part that it made calls in. */
static void sort_threads(struct fth_model_process *process)
{
    size_t count = 0;
    if (process->facts.thread_count)
        qsort(process->threads, process->facts.thread_count, sizeof *process->threads, by_number);
    for (size_t i = 0; i < process->facts.thread_count; i++)
        if (!count || process->threads[count - 1] != process->threads[i])
            process->threads[count++] = process->threads[i];
    process->facts.thread_count = count;
}

uint32_t fth_model_thread(const struct fth_model_process *process, uint64_t number)
{
    const uint64_t *found = bsearch(&number, process->threads, process->facts.thread_count,
                                    sizeof *process->threads, by_number);
    return found ? (uint32_t)(found - process->threads) : 0;
}

int fth_model_read_processes(struct fth_trace *trace, struct fth_error **error)
{
    struct fth_intern images = {0};
    int status = 0;
    for (size_t i = 0; i < trace->part_count && status == 0; i++)
        for (uint32_t k = 0; k < trace->parts[i].process_count && status == 0; k++) {
            struct fth_part_process stored;
            status = fth_stored_part_facts(&trace->parts[i], k, &stored, error);
            if (status) {
                fth_fail_in(error, "part %zu", i);
                continue;
            }
            add_share(trace, process_of_image(trace, &images, stored.facts.image), &trace->parts[i],
                      k, &stored);
            fth_part_process_free(&stored);
        }
    fth_intern_free(&images);
    for (size_t i = 0; i < trace->process_count; i++)
        sort_threads(&trace->processes[i]);
    return status;
}
