/* What can be recorded, for people and for shells that complete: `--layers help`, `--functions
 * help`. Plug-ins that are named before are among it. */
#include "cmd/record/record.h"

#include "catalog/packed.h"
#include "trace/record/builtin.h"

#include <stdio.h>
#include <string.h>

/* That of the tracer's own notes is none. */
static void put_layer(const struct fth_layer *layer)
{
    if (strcmp(layer->name, "fathom") != 0)
        printf("  %-11s  %s\n", layer->name, layer->about ? layer->about : "");
}

void fth_record_list_layers(void)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; i < fth_builtin_layer_count; i++)
        put_layer(&fth_builtin_layers[i]);
    for (size_t i = catalog->given_layers; i < catalog->layer_count; i++)
        put_layer(&catalog->layers[i]);
}

/* Is it in a list with commas? */
static bool is_among(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += at[strcspn(at, ",")] ? strcspn(at, ",") + 1 : strlen(at))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

void fth_record_list_functions(const char *layers)
{
    const struct fth_catalog *catalog = fth_builtin_catalog();
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (strcmp(row->layer, "fathom") != 0 && (!layers || is_among(layers, row->layer)))
            printf("  %-36s  %-10s  %s\n", row->name, row->kind, row->layer);
    }
}
