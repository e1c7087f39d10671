/* Opening a trace: every section is checked and read, and the parts become one. */
#include "model/reading/model.h"
#include "model/reading/sections.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/file/packed_facts.h"
#include "trace/record/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which sections of a part have been read. */
struct draft {
    bool strings, signatures, grammars, shapes;
    size_t shapes_length;
};

struct opening {
    struct fth_trace *trace;
    struct draft *parts;
    struct fth_sections sections;
    bool meta, catalog, lines, unseen, unkept, summed, watched;
};

/* ---- the file ---- */

static int map_trace(struct fth_trace *trace, struct fth_error **error)
{
    struct stat facts;
    int file = open(trace->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be a pipe */
    if (file < 0)
        return fth_fail_errno(error, "cannot open it");
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        close(file);
        return fth_fail(error, "it is not a regular file");
    }
    trace->length = (size_t)facts.st_size;
    if (trace->length < sizeof(struct fth_header)) {
        close(file);
        return fth_fail(error, "it is not a Fathom trace: it has only %zu bytes", trace->length);
    }
    void *bytes = mmap(NULL, trace->length, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (bytes == MAP_FAILED)
        return fth_fail_errno(error, "cannot map it");
    trace->bytes = bytes;
    trace->info.version = ((const struct fth_header *)bytes)->version;
    return 0;
}

/* ---- what the recorder knew ---- */

static char *text_of(struct fth_view *view)
{
    uint64_t length = fth_view_varint(view);
    const uint8_t *bytes = fth_view_bytes(view, length);
    char *text = fth_new(1, bytes ? length + 1 : 1);
    if (bytes)
        memcpy(text, bytes, length);
    return text;
}

/* ns since 1970, or of a clock's step; differences and sums of two of them are numbers, too. */
static bool is_time(int64_t ns)
{
    return ns >= 0 && ns <= FTH_MOST_NS_SINCE_1970;
}

static int read_meta(struct fth_trace *trace, const uint8_t *bytes, size_t length,
                     struct fth_error **error)
{
    struct fth_view view = fth_view_of(bytes, length);
    trace->info.start_realtime = (int64_t)fth_view_varint(&view);
    trace->end_realtime = (int64_t)fth_view_varint(&view);
    trace->info.resolution = (int64_t)fth_view_varint(&view);
    trace->meta_json = text_of(&view);
    uint64_t count = fth_view_count(&view, 1);
    struct fth_blind_spots *spots = &trace->spots;
    spots->list = fth_new(count, sizeof *spots->list);
    for (uint64_t i = 0; i < count; i++)
        spots->list[spots->count++] = (struct fth_blind_spot){.sentence = text_of(&view),
                                                              .bytes_read = FTH_UNSEEN_UNKNOWN,
                                                              .bytes_written = FTH_UNSEEN_UNKNOWN};
    trace->info.meta_json = trace->meta_json;
    if (view.failed || view.at != view.end)
        return fth_fail(error, "it is truncated or too long");
    if (!is_time(trace->info.start_realtime) || !is_time(trace->end_realtime) ||
        !is_time(trace->info.resolution))
        return fth_fail(error, "its times are after the year 2116");
    return 0;
}

/* ---- parts ---- */

static int read_part_section(struct opening *opening, const struct fth_section *section,
                             uint8_t **bytes, size_t length, struct fth_error **error)
{
    struct draft *draft = &opening->parts[section->part];
    struct fth_stored_part *part = &opening->trace->parts[section->part];
    bool *seen = section->kind == FTH_SECTION_STRINGS      ? &draft->strings
                 : section->kind == FTH_SECTION_SIGNATURES ? &draft->signatures
                 : section->kind == FTH_SECTION_GRAMMARS   ? &draft->grammars
                                                           : &draft->shapes;
    if (*seen)
        return fth_fail(error, "it occurs twice");
    *seen = true;
    switch (section->kind) {
    case FTH_SECTION_STRINGS:
        return fth_intern_read(&part->strings, *bytes, length, "string", error);
    case FTH_SECTION_SIGNATURES:
        return fth_intern_read(&part->signatures, *bytes, length, "signature", error);
    case FTH_SECTION_GRAMMARS:
        return fth_intern_read(&part->grammars, *bytes, length, "grammar", error);
    default: /* it is read when the rest of the part is there, and stays */
        opening->trace->shapes[section->part] = *bytes;
        draft->shapes_length = length;
        *bytes = NULL;
        return 0;
    }
}

/* Reads all sections of one kind (or, for 0, those of parts). */
static int read_sections(struct opening *opening, uint32_t kind, struct fth_error **error)
{
    char name[5];
    for (size_t i = 0; i < opening->sections.count; i++) {
        struct fth_section section = fth_section_at(opening->sections.places[i]);
        bool of_part =
            !fth_section_is_alone(section.kind) && !fth_section_has_processes(section.kind);
        if (kind ? section.kind != kind : !of_part)
            continue;
        size_t length;
        uint8_t *bytes = fth_section_bytes(opening->sections.places[i], &length, error);
        int status = bytes ? 0 : -1;
        if (status == 0 && section.kind == FTH_SECTION_CATALOG)
            status = opening->catalog
                         ? fth_fail(error, "it occurs twice")
                         : fth_model_read_catalog(opening->trace, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_META)
            status = opening->meta ? fth_fail(error, "it occurs twice")
                                   : read_meta(opening->trace, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_LINES)
            status = opening->lines
                         ? fth_fail(error, "it occurs twice")
                         : fth_code_lines_read(&opening->trace->lines, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_SAMPLES) {
            status = fth_model_read_samples(&opening->trace->samples, bytes, length, error);
            bytes = NULL;
        } else if (status == 0 && section.kind == FTH_SECTION_MOUNTS)
            status = fth_model_read_mounts(&opening->trace->files, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_UNSEEN)
            status = opening->unseen
                         ? fth_fail(error, "it occurs twice")
                         : fth_blind_spots_read(&opening->trace->spots, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_UNKEPT)
            status = opening->unkept
                         ? fth_fail(error, "it occurs twice")
                         : fth_unkept_read(&opening->trace->unkept, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_SUMMED)
            status = opening->summed
                         ? fth_fail(error, "it occurs twice")
                         : fth_unkept_read(&opening->trace->summed, bytes, length, error);
        else if (status == 0 && section.kind == FTH_SECTION_WATCHED)
            status = opening->watched ? fth_fail(error, "it occurs twice")
                                      : fth_watched_read(&opening->trace->watched,
                                                         opening->trace->catalog.row_count, bytes,
                                                         length, error);
        else if (status == 0)
            status = read_part_section(opening, &section, &bytes, length, error);
        opening->catalog |= section.kind == FTH_SECTION_CATALOG;
        opening->meta |= section.kind == FTH_SECTION_META;
        opening->lines |= section.kind == FTH_SECTION_LINES;
        opening->unkept |= section.kind == FTH_SECTION_UNKEPT;
        opening->summed |= section.kind == FTH_SECTION_SUMMED;
        opening->watched |= section.kind == FTH_SECTION_WATCHED;
        opening->unseen |= section.kind == FTH_SECTION_UNSEEN;
        free(bytes);
        if (status)
            return fth_fail_in(error, "section %s at byte %zu",
                               fth_section_name(section.kind, name),
                               (size_t)(opening->sections.places[i] - opening->trace->bytes));
    }
    return 0;
}

static int read_parts(struct opening *opening, struct fth_error **error)
{
    for (size_t i = 0; i < opening->sections.part_count; i++) {
        const struct draft *draft = &opening->parts[i];
        struct fth_stored_part *part = &opening->trace->parts[i];
        if (!draft->strings || !draft->signatures || !draft->grammars || !draft->shapes)
            return fth_fail(error, "part %zu is not complete", i);
        if (fth_stored_part_read(part, opening->trace->shapes[i], draft->shapes_length, error))
            return fth_fail_in(error, "part %zu", i);
    }
    return 0;
}

/* ---- what could not be seen ---- */

static int64_t proc_of_image(const struct fth_trace *trace, uint64_t image)
{
    for (size_t i = 0; image && i < trace->process_count; i++)
        if (trace->processes[i].image == image)
            return (int64_t)i;
    return FTH_NO_PROCESS;
}

static void make_unseen(struct fth_trace *trace)
{
    size_t count = trace->spots.count;
    trace->unseen = fth_new(count, sizeof *trace->unseen);
    trace->sentences = fth_new(count, sizeof *trace->sentences);
    for (size_t i = 0; i < count; i++) {
        const struct fth_blind_spot *spot = &trace->spots.list[i];
        trace->sentences[i] = spot->sentence;
        trace->unseen[i] = (struct fth_unseen){
            .kind = spot->kind,
            .sentence = spot->sentence,
            .program = spot->program,
            .path = spot->path,
            .proc = proc_of_image(trace, spot->image),
            .since = spot->since ? fth_model_ns_between(trace->info.start_realtime, spot->since)
                                 : FTH_UNSEEN_UNKNOWN,
            .bytes_read = spot->bytes_read,
            .bytes_written = spot->bytes_written};
    }
    trace->info.blind_spot_count = count;
    trace->info.blind_spots = trace->sentences;
    trace->info.unseen = trace->unseen;
}

/* ---- the run ---- */

static void fill_info(struct opening *opening)
{
    struct fth_trace *trace = opening->trace;
    struct fth_trace_info *info = &trace->info;
    info->file_bytes = trace->length;
    for (size_t i = 0; i < opening->sections.count; i++) {
        struct fth_section section = fth_section_at(opening->sections.places[i]);
        uint64_t *bytes =
            section.kind == FTH_SECTION_SIGNATURES || section.kind == FTH_SECTION_SHAPES
                ? &info->signature_bytes
            : section.kind == FTH_SECTION_GRAMMARS ? &info->grammar_bytes
            : section.kind == FTH_SECTION_STRINGS || section.kind == FTH_SECTION_LINES
                ? &info->string_bytes
            : section.kind == FTH_SECTION_SAMPLES ? &info->sample_bytes
                                                  : &info->other_bytes;
        if (!fth_section_has_processes(section.kind))
            *bytes += section.stored;
    }
    /* Packed with other facts, counts may take less than by themselves. */
    if (info->count_bytes > info->process_bytes)
        info->count_bytes = info->process_bytes;
    info->process_bytes -= info->count_bytes;
    info->other_bytes = info->file_bytes - info->signature_bytes - info->grammar_bytes -
                        info->string_bytes - info->time_bytes - info->literal_bytes -
                        info->count_bytes - info->process_bytes - info->sample_bytes;
    info->end = fth_model_ns_between(info->start_realtime, trace->end_realtime);
    for (size_t i = 0; i < trace->process_count; i++) {
        info->calls += trace->processes[i].facts.calls;
        info->lost_calls += trace->processes[i].facts.lost;
        info->excluded_calls += trace->processes[i].facts.excluded;
        /* of a run that goes on the end is not known */
        if (trace->processes[i].facts.end > info->end)
            info->end = trace->processes[i].facts.end;
    }
}

/* ---- doors ---- */

static int read_trace(struct opening *opening, struct fth_error **error)
{
    struct fth_trace *trace = opening->trace;
    if (map_trace(trace, error) ||
        fth_sections_scan(&opening->sections, trace->bytes, trace->length, error))
        return -1;
    opening->parts = fth_new(opening->sections.part_count, sizeof *opening->parts);
    trace->parts = fth_new(opening->sections.part_count, sizeof *trace->parts);
    trace->shapes = fth_new(opening->sections.part_count, sizeof(uint8_t *));
    trace->part_count = opening->sections.part_count;
    for (size_t i = 0; i < trace->part_count; i++) {
        trace->parts[i].catalog = &trace->catalog;
        trace->parts[i].is_old = trace->info.version < FTH_TRACE_SHARES_COLUMNS;
        trace->parts[i].stores_all_times = trace->info.version < FTH_TRACE_DERIVES_TIMES;
        trace->parts[i].stores_previous = trace->info.version < FTH_TRACE_REFERS_TO_IMAGES;
    }
    if (read_sections(opening, FTH_SECTION_META, error) ||
        read_sections(opening, FTH_SECTION_CATALOG, error))
        return -1;
    if (!opening->meta || !opening->catalog)
        return fth_fail(error, "section %s is missing", opening->meta ? "CATL" : "META");
    if (read_sections(opening, FTH_SECTION_LINES, error) ||
        read_sections(opening, FTH_SECTION_UNKEPT, error) ||
        read_sections(opening, FTH_SECTION_SUMMED, error) ||
        read_sections(opening, FTH_SECTION_WATCHED, error) ||
        read_sections(opening, FTH_SECTION_UNSEEN, error) || read_sections(opening, 0, error) ||
        read_sections(opening, FTH_SECTION_SAMPLES, error) ||
        read_sections(opening, FTH_SECTION_MOUNTS, error) ||
        fth_model_place_processes(trace, &opening->sections, error) || read_parts(opening, error) ||
        fth_model_read_processes(trace, error))
        return -1;
    trace->meanings = fth_meanings_new(&trace->catalog);
    trace->descriptors = fth_class_of_name(&trace->catalog, "fd", 2);
    fth_model_make_processes(trace);
    fth_model_make_counters(trace);
    fth_model_make_systems(&trace->files);
    fill_info(opening);
    make_unseen(trace);
    fth_model_make_phases(trace);
    return 0;
}

int fth_model_read(struct fth_trace *trace, struct fth_error **error)
{
    struct opening opening = {.trace = trace};
    int status = read_trace(&opening, error);
    free(opening.parts);
    free(opening.sections.places);
    return status;
}

void fth_trace_close(struct fth_trace *trace)
{
    if (!trace)
        return;
    for (size_t i = 0; i < trace->process_count; i++) {
        struct fth_model_process *process = &trace->processes[i];
        free((void *)(uintptr_t)process->facts.how_ended);
        fth_model_free_facts(&process->stored);
        free(process->shares);
        free(process->threads);
        free(process->sums);
        for (size_t k = 0; k < process->file_count; k++)
            free((void *)(uintptr_t)process->files[k].path);
        free(process->files);
    }
    free(trace->processes);
    free(trace->meanings);
    for (size_t i = 0; trace->functions && i < trace->catalog.row_count; i++)
        free((void *)(uintptr_t)trace->functions[i].parameters);
    free(trace->functions);
    free(trace->listed);
    for (size_t i = 0; i < trace->part_count; i++) {
        fth_stored_part_free(&trace->parts[i]);
        free(trace->shapes[i]);
    }
    free(trace->parts);
    free(trace->shapes);
    for (size_t i = 0; i < trace->unpacked_count; i++)
        fth_facts_free(trace->unpacked[i].facts, trace->unpacked[i].count);
    free(trace->unpacked);
    fth_code_lines_free(&trace->lines);
    fth_model_free_samples(&trace->samples);
    fth_model_free_files(&trace->files);
    fth_communicators_free(&trace->communicators);
    fth_catalog_free(&trace->catalog);
    fth_blind_spots_free(&trace->spots);
    free(trace->sentences);
    free(trace->unseen);
    fth_unkept_free(&trace->unkept);
    fth_unkept_free(&trace->summed);
    fth_model_free_phases(trace);
    fth_watched_list_free(&trace->watched);
    free(trace->meta_json);
    if (trace->bytes)
        munmap((void *)(uintptr_t)trace->bytes, trace->length);
    pthread_mutex_destroy(&trace->lock);
    free(trace->path);
    free(trace);
}

const struct fth_trace_info *fth_trace_info(const struct fth_trace *trace)
{
    return &trace->info;
}

size_t fth_trace_process_count(const struct fth_trace *trace)
{
    return trace->process_count;
}

const struct fth_process *fth_trace_process(const struct fth_trace *trace, size_t proc)
{
    return &trace->processes[proc].facts;
}

size_t fth_trace_function_count(const struct fth_trace *trace)
{
    return trace->listed_count;
}

const struct fth_function *fth_trace_function(const struct fth_trace *trace, size_t index)
{
    return trace->listed[index];
}
