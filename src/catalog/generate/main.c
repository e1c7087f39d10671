/* fathom-generate OUT LIBC_SYMBOLS FILE.calls...: writes OUT/calls.h, calls.c, catalog_packed.c and the wrappers of each library.
 *
 * LIBC_SYMBOLS names the functions that the C library of this platform exports, one a line; rows of others are left out. */
#include "catalog/generate/generate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAYERS = 29, MOST_ASKED = 64 };

static const char *folder;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "fathom-generate: %s '%s': %s\n", what, name, strerror(errno));
    exit(1);
}

static FILE *create(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    if (!out)
        die("cannot write", path);
    fprintf(out, "/* Generated from catalog/. Do not edit. */\n");
    return out;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *in = fopen(path, "r");
    if (!in)
        die("cannot read", path);
    char *text = NULL;
    size_t size = 0;
    *length = 0;
    do {
        size = size ? size * 2 : 1 << 16;
        text = realloc(text, size);
        *length += fread(text + *length, 1, size - *length - 1, in);
    } while (!feof(in) && *length == size - 1);
    text[*length] = 0;
    fclose(in);
    return text;
}

/* ---- what the platform has ---- */

static char *symbols;

static bool platform_has(const char *name)
{
    size_t length = strlen(name);
    for (const char *at = symbols; (at = strstr(at, name)); at += length)
        if ((at == symbols || at[-1] == '\n') && (at[length] == '\n' || at[length] == 0))
            return true;
    return false;
}

const struct fth_library *bound_library(const struct fth_catalog *catalog,
                                        const struct fth_row *row)
{
    for (size_t i = 0; i < catalog->library_count; i++)
        if (strcmp(catalog->libraries[i].name, row->library) == 0)
            return &catalog->libraries[i];
    return NULL;
}

static bool is_built(const struct fth_catalog *catalog, const struct fth_row *row)
{
    if (row->flags & FTH_CALL_BY_HAND)
        return false;
    if (bound_library(catalog, row))
        return true;
    return platform_has(row->name) && (!row->via || platform_has(row->via));
}

/* ---- facts about handles and contexts ---- */

bool is_of_mpi(const struct fth_row *row)
{
    return strcmp(row->library, "mpi") == 0;
}

enum handle_form form_of(const struct fth_catalog *catalog, const struct fth_row *row,
                         const struct fth_field *field)
{
    if (fth_field_is_descriptor(catalog, field))
        return FORM_DESCRIPTOR;
    if (strstr(field->type, "FILE"))
        return FORM_STREAM;
    if (strstr(field->type, "DIR"))
        return FORM_DIRECTORY;
    return is_of_mpi(row) || strncmp(field->type, "MPI_", 4) == 0 ? FORM_FOREIGN : FORM_LIBRARY;
}

int ordinal_of(const struct fth_catalog *catalog, int class_index)
{
    int ordinal = 0;
    if (catalog->classes[class_index].form != FTH_CLASS_FILE)
        return -1;
    for (int i = 0; i < class_index; i++)
        ordinal += catalog->classes[i].form == FTH_CLASS_FILE;
    return ordinal;
}

static unsigned layer_bit(const char *layer)
{
    static const char *layers[MOST_LAYERS];
    unsigned i = 0;
    while (i < MOST_LAYERS && layers[i] && strcmp(layers[i], layer) != 0)
        i++;
    if (i == MOST_LAYERS) {
        errno = E2BIG;
        die("too many layers at", layer);
    }
    layers[i] = layer;
    return 1u << i;
}

/* What a library does to files while a request is waited for, the call that made the request has accounted for. */
static bool completes_requests(const struct fth_row *row)
{
    return (strcmp(row->kind, "wait") == 0 || strcmp(row->kind, "test") == 0) &&
           strcmp(row->layer, "mpi") == 0;
}

unsigned context_of(const struct fth_catalog *catalog, const struct fth_row *row)
{
    bool file =
        fth_kind_is_about_files(row->kind) &&
        (fth_field_with_file(catalog, row) >= 0 || fth_field_with_role(row, FTH_ROLE_PATH) >= 0 ||
         (row->flags & (FTH_CALL_ON_STDIN | FTH_CALL_ON_STDOUT)));
    if (completes_requests(row))
        return layer_bit(row->layer) | FTH_CONTEXT_FILE | FTH_CONTEXT_UNBUFFERED;
    unsigned about = !file ? 0
                     : fth_row_is_buffered(catalog, row)
                         ? FTH_CONTEXT_FILE
                         : FTH_CONTEXT_FILE | FTH_CONTEXT_UNBUFFERED;
    return layer_bit(row->layer) | about;
}

