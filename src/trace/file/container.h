/* Writing sections of a trace file. */
#ifndef FTH_TRACE_FILE_CONTAINER_H
#define FTH_TRACE_FILE_CONTAINER_H

#include "base/bytes.h"
#include "base/error.h"
#include "trace/record/format.h"
#include "trace/file/part.h"

#include <stdbool.h>

/* The header of a file. */
void fth_header_make(struct fth_header *header);
/* Sets the checksum of a section whose other fields are set; `stored` is XXH64 of the stored bytes,
 * seed = kind. */
void fth_section_seal(struct fth_section *section, uint64_t stored);
/* What is left of the checksum without the head: XXH64 of the stored bytes, if the head is
 * right. */
uint64_t fth_section_unseal(const struct fth_section *section);
/* Does the head say what its kind allows? Memory is taken for what it promises. */
bool fth_section_is_sound(const struct fth_section *section);
/* Frames, and facts. */
bool fth_section_has_processes(uint32_t kind);
/* Of the run, not of a part. */
bool fth_section_is_alone(uint32_t kind);
/* A section of these bytes, compressed where that helps, appended to `to`. */
void fth_section_append(struct fth_bytes *to, enum fth_section_kind kind, uint32_t part,
                        const void *bytes, size_t length);
/* STRS, SIGS, GRAM and SHAP of a part. */
void fth_part_append(struct fth_bytes *to, const struct fth_part *part, uint32_t number);
/* CATL: the rows whose functions are marked in used[row], with what they need. */
void fth_catalog_append(struct fth_bytes *to, const struct fth_catalog *catalog, const bool *used);
/* Marks the functions of the part's signatures. */
void fth_part_mark_used(const struct fth_part *part, bool *used);

/* Writes all of it at `at`; 0 or -1 and *error. */
int fth_write_at(int file, const void *bytes, size_t length, uint64_t at, const char *path,
                 struct fth_error **error);

#endif
