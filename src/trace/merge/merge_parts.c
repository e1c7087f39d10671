/* Parts that MPI worlds merged in MPI_Finalize: their sections are checked and copied into the
 * trace. What they say of processes, functions and places is noted for the rest of the merge. */
#include "trace/columns/compress.h"
#include "trace/merge/merger.h"

#include "base/memory.h"
#include "trace/columns/columns.h"
#include "trace/file/container.h"
#include "trace/record/builtin.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A part is whole: which functions its signatures have, and where their calls are made. */
static void end_part(struct fth_merger *merger)
{
    fth_part_mark_used(&merger->copied, merger->used);
    fth_places_add(&merger->places, &merger->copied);
    fth_part_free(&merger->copied);
}

/* What a process of a part has, to know what not to merge again. */
static int read_process(struct fth_merger *merger, const struct fth_section *section,
                        const uint8_t *stored, struct fth_error **error)
{
    const struct fth_stored_process process = {.facts = stored + section->raw,
                                               .frame_bytes = section->raw,
                                               .facts_bytes = section->stored - section->raw};
    FTH_GROW(merger->merged, merger->merged_count);
    return fth_facts_read(&merger->merged[merger->merged_count++], &process, error);
}

/* A section of a part that is there already, as far as it matters for the rest of the trace. */
static int read_section(struct fth_merger *merger, const struct fth_section *section,
                        const uint8_t *stored, struct fth_error **error)
{
    if (section->kind == FTH_SECTION_PROCESS)
        return read_process(merger, section, stored, error);
    bool strings = section->kind == FTH_SECTION_STRINGS;
    if (!strings && section->kind != FTH_SECTION_SIGNATURES)
        return 0;
    uint8_t *raw = fth_new(section->raw + 1, 1);
    int status = 0;
    if (section->codec == FTH_CODEC_NONE) /* raw and stored are as long, as its head was checked */
        memcpy(raw, stored, section->raw);
    else
        status = fth_decompress(stored, section->stored, raw, section->raw, error);
    if (status == 0)
        status = fth_intern_read(strings ? &merger->copied.strings : &merger->copied.signatures,
                                 raw, section->raw, strings ? "string" : "signature", error);
    free(raw);
    return status;
}

/* A section of a part file at *at, which moves behind it: its stored bytes, in `bytes`. False: it
 * is damaged, or of no part. */
static bool take_section(int file, uint64_t *at, uint64_t end, struct fth_section *section,
                         uint8_t **bytes)
{
    if (end - *at < sizeof *section ||
        pread(file, section, sizeof *section, (off_t)*at) != (ssize_t)sizeof *section)
        return false;
    *at += sizeof *section;
    bool of_part = section->kind == FTH_SECTION_STRINGS ||
                   section->kind == FTH_SECTION_SIGNATURES ||
                   section->kind == FTH_SECTION_GRAMMARS || section->kind == FTH_SECTION_SHAPES ||
                   section->kind == FTH_SECTION_PROCESS;
    if (!of_part || !fth_section_is_sound(section) || section->stored > end - *at)
        return false;
    *bytes = fth_resize(*bytes, section->stored, 1);
    for (uint64_t done = 0; done < section->stored;) {
        ssize_t got = pread(file, *bytes + done, section->stored - done, (off_t)(*at + done));
        if (got <= 0)
            return false;
        done += (uint64_t)got;
    }
    *at += section->stored;
    return XXH64(*bytes, section->stored, section->kind) == fth_section_unseal(section);
}

/* Copies the sections of a part file, with this trace's number of the part. */
static int copy_sections(struct fth_merger *merger, int file, uint64_t end,
                         struct fth_error **error)
{
    struct fth_section section;
    uint8_t *bytes = NULL;
    unsigned of_kind[4] = {0};
    int status = 0;
    for (uint64_t at = 0; at < end && status == 0;) {
        if (!take_section(file, &at, end, &section, &bytes)) {
            status = fth_fail(error, "it is damaged before byte %" PRIu64, at);
            break;
        }
        of_kind[0] += section.kind == FTH_SECTION_STRINGS;
        of_kind[1] += section.kind == FTH_SECTION_SIGNATURES;
        of_kind[2] += section.kind == FTH_SECTION_GRAMMARS;
        of_kind[3] += section.kind == FTH_SECTION_SHAPES;
        uint64_t stored = fth_section_unseal(&section);
        section.part = merger->parts;
        fth_section_seal(&section, stored);
        if (fth_merger_write(merger, &section, sizeof section, error) ||
            fth_merger_write(merger, bytes, section.stored, error))
            status = -1;
        else
            status = read_section(merger, &section, bytes, error);
    }
    free(bytes);
    for (int i = 0; i < 4 && status == 0; i++)
        if (of_kind[i] != 1)
            status = fth_fail(error, "it is incomplete");
    return status;
}

static int copy_part(struct fth_merger *merger, const struct fth_part_files *files, size_t number,
                     struct fth_error **error)
{
    struct stat facts;
    int file = fth_part_file_open(files, number, error);
    if (file < 0)
        return -1;
    merger->copied = (struct fth_part){.catalog = fth_builtin_catalog()};
    int status = fstat(file, &facts) ? fth_fail_errno(error, "cannot read it")
                                     : copy_sections(merger, file, (uint64_t)facts.st_size, error);
    close(file);
    end_part(merger);
    merger->parts++;
    return status ? fth_fail_in(error, "the part '%s'", files->names[number]) : 0;
}

int fth_merger_copy_parts(struct fth_merger *merger, const struct fth_part_files *files,
                          struct fth_error **error)
{
    int status = 0;
    for (size_t i = 0; i < files->count && status == 0; i++)
        if (!fth_part_file_is_begun(files->names[i]))
            status = copy_part(merger, files, i, error);
    return status;
}
