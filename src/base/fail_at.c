#include "base/fail_at.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

int fth_fail_at(struct fth_error **error, const char *path, unsigned line, unsigned column,
                const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        fth_out_of_memory();
    fth_fail(error, "%s:%u:%u: %s", path, line, column, text);
    free(text);
    return -1;
}
