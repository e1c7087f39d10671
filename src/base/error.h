/* Errors as values, with the chain of their causes. Made where the cause is known, extended on the
 * way up, printed once at the top. A function that can fail takes `struct fth_error **error`; it
 * may be NULL when the caller does not care. */
#ifndef FTH_BASE_ERROR_H
#define FTH_BASE_ERROR_H

struct fth_error;

/* Sets *error to a new error with this text; *error must be NULL before. Always returns -1, for
 * `return fth_fail(...)`. */
int fth_fail(struct fth_error **error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, with ": " and the text of errno appended. */
int fth_fail_errno(struct fth_error **error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Puts an outer context in front of what *error holds. Always returns -1. */
int fth_fail_in(struct fth_error **error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Part of the public interface too (<fathom/trace.h>). */
const char *fth_error_text(const struct fth_error *error) __attribute__((visibility("default")));
void fth_error_free(struct fth_error *error) __attribute__((visibility("default")));

#endif