/* ---- files ---- */

static void write_header(const struct fth_catalog *catalog)
{
    FILE *out = create("calls.h");
    fprintf(out, "#ifndef FTH_CALLS_H\n#define FTH_CALLS_H\nenum {\n");
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "    FTH_CLASS_%s = %zu,\n", catalog->classes[i].name, i);
    for (size_t i = 0; i < catalog->row_count; i++)
        fprintf(out, "    FTH_CALL_%s = %zu,\n", catalog->rows[i].name, i);
    fprintf(out, "};\n");
    for (size_t i = 0; i < catalog->row_count; i++)
        fprintf(out, "#define FTH_CONTEXT_%s 0x%xu\n", catalog->rows[i].name,
                context_of(catalog, &catalog->rows[i]));
    fprintf(out, "#endif\n");
    fclose(out);
}

static bool can_be_literal(enum fth_value_part part)
{
    return part != FTH_PART_TEXT && part != FTH_PART_TEXTS && part != FTH_PART_LIST;
}

/* Bits of the values that may leave signatures: as literals, or as steps. */
static unsigned leaving_values(const struct fth_catalog *catalog, const struct fth_row *row,
                               bool as_steps)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    unsigned mask = 0;
    int count = fth_plan_values(catalog, row, plan);
    if (count < 0) {
        errno = E2BIG;
        die("too many values in", row->name);
    }
    /* A note says itself which slot it binds: readers that start in the middle compose notes without looking at literals. */
    if (strcmp(row->layer, "fathom") == 0)
        return 0;
    if (as_steps)
        return fth_plan_steps(catalog, row, plan, count);
    for (int i = 0; i < count; i++)
        if (can_be_literal(plan[i].part))
            mask |= 1u << i;
    return mask;
}

static void write_leaving_values(FILE *out, const struct fth_catalog *catalog, const char *name,
                                 bool as_steps)
{
    fprintf(out, "extern const uint32_t %s[];\nconst uint32_t %s[] = {\n", name, name);
    for (size_t i = 0; i < catalog->row_count; i++)
        fprintf(out, "    0x%x, /* %s */\n", leaving_values(catalog, &catalog->rows[i], as_steps),
                catalog->rows[i].name);
    fprintf(out, "};\n");
}

uint64_t hash_catalog(const struct fth_catalog *catalog)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < catalog->row_count; i++)
        for (const char *at = catalog->rows[i].text; *at; at++)
            hash = (hash ^ (uint8_t)*at) * 0x100000001b3u;
    return hash;
}

/* Does it make or give up handles that have a path or a name? */
static bool binds(const struct fth_catalog *catalog, const struct fth_row *row)
{
    for (size_t i = 0; i <= row->field_count; i++) {
        const struct fth_field *field = i < row->field_count ? &row->fields[i] : &row->result;
        if ((field->role == FTH_ROLE_NEW || field->role == FTH_ROLE_CLOSE) &&
            catalog->classes[field->class_index].form != FTH_CLASS_ANONYMOUS)
            return true;
    }
    return false;
}

/* What wrappers may ask the linker for: capture/hand.c. One text with zeros between, since pointers would have to be relocated. */
static void write_real_names(FILE *out, const struct fth_catalog *catalog)
{
    unsigned count = 0;
    fprintf(out, "const char fth_real_names[] =\n");
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        const char *name = row->via ? row->via : row->name;
        if (bound_library(catalog, row) || !platform_has(name))
            continue;
        fprintf(out, "    \"%s\\0\"\n", name);
        count++;
    }
    fprintf(out, "    ;\nvoid *fth_reals[%u];\nconst unsigned fth_real_count = %u;\n", count,
            count);
}

