/* The source of a plug-in (capture/record/plugin.h): the wrappers of the rows that were added to
 * the catalogue, and tables that say of them what calls.c says of those of the catalogue. What
 * numbers they have is known when the plug-in is loaded. */
#include "catalog/generate/generate.h"

#include <string.h>

/* ---- is it one? ---- */

static bool is_given_library(const struct fth_catalog *catalog, const char *name)
{
    for (size_t i = 0; i < catalog->given_rows; i++)
        if (strcmp(catalog->rows[i].library, name) == 0)
            return true;
    return false;
}

/* Rows of one layer stand together mostly, and there may be tens of thousands. */
static bool begins_layer(const struct fth_catalog *catalog, const struct fth_row *row)
{
    return row == &catalog->rows[catalog->given_rows] || strcmp(row[-1].layer, row->layer) != 0;
}

static int check_row(const struct fth_catalog *catalog, const struct fth_row *row,
                     struct fth_error **error)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    const char *only =
        row->flags & FTH_CALL_VARIADIC ? "variadic functions cannot be wrapped"
        : row->flags & (FTH_CALL_HOOKED | FTH_CALL_AROUND | FTH_CALL_ON_STDIN | FTH_CALL_ON_STDOUT)
            ? "'hooked' and 'on ...' are for Fathom itself"
            : NULL;
    if (only)
        return fth_fail(error, "%s:%d: %s: %s", row->file, row->line, row->name, only);
    if (strcmp(row->library, catalog->libraries[0].name) != 0)
        return fth_fail(error, "%s:%d: %s belongs to another library than the rows before",
                        row->file, row->line, row->name);
    if (fth_plan_values(catalog, row, plan) < 0)
        return fth_fail(error, "%s:%d: %s has too many values: at most %d are kept", row->file,
                        row->line, row->name, FTH_MOST_VALUES);
    if (begins_layer(catalog, row) && !layer_bit(catalog, row->layer))
        return fth_fail(error, "%s:%d: too many layers", row->file, row->line);
    return 0;
}

int check_plugin(const struct fth_catalog *catalog, const char *file, struct fth_error **error)
{
    if (catalog->row_count == catalog->given_rows)
        return fth_fail(error, "%s: the file has no rows: nothing to wrap", file);
    if (catalog->library_count != 1)
        return fth_fail(
            error,
            "%s: expected one line 'library NAME STEM SYMBOL' before the rows: the name of the "
            "library, the beginning of its file name, and a function that it defines",
            file);
    if (check_layers(catalog, error))
        return fth_fail_in(error, "%s", file);
    if (is_given_library(catalog, catalog->libraries[0].name))
        return fth_fail(error, "%s: Fathom records the library '%s' already; use another name",
                        file, catalog->libraries[0].name);
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++)
        if (check_row(catalog, &catalog->rows[i], error))
            return -1;
    return 0;
}

/* ---- numbers ---- */

/* Layers that the rows add, each once, in their order. */
static unsigned own_layers(const struct fth_catalog *catalog, const char *layers[MOST_LAYERS])
{
    unsigned count = 0, known;
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++) {
        const char *layer = catalog->rows[i].layer;
        bool is_given = false;
        if (!begins_layer(catalog, &catalog->rows[i]))
            continue;
        for (size_t k = 0; k < catalog->given_rows && !is_given; k++)
            is_given = strcmp(catalog->rows[k].layer, layer) == 0;
        for (known = 0; known < count && strcmp(layers[known], layer) != 0; known++)
            ;
        if (!is_given && known == count)
            layers[count++] = layer;
    }
    return count;
}

static void define_context(FILE *out, const struct fth_catalog *catalog, const struct fth_row *row,
                           const char *const *layers, unsigned layer_count)
{
    unsigned own = 0;
    while (own < layer_count && strcmp(layers[own], row->layer) != 0)
        own++;
    fprintf(out, "#define FTH_CONTEXT_%s (0x%xu | ", row->name, files_of_context(catalog, row));
    if (own < layer_count)
        fprintf(out, "layer_bits[%u])\n", own);
    else
        fprintf(out, "0x%xu)\n", layer_bit(catalog, row->layer));
}

static void define_numbers(FILE *out, const struct fth_catalog *catalog, const char *const *layers,
                           unsigned layer_count)
{
    for (size_t i = catalog->given_classes; i < catalog->class_count; i++)
        fprintf(out, "#define FTH_CLASS_%s (fth_plugin.first_class + %zu)\n",
                catalog->classes[i].name, i - catalog->given_classes);
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        fprintf(out, "#define FTH_CALL_%s (fth_plugin.first_call + %zu)\n", row->name,
                i - catalog->given_rows);
        define_context(out, catalog, row, layers, layer_count);
    }
    fprintf(out, "static uint32_t layer_bits[%u];\n\n", layer_count ? layer_count : 1);
}

