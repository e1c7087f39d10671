/* The lines of a log of strace in the order in which they were written: of one file (strace -o), of
 * the standard input, or of one file for each thread (strace -ff), by time. */
#ifndef FTH_IMPORT_STRACE_STRACE_LINES_H
#define FTH_IMPORT_STRACE_STRACE_LINES_H

#include "base/error.h"
#include "import/strace/strace_syntax.h"

struct fth_strace_lines;

/* `path`: a file, "-", a folder with files of -ff, or what stands before their numbers. NULL:
 * *error. */
struct fth_strace_lines *fth_strace_lines_open(const char *path, struct fth_error **error);
void fth_strace_lines_close(struct fth_strace_lines *lines);
/* 1: the next one, valid until the one after it; 0: there is none; -1: *error. `thread`: the number
 * in its file's name, or -1. */
int fth_strace_lines_next(struct fth_strace_lines *lines, struct fth_strace_text *text,
                          int64_t *thread, struct fth_error **error);
/* The time of day of the line that came last, in ns since the midnight before its file began: times
 * begin anew at midnight. */
int64_t fth_strace_lines_of_day(struct fth_strace_lines *lines, int64_t time);
/* Of the line that came last: its file and number, and whether it ended without a new line. */
const char *fth_strace_lines_file(const struct fth_strace_lines *lines, uint64_t *number,
                                  bool *is_cut);
/* Bytes that there are, 0: not known, and that have been read. */
uint64_t fth_strace_lines_bytes(const struct fth_strace_lines *lines, uint64_t *read);

#endif