/* Those that may come: capture/libraries.c. */
static void write_libraries(FILE *out, const struct fth_catalog *catalog)
{
    fprintf(out, "const struct fth_known_library fth_known_libraries[FTH_KNOWN_LIBRARIES] = {\n");
    for (size_t i = 0; i < catalog->library_count; i++) {
        const struct fth_library *library = &catalog->libraries[i];
        const char *quote = library->needs ? "\"" : "";
        fprintf(out, "    {\"%s\", \"%s\", \"%s\", %s%s%s},\n", library->name, library->stem,
                library->symbol, quote, library->needs ? library->needs : "NULL", quote);
    }
    fprintf(out, "};\nconst unsigned fth_known_library_count = %zu;\n", catalog->library_count);
}

/* Does it move bytes to or from the buffer of a stream of the C library? */
static bool moves_stream(const struct fth_catalog *catalog, const struct fth_row *row)
{
    return is_data_call(row) && fth_row_is_buffered(catalog, row) && !bound_library(catalog, row);
}

/* The rows, and one text with their words: the name of each function, and that of its layer where another one begins. */
static void write_infos(FILE *out, const struct fth_catalog *catalog)
{
    const char *layer = "";
    size_t end = 0, layer_at = 0;
    fprintf(out, "const struct fth_call_info fth_call_infos[] = {\n");
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (strcmp(row->layer, layer) != 0) {
            layer = row->layer;
            layer_at = end;
            end += strlen(layer) + 1;
        }
        fprintf(out, "    {%zu, %zu, %u, %d, %d},\n", end, layer_at, row->flags,
                binds(catalog, row), moves_stream(catalog, row));
        end += strlen(row->name) + 1;
    }
    fprintf(out, "};\nconst char fth_call_words[] =\n");
    layer = "";
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (strcmp(row->layer, layer) != 0)
            fprintf(out, "    \"%s\\0\"\n", layer = row->layer);
        fprintf(out, "    \"%s\\0\"\n", row->name);
    }
}

static void write_tables(const struct fth_catalog *catalog)
{
    FILE *out = create("calls.c");
    fprintf(out, "#include \"calls.h\"\n#include \"capture/bind.h\"\n"
                 "#include \"capture/process.h\"\n\n");
    write_infos(out, catalog);
    fprintf(out, "    ;\nconst unsigned fth_call_count = %zu;\n", catalog->row_count);
    write_leaving_values(out, catalog, "fth_literal_values", false);
    write_leaving_values(out, catalog, "fth_step_values", true);
    fprintf(out, "const uint64_t fth_catalog_hash = 0x%llxu;\n",
            (unsigned long long)hash_catalog(catalog));
    fprintf(out, "extern const unsigned fth_note_bind, fth_note_cwd;\n"
                 "const unsigned fth_note_bind = FTH_CALL_fathom_bind, fth_note_cwd = "
                 "FTH_CALL_fathom_cwd;\n");
    fprintf(out,
            "extern const char *const fth_class_names[];\nconst char *const fth_class_names[] = {");
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "\"%s\", ", catalog->classes[i].name);
    fprintf(out,
            "};\nextern const uint8_t fth_class_forms[];\nconst uint8_t fth_class_forms[] = {");
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "%d, ", catalog->classes[i].form);
    fprintf(out, "};\nconst int8_t fth_class_ordinals[] = {");
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "%d, ", ordinal_of(catalog, (int)i));
    fprintf(out, "};\n");
    write_libraries(out, catalog);
    write_real_names(out, catalog);
    fclose(out);
}

/* `struct x` named in prototypes, declared once. */
static void declare_structs(FILE *out, const struct fth_catalog *catalog)
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

static bool is_wrapped_in(const struct fth_catalog *catalog, const struct fth_row *row,
                          const char *library)
{
    return strcmp(row->library, library) == 0 && is_built(catalog, row);
}

static const struct fth_ask *ask_of(const struct fth_row *row, size_t i)
{
    return i < row->field_count ? row->fields[i].ask : row->result.ask;
}

/* Functions of the library that wrappers ask: each once, declared and in a table. */
static void write_asked(FILE *out, const struct fth_catalog *catalog,
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
            if (count == MOST_ASKED) {
                errno = E2BIG;
                die("too many functions are asked in", library->name);
            }
            asked[count++] = row;
            write_asked_function(out, row);
        }
    fprintf(out, "const struct fth_asked fth_bound_asked[] = {\n");
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "    {\"%s\", (void **)&asked_%s},\n", asked[i]->name, asked[i]->name);
    fprintf(out, "    {NULL, NULL},\n};\n");
}

