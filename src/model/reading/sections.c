/* The sections of a trace file: every length and sum is checked before anything of it is read. */
#include "trace/columns/compress.h"
#include "model/reading/sections.h"

#include "base/memory.h"

#define XXH_INLINE_ALL
#include <inttypes.h>
#include <xxhash.h>

static int check_header(const uint8_t *bytes, struct fth_error **error)
{
    struct fth_header header;
    memcpy(&header, bytes, sizeof header);
    if (memcmp(header.magic, FTH_TRACE_MAGIC, sizeof header.magic) != 0)
        return fth_fail(error, "it is not a Fathom trace: its first bytes differ");
    if (header.version > FTH_TRACE_VERSION)
        return fth_fail(error,
                        "its format is version %u, and this program reads versions %d to %d: use a "
                        "newer Fathom",
                        header.version, FTH_OLDEST_TRACE_VERSION, FTH_TRACE_VERSION);
    if (header.version == 0 || header.checksum != XXH64(bytes, FTH_HEADER_BYTES - 8, 0))
        return fth_fail(error, "its header is damaged");
    if (header.version < FTH_OLDEST_TRACE_VERSION)
        return fth_fail(error,
                        "its format is version %u, and this program reads versions %d to %d: use "
                        "the Fathom that recorded it, or record again",
                        header.version, FTH_OLDEST_TRACE_VERSION, FTH_TRACE_VERSION);
    return 0;
}

const char *fth_section_name(uint32_t kind, char name[5])
{
    for (int i = 0; i < 4; i++) {
        char byte = (char)(kind >> 8 * i);
        name[i] = byte >= ' ' && byte <= '~' ? byte : '?';
    }
    name[4] = 0;
    return name;
}

static bool is_known(uint32_t kind)
{
    static const uint32_t kinds[] = {
        FTH_SECTION_META,     FTH_SECTION_CATALOG, FTH_SECTION_STRINGS,  FTH_SECTION_SIGNATURES,
        FTH_SECTION_GRAMMARS, FTH_SECTION_SHAPES,  FTH_SECTION_PROCESS,  FTH_SECTION_LINES,
        FTH_SECTION_SAMPLES,  FTH_SECTION_MOUNTS,  FTH_SECTION_UNSEEN,   FTH_SECTION_UNKEPT,
        FTH_SECTION_SUMMED,   FTH_SECTION_WATCHED, FTH_SECTION_PROCESSES};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind)
            return true;
    return false;
}

int fth_sections_scan(struct fth_sections *sections, const uint8_t *bytes, size_t length,
                      struct fth_error **error)
{
    uint64_t at = FTH_HEADER_BYTES;
    char name[5];
    if (check_header(bytes, error))
        return -1;
    for (;;) {
        struct fth_section section;
        if (length - at < sizeof section)
            return fth_fail(error,
                            "it is truncated at byte %" PRIu64
                            ", where the next section should begin: copy it again",
                            at);
        section = fth_section_at(bytes + at);
        if (section.kind == FTH_SECTION_END) {
            if (fth_section_unseal(&section) != XXH64(NULL, 0, FTH_SECTION_END))
                return fth_fail(error, "its end at byte %" PRIu64 " is damaged", at);
            if (at + sizeof section != length)
                return fth_fail(error, "%" PRIu64 " bytes follow its end at byte %" PRIu64,
                                length - at - sizeof section, at);
            break;
        }
        if (!is_known(section.kind))
            return fth_fail(error, "the section at byte %" PRIu64 " has an unknown type", at);
        uint64_t left = length - at - sizeof section;
        if (section.stored > left)
            return fth_fail(error,
                            "it is truncated: section %s at byte %" PRIu64 " has %" PRIu64
                            " of %" PRIu64 " bytes: copy it again",
                            fth_section_name(section.kind, name), at, left, section.stored);
        if (!fth_section_is_sound(&section))
            return fth_fail(error, "the header of section %s at byte %" PRIu64 " is damaged",
                            fth_section_name(section.kind, name), at);
        if (XXH64(bytes + at + sizeof section, section.stored, section.kind) !=
            fth_section_unseal(&section))
            return fth_fail(error,
                            "section %s at byte %" PRIu64 " is damaged: its checksum is wrong",
                            fth_section_name(section.kind, name), at);
        if (section.part >= sections->part_count)
            sections->part_count = (size_t)section.part + 1;
        FTH_GROW(sections->places, sections->count);
        sections->places[sections->count++] = bytes + at;
        at += sizeof section + section.stored;
    }
    if (sections->part_count > sections->count)
        return fth_fail(error, "it has %zu parts in %zu sections", sections->part_count,
                        sections->count);
    return 0;
}

uint8_t *fth_section_bytes(const uint8_t *place, size_t *length, struct fth_error **error)
{
    struct fth_section section = fth_section_at(place);
    const uint8_t *stored = place + sizeof section;
    uint8_t *bytes = fth_new(section.raw + 1, 1);
    *length = section.raw;
    if (section.codec == FTH_CODEC_NONE) {
        memcpy(bytes, stored, section.raw);
    } else if (fth_decompress(stored, section.stored, bytes, section.raw, error)) {
        free(bytes);
        return NULL;
    }
    return bytes;
}
