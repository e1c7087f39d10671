/* Arguments and results of calls as strace writes them, as the numbers and texts that they are. */
#ifndef FTH_IMPORT_STRACE_STRACE_VALUES_H
#define FTH_IMPORT_STRACE_STRACE_VALUES_H

#include "base/bytes.h"
#include "catalog/catalog.h"
#include "import/strace/strace_syntax.h"

/* A string without its quotes and escapes, put behind `to`. False: it is none (a pointer, NULL).
 * *cut grows where strace has left out the rest. */
bool fth_strace_string(struct fth_strace_text text, struct fth_bytes *to, uint64_t *cut);
/* The path that -y writes behind a descriptor. */
void fth_strace_plain_path(struct fth_strace_text text, struct fth_bytes *to);
/* A list of strings, each with a zero behind it. */
bool fth_strace_strings(struct fth_strace_text text, struct fth_bytes *to, uint64_t *cut);
/* A number, or names of this set of flags joined by `|`; what has no name there counts for 0. */
int64_t fth_strace_flags(const struct fth_catalog *catalog, int flags_index,
                         struct fth_strace_text text);
/* The set of flags of this name. */
int fth_strace_flags_named(const struct fth_catalog *catalog, const char *name);
/* A number, a mode, NULL. */
int64_t fth_strace_integer(struct fth_strace_text text);
/* SEEK_SET and its like. */
int64_t fth_strace_whence(struct fth_strace_text text);
/* A descriptor: its number, -1, AT_FDCWD (-100); `path`: what -y writes behind it, else empty. */
int64_t fth_strace_descriptor(struct fth_strace_text text, struct fth_strace_text *path);
/* Bytes of a list of `struct iovec`; -1: the list is cut, or is none. */
int64_t fth_strace_iovec(struct fth_strace_text text);
/* The status that wait reports; false: it is not there. */
bool fth_strace_wait_status(const struct fth_catalog *catalog, struct fth_strace_text text,
                            int64_t *status);
/* The last number in `[5]` or `[0] => [5]`; false: a null pointer. */
bool fth_strace_pointed(struct fth_strace_text text, int64_t *number);
/* errno by its name; that of a call which is to be made again is EINTR. 0: not known. */
int fth_strace_error(struct fth_strace_text name);

struct fth_strace_result {
    enum { FTH_STRACE_RETURNED, FTH_STRACE_FAILED, FTH_STRACE_NO_RETURN } how;
    int64_t value; /* or errno */
    bool is_pointer;
    struct fth_strace_text path; /* of -y */
};
bool fth_strace_result_read(struct fth_strace_text text, struct fth_strace_result *result);

#endif
