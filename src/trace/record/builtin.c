/* The catalogue that is built in: unpacked when it is asked for. */
#include "trace/record/builtin.h"

#include "catalog/packed.h"

static struct fth_catalog builtin;

const struct fth_catalog *fth_builtin_catalog(void)
{
    if (!builtin.row_count)
        fth_catalog_unpack(&builtin, &fth_packed_builtin);
    return &builtin;
}

/* Tables cannot be added to: what was handed out before stays as it is, and nobody asks for it any
 * more. */
int fth_builtin_extend(const char *name, const char *text, size_t length, struct fth_error **error)
{
    if (!builtin.given_rows && fth_catalog_begin_with(&builtin, &fth_packed_builtin))
        return fth_fail(error, "out of memory");
    builtin.library = builtin.layer = NULL;
    return fth_catalog_parse(&builtin, name, text, length, error);
}
