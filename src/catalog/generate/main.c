/* fathom-generate OUT LIBC_SYMBOLS FILE.calls...: writes OUT/calls.h, calls.c, catalog_packed.c,
 * layer_tables.c and the wrappers of each library. fathom-generate --build OUT FILE...: writes
 * OUT/build.h.
 *
 * LIBC_SYMBOLS names the functions that the C library of this platform exports, one a line; rows of
 * others are left out. FTH_BUILD of build.h is another one when one of the FILEs is: plug-ins were
 * made by this build, or they are refused. */
#include "catalog/generate/generate.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
        text = fth_resize(text, size, 1);
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

static bool is_built(const struct fth_catalog *catalog, const struct fth_row *row)
{
    if (row->flags & FTH_CALL_BY_HAND)
        return false;
    if (bound_library(catalog, row))
        return true;
    return platform_has(row->name) && (!row->via || platform_has(row->via));
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
                layer_bit(catalog, catalog->rows[i].layer) |
                    files_of_context(catalog, &catalog->rows[i]));
    fprintf(out, "#endif\n");
    fclose(out);
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

/* What wrappers may ask the linker for: capture/wrap/fork.c. One text with zeros between, since
 * pointers would have to be relocated. */
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

/* Those that may come: interpose/reach/libraries.c. */
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

/* The rows, and one text with their words: the name of each function, and that of its layer where
 * another one begins. */
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
        fprintf(out, "    {%zu, %zu, %u, %d, %d, %u},\n", end, layer_at, row->flags,
                binds(catalog, row), moves_stream(catalog, row), watched_as(row));
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

static int count_layers(const struct fth_catalog *catalog)
{
    int most = 0;
    for (size_t i = 0; i < catalog->row_count; i++) {
        int place = __builtin_ctz(layer_bit(catalog, catalog->rows[i].layer));
        most = place > most ? place : most;
    }
    return most + 1;
}

/* With room for those of plug-ins. */
static void write_classes(FILE *out, const struct fth_catalog *catalog)
{
    int files = 0;
    fprintf(out, "extern const char *fth_class_names[];\n"
                 "const char *fth_class_names[FTH_CLASSES] = {");
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "\"%s\", ", catalog->classes[i].name);
    fprintf(out, "};\nextern uint8_t fth_class_forms[];\n"
                 "uint8_t fth_class_forms[FTH_CLASSES] = {");
    for (size_t i = 0; i < catalog->class_count; i++) {
        fprintf(out, "%d, ", catalog->classes[i].form);
        files += catalog->classes[i].form == FTH_CLASS_FILE;
    }
    fprintf(out, "};\nint8_t fth_class_ordinals[FTH_CLASSES] = {");
    for (size_t i = 0; i < catalog->class_count; i++)
        fprintf(out, "%d, ", ordinal_of(catalog, (int)i));
    fprintf(out,
            "};\nextern const unsigned fth_class_count, fth_file_class_count, fth_layer_count;\n"
            "const unsigned fth_class_count = %zu, fth_file_class_count = %d, "
            "fth_layer_count = %d;\n"
            "_Static_assert(%zu <= FTH_CLASSES && %d <= FTH_FILE_CLASSES, \"room for classes\");\n",
            catalog->class_count, files, count_layers(catalog), catalog->class_count, files);
}

static void write_tables(const struct fth_catalog *catalog)
{
    FILE *out = create("calls.c");
    fprintf(out, "#include \"calls.h\"\n#include \"interpose/reach/libraries.h\"\n"
                 "#include \"capture/process/catalogue.h\"\n\n");
    write_infos(out, catalog);
    fprintf(out, "    ;\nconst unsigned fth_call_count = %zu;\n", catalog->row_count);
    write_leaving_values(out, catalog, "fth_literal_values", false);
    write_leaving_values(out, catalog, "fth_step_values", true);
    fprintf(out, "const uint64_t fth_catalog_hash = 0x%llxu;\n",
            (unsigned long long)hash_catalog(catalog));
    fprintf(
        out,
        "extern const unsigned fth_note_bind, fth_note_cwd, fth_note_contents, fth_note_stood;\n"
        "const unsigned fth_note_bind = FTH_CALL_fathom_bind, fth_note_cwd = "
        "FTH_CALL_fathom_cwd, fth_note_contents = FTH_CALL_fathom_contents, "
        "fth_note_stood = FTH_CALL_fathom_stood;\n");
    write_classes(out, catalog);
    write_libraries(out, catalog);
    write_real_names(out, catalog);
    fclose(out);
}

static bool is_wrapped_in(const struct fth_catalog *catalog, const struct fth_row *row,
                          const char *library)
{
    return strcmp(row->library, library) == 0 && is_built(catalog, row);
}

static bool is_by_hand(const struct fth_row *row)
{
    return row->flags & FTH_CALL_BY_HAND && strcmp(row->library, "libc") == 0;
}

/* What a processor does not have is left out. */
static void write_system_function(FILE *out, const struct fth_catalog *catalog,
                                  const struct fth_row *row)
{
    bool by_hand = is_by_hand(row);
    if (!(row->flags & FTH_CALL_SYSTEM) || (!by_hand && !is_wrapped_in(catalog, row, "libc")))
        return;
    fprintf(out, "#ifdef SYS_%s\n    {SYS_%s, ", row->name, row->name);
    if (by_hand)
        fprintf(out, "NULL, (void *)fth_hand_%s, %s", row->name,
                strstr(row->result.type, "size_t") ? "false" : "true");
    else
        fprintf(out, "number_%s, NULL, false", row->name);
    fputs("},\n#endif\n", out);
}

