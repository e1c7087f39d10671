/* The file with the wrappers of a library that is bound when it is seen: what is around them. */
#include "catalog/generate/generate.h"

#include <string.h>

enum { MOST_ASKED = 64 };

static bool is_bound_in(const struct fth_row *row, const struct fth_library *library)
{
    return strcmp(row->library, library->name) == 0 && !(row->flags & FTH_CALL_BY_HAND);
}

/* `struct x` named in prototypes, declared once. */
void declare_structs(FILE *out, const struct fth_catalog *catalog)
{
    char seen[4096] = " ";
    for (size_t i = 0; i < catalog->row_count; i++)
        for (size_t j = 0; j <= catalog->rows[i].field_count; j++) {
            const struct fth_row *row = &catalog->rows[i];
            const char *type = j < row->field_count ? row->fields[j].type : row->result.type;
            const char *tag = strstr(type, "struct ");
            char word[64];
            if (!tag || sscanf(tag + 7, "%60[a-zA-Z0-9_]", word) != 1)
                continue;
            strcat(word, " ");
            char spaced[66] = " ";
            strcat(spaced, word);
            if (strstr(seen, spaced) || strlen(seen) + sizeof word > sizeof seen)
                continue;
            strcat(seen, word);
            fprintf(out, "struct %s;\n", word);
        }
}

static const struct fth_ask *ask_of(const struct fth_row *row, size_t i)
{
    return i < row->field_count ? row->fields[i].ask : row->result.ask;
}

/* Functions of the library that wrappers ask: each once, declared and in a table. */
static bool write_asked(FILE *out, const struct fth_catalog *catalog,
                        const struct fth_library *library)
{
    const struct fth_row *asked[MOST_ASKED];
    unsigned count = 0;
    for (size_t i = 0; i < catalog->row_count; i++)
        for (size_t k = 0; k <= catalog->rows[i].field_count; k++) {
            const struct fth_ask *ask = ask_of(&catalog->rows[i], k);
            const struct fth_row *row = ask ? fth_catalog_find(catalog, ask->function) : NULL;
            unsigned known = 0;
            while (known < count && asked[known] != row)
                known++;
            if (!row || known < count || strcmp(catalog->rows[i].library, library->name) != 0)
                continue;
            if (count == MOST_ASKED)
                return false;
            asked[count++] = row;
            write_asked_function(out, row);
        }
    fprintf(out, "const struct fth_asked fth_bound_asked[] = {\n");
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "    {\"%s\", (void **)&asked_%s},\n", asked[i]->name, asked[i]->name);
    fprintf(out, "    {NULL, NULL},\n};\n");
    return true;
}

/* The tables that bind the wrappers (capture/wrap/wrap_bound.h). */
static void write_bound(FILE *out, const struct fth_catalog *catalog,
                        const struct fth_library *library)
{
    const char *first = NULL;
    size_t common = 0; /* letters that all names begin with */
    fprintf(out, "\nconst struct fth_bound_call fth_bound_calls[] = {\n");
    for (size_t i = 0; i < catalog->row_count; i++) {
        const char *name = catalog->rows[i].name;
        if (!is_bound_in(&catalog->rows[i], library))
            continue;
        fprintf(out, "    {\"%s\", (void *)wrap_%s, (void **)&real_%s, ", name, name, name);
        fprintf(out, library->fortran[0] ? "(void *)fortran_%s},\n" : "NULL},\n", name);
        if (!first) {
            first = name;
            common = strlen(name);
        }
        while (strncmp(first, name, common) != 0)
            common--;
    }
    fprintf(out, "};\nconst unsigned fth_bound_call_count = sizeof fth_bound_calls / sizeof "
                 "*fth_bound_calls;\n");
    fprintf(out, "const char fth_bound_prefix[] = \"%.*s\";\n", (int)common, first ? first : "");
    fprintf(out, "const char fth_bound_symbol[] = \"%s\";\n", library->symbol);
    fprintf(out, "const char *const fth_bound_words_of_fortran[] = {");
    for (int i = 0; i < 2 && library->fortran[i]; i++)
        fprintf(out, "\"%s\", ", library->fortran[i]);
    fprintf(out, "NULL};\n");
    fprintf(out, "const char fth_bound_stem[] = \"%s\";\n", library->stem);
    fprintf(out, "const bool fth_bound_itself = %s;\n", library->itself ? "true" : "false");
}

bool write_bound_wrappers(FILE *out, const struct fth_catalog *catalog,
                          const struct fth_library *library)
{
    if (!write_asked(out, catalog, library))
        return false;
    for (size_t i = 0; i < catalog->row_count; i++)
        if (is_bound_in(&catalog->rows[i], library)) {
            write_wrapper(out, catalog, &catalog->rows[i], true);
            if (library->fortran[0])
                write_entry_of_fortran(out, &catalog->rows[i]);
        }
    write_bound(out, catalog, library);
    return true;
}
