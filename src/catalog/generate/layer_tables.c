/* layer_tables.c: what the catalogue says of layers, as a table (trace/record/builtin.h). */
#include "catalog/generate/generate.h"

#include <stdio.h>
#include <string.h>

static void put_text(FILE *out, const char *text)
{
    if (!text) {
        fputs("0, ", out);
        return;
    }
    fputc('"', out);
    for (const char *at = text; *at; at++)
        fprintf(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
    fputs("\", ", out);
}

static void put_layer(FILE *out, const struct fth_layer *layer)
{
    fputs("    {", out);
    put_text(out, layer->name);
    put_text(out, layer->library);
    put_text(out, NULL); /* the text is for traces, which have none of these */
    fprintf(out, "%d, %d, %u, ", layer->accesses_files, layer->synchronizes, layer->is);
    put_text(out, layer->about);
    put_text(out, layer->open);
    put_text(out, layer->close);
    put_text(out, layer->flush);
    put_text(out, layer->open_together);
    put_text(out, layer->refills);
    fputs("{", out);
    for (int language = 0; language < FTH_HINT_LANGUAGES; language++) {
        fputs("\n     {", out);
        for (int hint = 0; hint < FTH_HINTS; hint++) {
            fputs("\n      ", out);
            put_text(out, layer->hints[language][hint]);
        }
        fputs("},", out);
    }
    fputs("}},\n", out);
}

void write_layers(FILE *out, const struct fth_catalog *catalog)
{
    fputs("#include \"catalog/packed.h\"\n\n", out);
    fprintf(out, "const size_t fth_builtin_layer_count = %zu;\n", catalog->layer_count);
    fputs("const struct fth_layer fth_builtin_layers[] = {\n", out);
    for (size_t i = 0; i < catalog->layer_count; i++)
        put_layer(out, &catalog->layers[i]);
    fputs("};\n", out);
}

/* A function that advice names is one of the rows. */
static int check_function(const struct fth_catalog *catalog, const struct fth_layer *layer,
                          const char *what, const char *function, struct fth_error **error)
{
    const struct fth_row *row = function ? fth_catalog_find(catalog, function) : NULL;
    if (!function || (row && strcmp(row->layer, layer->name) == 0))
        return 0;
    return fth_fail(error, "layer %s: '%s with %s': there is no such function in the layer",
                    layer->name, what, function);
}

int check_layers(const struct fth_catalog *catalog, struct fth_error **error)
{
    for (size_t i = catalog->given_layers; i < catalog->layer_count; i++) {
        const struct fth_layer *layer = &catalog->layers[i];
        if (check_function(catalog, layer, "open", layer->open, error) ||
            check_function(catalog, layer, "open together", layer->open_together, error) ||
            check_function(catalog, layer, "close", layer->close, error) ||
            check_function(catalog, layer, "flush", layer->flush, error))
            return -1;
    }
    return 0;
}