/* Which system calls are functions of the catalogue: capture/wrap/by_number.c. Of those that are
 * written by hand only the address is needed. */
static void write_system_functions(FILE *out, const struct fth_catalog *catalog)
{
    fprintf(out, "\n#include \"capture/wrap/by_number.h\"\n#include <sys/syscall.h>\n\n");
    for (size_t i = 0; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (row->flags & FTH_CALL_SYSTEM && is_by_hand(row))
            fprintf(out, "void fth_hand_%s(void) __asm__(\"%s\");\n", row->name, row->name);
        else if (row->flags & FTH_CALL_SYSTEM && is_wrapped_in(catalog, row, "libc")) {
            fprintf(out, "#ifdef SYS_%s\n", row->name);
            write_wrapper_by_number(out, catalog, row);
            fputs("#endif\n", out);
        }
    }
    fprintf(out, "\nconst struct fth_system_function fth_system_functions[] = {\n");
    for (size_t i = 0; i < catalog->row_count; i++)
        write_system_function(out, catalog, &catalog->rows[i]);
    fprintf(out, "};\nconst unsigned fth_system_function_count = sizeof fth_system_functions / "
                 "sizeof *fth_system_functions;\n");
}

/* `library`: that it is bound in; NULL: the wrappers are preloaded. */
static void write_wrappers(const struct fth_catalog *catalog, const char *name,
                           const struct fth_library *library)
{
    char file[64];
    snprintf(file, sizeof file, "wrap_%s.c", name);
    FILE *out = create(file);
    fprintf(out, "#include \"calls.h\"\n#include \"capture/wrap/wrap_%s.h\"\n\n", name);
    declare_structs(out, catalog);
    if (library && !write_bound_wrappers(out, catalog, library)) {
        errno = E2BIG;
        die("too many functions are asked in", name);
    }
    for (size_t i = 0; i < catalog->row_count && !library; i++)
        if (is_wrapped_in(catalog, &catalog->rows[i], name))
            write_wrapper(out, catalog, &catalog->rows[i], false);
    if (strcmp(name, "libc") == 0)
        write_system_functions(out, catalog);
    fclose(out);
}

/* The functions of a library, for programs that are linked with it statically:
 * capture/static/assemble. */
static void write_names(const struct fth_catalog *catalog, const char *library)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.names", folder, library);
    FILE *out = fopen(path, "w");
    if (!out)
        die("cannot write", path);
    for (size_t i = 0; i < catalog->row_count; i++)
        if (is_wrapped_in(catalog, &catalog->rows[i], library))
            fprintf(out, "%s\n", catalog->rows[i].name);
    fclose(out);
}

static void write_fortran(const struct fth_catalog *catalog)
{
    FILE *out = create("wrap_fortran.c");
    fprintf(out, "#include \"calls.h\"\n#include \"capture/mpi/fortran_arguments.h\"\n\n");
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

static void write_build(char **files)
{
    uint64_t build = FTH_HASH_START;
    for (; *files; files++) {
        size_t length;
        char *text = read_file(*files, &length);
        build = fth_hash_bytes(build, text, length);
        free(text);
    }
    FILE *out = create("build.h");
    fprintf(out, "#define FTH_BUILD UINT64_C(0x%llx)\n", (unsigned long long)build);
    fclose(out);
}

/* What the tracer has room for. */
static void check(const struct fth_catalog *catalog)
{
    struct fth_value_plan plan[FTH_MOST_VALUES];
    errno = E2BIG;
    for (size_t i = 0; i < catalog->row_count; i++) {
        if (fth_plan_values(catalog, &catalog->rows[i], plan) < 0)
            die("too many values in", catalog->rows[i].name);
        if (!layer_bit(catalog, catalog->rows[i].layer))
            die("too many layers at", catalog->rows[i].layer);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: fathom-generate OUT LIBC_SYMBOLS FILE.calls...\n");
        return 1;
    }
    if (strcmp(argv[1], "--build") == 0) {
        folder = argv[2];
        write_build(argv + 3);
        return 0;
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
    if (check_layers(&catalog, &error)) {
        fprintf(stderr, "%s\n", fth_error_text(error));
        return 1;
    }
    check(&catalog);
    FILE *packed = create("catalog_packed.c");
    write_packed(packed, &catalog);
    fclose(packed);
    FILE *layers = create("layer_tables.c");
    write_layers(layers, &catalog);
    fclose(layers);
    rename_parameters(&catalog);
    write_header(&catalog);
    write_tables(&catalog);
    write_wrappers(&catalog, "libc", NULL);
    write_wrappers(&catalog, "pthread", NULL);
    for (size_t i = 0; i < catalog.library_count; i++) {
        write_wrappers(&catalog, catalog.libraries[i].name, &catalog.libraries[i]);
        write_names(&catalog, catalog.libraries[i].name);
    }
    write_fortran(&catalog);
    fth_catalog_free(&catalog);
    return 0;
}
