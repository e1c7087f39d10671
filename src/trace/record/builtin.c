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

const struct fth_layer *fth_builtin_layer(const char *name)
{
    for (size_t i = 0; i < fth_builtin_layer_count; i++)
        if (strcmp(fth_builtin_layers[i].name, name) == 0)
            return &fth_builtin_layers[i];
    return NULL;
}

bool fth_layer_is(const char *name, unsigned is)
{
    const struct fth_layer *layer = fth_builtin_layer(name);
    return layer && layer->is & is;
}

const char *fth_layer_that_is(unsigned is)
{
    size_t i = 0;
    while (!(fth_builtin_layers[i].is & is))
        i++;
    return fth_builtin_layers[i].name;
}