/* The tables that bind the wrappers (capture/wrap_bound.h). */
static void write_bound(FILE *out, const struct fth_catalog *catalog,
                        const struct fth_library *library)
{
    const char *first = NULL;
    size_t common = 0; /* letters that all names begin with */
    fprintf(out, "\nconst struct fth_bound_call fth_bound_calls[] = {\n");
    for (size_t i = 0; i < catalog->row_count; i++) {
        const char *name = catalog->rows[i].name;
        if (!is_wrapped_in(catalog, &catalog->rows[i], library->name))
            continue;
        fprintf(out, "    {\"%s\", (void *)wrap_%s, (void **)&real_%s},\n", name, name, name);
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
    fprintf(out, "const bool fth_bound_itself = %s;\n", library->itself ? "true" : "false");
}

/* `library`: that it is bound in; NULL: the wrappers are preloaded. */
static void write_wrappers(const struct fth_catalog *catalog, const char *name,
                           const struct fth_library *library)
{
    char file[64];
    snprintf(file, sizeof file, "wrap_%s.c", name);
    FILE *out = create(file);
    fprintf(out, "#include \"calls.h\"\n#include \"capture/wrap_%s.h\"\n\n", name);
    declare_structs(out, catalog);
    if (library)
        write_asked(out, catalog, library);
    for (size_t i = 0; i < catalog->row_count; i++)
        if (is_wrapped_in(catalog, &catalog->rows[i], name))
            write_wrapper(out, catalog, &catalog->rows[i], library != NULL);
    if (library)
        write_bound(out, catalog, library);
    fclose(out);
}

static void write_fortran(const struct fth_catalog *catalog)
{
    FILE *out = create("wrap_fortran.c");
    fprintf(out, "#include \"calls.h\"\n#include \"capture/mpi/fortran.h\"\n\n");
    for (size_t i = 0; i < catalog->row_count; i++)
        if (has_fortran(&catalog->rows[i]))
            write_fortran_wrappers(out, catalog, &catalog->rows[i]);
    fprintf(out, "\nconst struct fth_bound_call fth_fortran_calls[] = {\n");
    for (size_t i = 0; i < catalog->row_count; i++)
        if (has_fortran(&catalog->rows[i]))
            write_fortran_names(out, catalog, &catalog->rows[i]);
    fprintf(out, "};\nconst unsigned fth_fortran_call_count = sizeof fth_fortran_calls / sizeof "
                 "*fth_fortran_calls;\n");
    fclose(out);
}

/* In a wrapper, `result` is what the function returns. */
static void rename_results(struct fth_catalog *catalog)
{
    static char other_name[] = "result_";
    for (size_t i = 0; i < catalog->row_count; i++)
        for (size_t j = 0; j < catalog->rows[i].field_count; j++)
            if (strcmp(catalog->rows[i].fields[j].name, "result") == 0)
                catalog->rows[i].fields[j].name = other_name;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: fathom-generate OUT LIBC_SYMBOLS FILE.calls...\n");
        return 1;
    }
    folder = argv[1];
    size_t length;
    symbols = read_file(argv[2], &length);
    if (!platform_has("open")) {
        fprintf(stderr, "fathom-generate: '%s' does not name the functions of the C library\n",
                argv[2]);
        return 1;
    }
    struct fth_catalog catalog = {0};
    struct fth_error *error = NULL;
    for (int i = 3; i < argc; i++)
        if (fth_catalog_parse_file(&catalog, argv[i], &error) != 0) {
            fprintf(stderr, "%s\n", fth_error_text(error));
            return 1;
        }
    FILE *packed = create("catalog_packed.c");
    write_packed(packed, &catalog);
    fclose(packed);
    rename_results(&catalog);
    write_header(&catalog);
    write_tables(&catalog);
    write_wrappers(&catalog, "libc", NULL);
    write_wrappers(&catalog, "pthread", NULL);
    for (size_t i = 0; i < catalog.library_count; i++)
        write_wrappers(&catalog, catalog.libraries[i].name, &catalog.libraries[i]);
    write_fortran(&catalog);
    fth_catalog_free(&catalog);
    return 0;
}
