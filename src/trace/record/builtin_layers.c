/* Descriptions of the built-in layers. They are separate from the catalogue, so that preloaded
 * libraries, which do not use them, do not contain their text. */
#include "catalog/packed.h"
#include "trace/record/builtin.h"

#include <string.h>

const struct fth_layer *fth_builtin_layer(const char *name)
{
    for (size_t i = 0; i < fth_builtin_layer_count; i++)
        if (strcmp(fth_builtin_layers[i].name, name) == 0)
            return &fth_builtin_layers[i];
    return NULL;
}
