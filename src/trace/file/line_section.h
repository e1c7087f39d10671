/* Where in the program's source calls are made: as text, for each place in a module that a
 * signature names. Found out while the modules are there, stored in section LINE, so that a trace
 * can be read where they are not. */
#ifndef FTH_TRACE_FILE_LINE_SECTION_H
#define FTH_TRACE_FILE_LINE_SECTION_H

#include "base/error.h"
#include "base/intern.h"
#include "trace/file/part.h"

/* Places in modules, each once. */
struct fth_places {
    struct fth_intern modules; /* texts: path, a zero, build-id */
    struct fth_intern places;  /* struct fth_place */
};
struct fth_place {
    uint64_t module, offset;
};
/* Adds those that the signatures of the part name. */
void fth_places_add(struct fth_places *places, const struct fth_part *part);
void fth_places_free(struct fth_places *places);

/* What stands in the source at the call that returns to `offset`: "file.c:123 function", to be
 * freed; NULL: nobody knows. Places of one module come one after another. */
typedef char *fth_line_finder(void *context, const char *path, const char *build_id,
                              uint64_t offset);
/* Section LINE; nothing if no line is known. */
void fth_code_lines_append(struct fth_bytes *to, const struct fth_places *places,
                           fth_line_finder *find, void *context);

/* Section LINE as read. */
struct fth_code_lines {
    struct fth_places places;
    char **texts; /* of places */
};
int fth_code_lines_read(struct fth_code_lines *lines, const void *bytes, size_t length,
                        struct fth_error **error);
void fth_code_lines_free(struct fth_code_lines *lines);
/* NULL: it is not there. */
const char *fth_code_lines_find(const struct fth_code_lines *lines, const void *module,
                                size_t length, uint64_t offset);

#endif
