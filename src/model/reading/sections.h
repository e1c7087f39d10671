/* The sections of a trace file (docs/format.md), and where they are in it. */
#ifndef FTH_MODEL_READING_SECTIONS_H
#define FTH_MODEL_READING_SECTIONS_H

#include "base/error.h"
#include "trace/file/container.h"
#include "trace/record/format.h"

#include <stdbool.h>
#include <string.h>

/* SIGS and SHAP mean something only with the catalogue; PROC come first. So they are found first
 * and read later. */
struct fth_sections {
    const uint8_t **places; /* of their heads, in the file's bytes; free() them */
    size_t count;
    size_t part_count; /* that they name */
};

/* Walks over the sections behind the header, checks lengths and sums, and remembers where they are.
 * `length` is at least that of a header. */
int fth_sections_scan(struct fth_sections *sections, const uint8_t *bytes, size_t length,
                      struct fth_error **error);

/* Its head, which may stand at any byte. */
static inline struct fth_section fth_section_at(const uint8_t *place)
{
    struct fth_section section;
    memcpy(&section, place, sizeof section);
    return section;
}

/* Four letters, what cannot be printed as '?'; in `name`, which is returned. */
const char *fth_section_name(uint32_t kind, char name[5]);
/* The bytes of a section, decompressed; free() them. NULL: they are damaged. */
uint8_t *fth_section_bytes(const uint8_t *place, size_t *length, struct fth_error **error);

#endif