/* ---- tables ---- */

static void write_calls(FILE *out, const struct fth_catalog *catalog)
{
    fprintf(out, "\nstatic const struct fth_plugin_call calls[] = {\n");
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        fprintf(out, "    {\"%s\", \"%s\", %u, %d, 0x%x, 0x%x},\n", row->name, row->layer,
                row->flags, binds(catalog, row), leaving_values(catalog, row, false),
                leaving_values(catalog, row, true));
    }
    fprintf(out, "};\n\nstatic const struct fth_plugin_class classes[] = {\n");
    for (size_t i = catalog->given_classes; i < catalog->class_count; i++)
        fprintf(out, "    {\"%s\", %d},\n", catalog->classes[i].name, catalog->classes[i].form);
    fprintf(out, "    {0, 0},\n};\n");
}

/* One literal for each line. */
static void write_text(FILE *out, const char *text, size_t length)
{
    fputs("    \"", out);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '\n')
            fputs(i + 1 < length ? "\\n\"\n    \"" : "\\n", out);
        else if (byte == '"' || byte == '\\' || byte == '?') /* of ? there are trigraphs */
            fprintf(out, "\\%c", byte);
        else if (byte < ' ' || byte > '~')
            fprintf(out, "\\%03o", byte);
        else
            fputc(byte, out);
    }
    fputs("\"", out);
}

static void write_rows(FILE *out, const char *text, size_t length)
{
    fprintf(out,
            "\nFTH_PLUGIN_ROWS static const struct fth_plugin_rows rows = {\n    FTH_BUILD,\n");
    write_text(out, text, length);
    fprintf(out, "};\n");
}

static void write_description(FILE *out, const struct fth_catalog *catalog,
                              const char *const *layers, unsigned layer_count, size_t length)
{
    const struct fth_library *library = &catalog->libraries[0];
    const char *quote = library->needs ? "\"" : "";
    fprintf(out, "\nstatic const char *const layers[] = {");
    for (unsigned i = 0; i < layer_count; i++)
        fprintf(out, "\"%s\", ", layers[i]);
    fprintf(out, "0};\n\nstruct fth_plugin fth_plugin = {\n    .build = FTH_BUILD,\n");
    fprintf(out, "    .library = {\"%s\", \"%s\", \"%s\", %s%s%s},\n", library->name, library->stem,
            library->symbol, quote, library->needs ? library->needs : "0", quote);
    fprintf(out, "    .text = rows.text,\n    .text_length = %zu,\n", length);
    fprintf(out, "    .calls = calls,\n"
                 "    .classes = classes,\n"
                 "    .layers = layers,\n"
                 "    .layer_bits = layer_bits,\n");
    fprintf(out,
            "    .call_count = %zu,\n"
            "    .class_count = %zu,\n"
            "    .layer_count = %u,\n"
            "};\n",
            catalog->row_count - catalog->given_rows, catalog->class_count - catalog->given_classes,
            layer_count);
}

/* The compiler compares rows with what the headers declare; it complains at their place in the
 * `.calls` file. */
static void write_comparisons(FILE *out, const struct fth_catalog *catalog)
{
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        fprintf(out,
                "#line %d \"%s\"\n"
                "static __typeof__(real_%s) declared_%s __attribute__((unused)) = %s;\n",
                row->line, row->file, row->name, row->name, row->name);
    }
}

void write_plugin(FILE *out, const struct fth_catalog *catalog, const char *file, const char *text,
                  size_t length)
{
    const char *layers[MOST_LAYERS];
    unsigned layer_count = own_layers(catalog, layers);
    fprintf(out,
            "/* Made from %s by `fathom wrap`. */\n#include \"capture/bound/wrap_plugin.h\"\n\n",
            file);
    for (size_t i = 0; i < catalog->include_count; i++)
        fprintf(out, "#include %s\n", catalog->includes[i]);
    fputc('\n', out);
    define_numbers(out, catalog, layers, layer_count);
    write_bound_wrappers(out, catalog, &catalog->libraries[0]);
    write_calls(out, catalog);
    write_rows(out, text, length);
    write_description(out, catalog, layers, layer_count, length);
    if (catalog->include_count)
        write_comparisons(out, catalog);
}
