/* What is said of the layers that are built in. Apart from the catalogue, so that what is
 * preloaded, which asks for none of it, does not bring their words. */
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
