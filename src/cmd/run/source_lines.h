/* Where in the source of a program the code at an address stands, as the program's debugging
 * information (DWARF) says. */
#ifndef FTH_CMD_RUN_SOURCE_LINES_H
#define FTH_CMD_RUN_SOURCE_LINES_H

#include "trace/file/line_section.h"

struct fth_source_lines;

/* What can be found out without a library for DWARF: nothing. Then all of these do nothing. */
extern const bool fth_source_lines_are_built_in;

struct fth_source_lines *fth_source_lines_open(void);
void fth_source_lines_close(struct fth_source_lines *lines);
/* A fth_line_finder; its context is a struct fth_source_lines. */
char *fth_source_line(void *lines, const char *path, const char *build_id, uint64_t offset);

#endif
