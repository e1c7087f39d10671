/* catalog_packed.c: the whole catalogue as constant tables (catalog/packed.h). */
#include "base/memory.h"
#include "catalog/generate/generate.h"
#include "catalog/packed.h"
#include "catalog/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct fth_names known;
static char **kept;
static uint32_t kept_count, *places, end;

/* The place of a word in the text of all words: each stands there once. */
static uint32_t place(const char *word)
{
    if (!word)
        return FTH_PACKED_NULL;
    int index = fth_names_find(&known, word, strlen(word));
    if (index >= 0)
        return places[index];
    kept = fth_resize(kept, kept_count + 1, sizeof *kept);
    places = fth_resize(places, kept_count + 1, sizeof *places);
    kept[kept_count] = fth_text_copy(word);
    places[kept_count] = end;
    fth_names_add(&known, kept[kept_count], kept_count);
    end += (uint32_t)strlen(word) + 1;
    return places[kept_count++];
}

static void put_words(FILE *out)
{
    fprintf(out, "static const char words[] =");
    for (uint32_t i = 0; i < kept_count; i++) {
        fputs("\n    \"", out);
        for (const char *at = kept[i]; *at; at++)
            fprintf(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        fputs("\\0\"", out);
        free(kept[i]);
    }
    fputs(";\n", out);
}

static void put_classes(FILE *out, const struct fth_catalog *catalog)
{
    fputs("static const struct fth_packed_class classes[] = {\n", out);
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "    {%" PRIu32 ", %d, %d},\n", place(catalog->classes[i].name),
                catalog->classes[i].form, catalog->classes[i].buffered);
    fputs("};\n", out);
}

static size_t put_flags(FILE *out, const struct fth_catalog *catalog)
{
    size_t entries = 0;
    fputs("static const struct fth_packed_flags flags[] = {\n", out);
    for (size_t i = 0; i < catalog->flags_count; i++) {
        fprintf(out, "    {%" PRIu32 ", %zu, %zu},\n", place(catalog->flags[i].name), entries,
                catalog->flags[i].count);
        entries += catalog->flags[i].count;
    }
    fputs("};\nstatic const struct fth_packed_flag entries[] = {\n", out);
    for (size_t i = 0; i < catalog->flags_count; i++)
        for (size_t k = 0; k < catalog->flags[i].count; k++)
            fprintf(out, "    {%" PRId64 ", %" PRIu32 "},\n", catalog->flags[i].entries[k].value,
                    place(catalog->flags[i].entries[k].name));
    fputs("};\n", out);
    return entries;
}

static void put_field(FILE *out, const struct fth_field *field)
{
    fprintf(out,
            "    {%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %d, %d, %d, %d, %d, %d, %d, %" PRId64
            "},\n",
            place(field->type), place(field->name), place(field->role_words), field->role,
            field->array, field->optional, field->class_index, field->flags_index,
            field->length_field, field->at_field, field->length);
}

static size_t put_rows(FILE *out, const struct fth_catalog *catalog)
{
    size_t fields = 0;
    fputs("static const struct fth_packed_field fields[] = {\n", out);
    for (size_t i = 0; i < catalog->row_count; i++) {
        for (size_t k = 0; k < catalog->rows[i].field_count; k++)
            put_field(out, &catalog->rows[i].fields[k]);
        put_field(out, &catalog->rows[i].result);
    }
    fputs("};\nstatic const struct fth_packed_row rows[] = {\n", out);
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        const char *slash = strrchr(row->file, '/');
        fprintf(out,
                "    {%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
                ", %" PRIu32 ", %u, %zu, %zu, %d},\n",
                place(row->text), place(row->library), place(row->layer), place(row->kind),
                place(row->via), place(row->name), place(slash ? slash + 1 : row->file), row->flags,
                fields, row->field_count, row->line);
        fields += row->field_count + 1;
    }
    fputs("};\n", out);
    return fields;
}

static void put_libraries(FILE *out, const struct fth_catalog *catalog)
{
    fputs("static const struct fth_packed_library libraries[] = {\n", out);
    for (size_t i = 0; i < catalog->library_count; i++)
        fprintf(out, "    {%" PRIu32 ", %" PRIu32 "},\n", place(catalog->libraries[i].name),
                place(catalog->libraries[i].symbol));
    fputs("};\n", out);
}

void write_packed(FILE *out, const struct fth_catalog *catalog)
{
    fputs("#include \"catalog/packed.h\"\n\n", out);
    put_classes(out, catalog);
    size_t entries = put_flags(out, catalog), fields = put_rows(out, catalog);
    put_libraries(out, catalog);
    put_words(out);
    fprintf(out,
            "const struct fth_packed_catalog fth_packed_builtin = {words, %zu, %zu, %zu, %zu, %zu, "
            "%zu, classes, flags, entries, fields, rows, libraries, 0x%" PRIx64 "u};\n",
            catalog->class_count, catalog->flags_count, entries, fields, catalog->row_count,
            catalog->library_count, hash_catalog(catalog));
    free(kept);
    free(places);
    free(known.slots);
}
