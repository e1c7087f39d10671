/* Errors in files that people write: the place in front of what is wrong there. */
#ifndef FTH_BASE_FAIL_AT_H
#define FTH_BASE_FAIL_AT_H

#include "base/error.h"

#include <stdarg.h>

/* "PATH:LINE:COLUMN: what is wrong", else as fth_fail; both numbers from 1 on. */
int fth_fail_at(struct fth_error **error, const char *path, unsigned line, unsigned column,
                const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

#endif
