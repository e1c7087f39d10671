/* Names of files without what is different in each run: numbers of processes and of pipes, random
 * letters of temporary files, sessions of MPI and of its launcher. */
#ifndef FTH_DIFF_PLAIN_NAMES_H
#define FTH_DIFF_PLAIN_NAMES_H

#include "base/intern.h"
#include "diff/moments.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of the processes of all runs; sorted by fth_diff_pids_sort before they are looked for. */
struct fth_diff_pids {
    size_t count;
    int64_t *list;
};
void fth_diff_pids_add(struct fth_diff_pids *pids, int64_t pid);
void fth_diff_pids_sort(struct fth_diff_pids *pids);
void fth_diff_pids_free(struct fth_diff_pids *pids);

/* The name with "PID" for numbers of processes, "*" for those of pipes, sockets and sessions, and
 * "TIME" for moments of these spans, which may be NULL; to be freed. */
char *fth_diff_plain_name(const char *path, const struct fth_diff_pids *pids,
                          const struct fth_diff_spans *spans);

/* The name with X for those letters that mkstemp and its like make up, where it has some that may
 * be of them; to be freed. *random: they look as if nobody had chosen them. NULL: it has none.
 * `endings`: so many stand behind the letters of the last component (ccXXXXXX.cdtor.c: two); which
 * letters are made up is only known from names that look random. */
enum { FTH_DIFF_MOST_ENDINGS = 3 };
char *fth_diff_temporary_name(const char *path, size_t endings, bool *random);

#endif
