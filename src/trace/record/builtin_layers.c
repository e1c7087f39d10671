/* Descriptions of the built-in layers. */
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
