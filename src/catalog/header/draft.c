/* A first `.calls` file of a header: the lines in front of the rows, the rows (draft_rows.c), and
 * what was left out. */
#include "catalog/header/draft.h"

#include "base/memory.h"
#include "catalog/packed.h"
#include "catalog/values.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void name_class(struct fth_calls_draft *draft, struct fth_draft_class *class,
                       const char *library)
{
    const char *space = strrchr(class->word, ' '), *word = space ? space + 1 : class->word;
    size_t length = 0;
    for (; *word && length < sizeof class->name - 8; word++)
        class->name[length++] = (char)tolower((unsigned char)*word);
    if (length > 2 && strcmp(class->name + length - 2, "_t") == 0)
        length -= 2;
    class->name[length] = 0;
    bool taken = false;
    for (size_t i = 0; i < draft->catalog.class_count; i++)
        taken = taken || strcmp(draft->catalog.classes[i].name, class->name) == 0;
    for (struct fth_draft_class *other = draft->classes; other < class; other++)
        taken = taken || strcmp(other->name, class->name) == 0;
    if (taken || isdigit((unsigned char)class->name[0])) {
        char copy[64];
        snprintf(copy, sizeof copy, "%.20s_%.40s", library, class->name);
        strcpy(class->name, copy);
    }
}

/* The header itself, and what stands beside it unless that is where all headers of the system
 * are. */
static bool is_wanted(const char *file, void *context)
{
    const struct fth_calls_draft *draft = context;
    if (strcmp(file, draft->header) == 0)
        return true;
    const char *slash = strrchr(file, '/');
    return draft->folder && slash && strlen(draft->folder) == (size_t)(slash - file) &&
           strncmp(draft->folder, file, (size_t)(slash - file)) == 0;
}

static void take(const struct fth_c_function *function, void *context)
{
    struct fth_calls_draft *draft = context;
    for (size_t i = 0; i < draft->count; i++)
        if (strcmp(draft->functions[i].name, function->name) == 0)
            return;
    FTH_GROW(draft->functions, draft->count);
    draft->functions[draft->count++] = *function;
}

static bool is_of_system(const char *folder)
{
    return strcmp(folder, "/usr/include") == 0 || strcmp(folder, "/usr/local/include") == 0 ||
           strncmp(folder, "/usr/include/x86_64-linux-gnu", 29) == 0 ||
           strncmp(folder, "/usr/include/aarch64-linux-gnu", 30) == 0;
}

/* "/usr/include/kv.h": folder "/usr/include", name "kv". */
static void split(struct fth_calls_draft *draft, char *name, size_t size, char *folder,
                  size_t folder_size)
{
    const char *slash = strrchr(draft->header, '/'), *base = slash ? slash + 1 : draft->header;
    const char *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    snprintf(name, size, "%.*s", (int)length, base);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    snprintf(folder, folder_size, "%.*s", slash ? (int)(slash - draft->header) : 1,
             slash ? draft->header : ".");
    draft->folder = slash && !is_of_system(folder) ? folder : NULL;
}

static void put(struct fth_sink *to, const char *one, const char *two, const char *three)
{
    fth_sink_text(to, one);
    fth_sink_text(to, two);
    fth_sink_text(to, three);
}

/* Lines in front of the rows. The catalogue must know the classes before rows are tried. */
static void put_head(struct fth_calls_draft *draft, struct fth_sink *to, const char *name,
                     const char *folder)
{
    struct fth_error *error = NULL;
    const char *slash = strrchr(draft->header, '/'), *base = slash ? slash + 1 : draft->header;
    bool system = slash && is_of_system(folder);
    const char *symbol = "";
    char stem[128];
    size_t length = strlen(name);
    snprintf(stem, sizeof stem, "%s", strncmp(name, "lib", 3) == 0 ? name + 3 : name);
    if (length > 3 && strcmp(name + length - 3, "lib") == 0) /* that of zlib.h is libz */
        stem[length - 3] = 0;
    for (size_t i = 0; i < draft->count && !*symbol; i++)
        if (!draft->functions[i].problem)
            symbol = draft->functions[i].name;
    put(to, "# A draft by `fathom wrap --from ", base,
        "`. Whatever is marked \"guessed\" was derived from names and types alone:\n"
        "# review it, correct it, and delete what is of no interest. fathom-wrap(1) explains the "
        "roles.\n"
        "\n");
    put(to, "include ", system ? "<" : "\"", base);
    put(to, system ? ">" : "\"", "\n\n# The library is assumed to be lib", stem);
    put(to, ".so, and to define the function at the end of the line: check both.\n", "library ",
        name);
    put(to, " lib", stem, " ");
    put(to, symbol, "\nlayer ", name);
    draft->behind_layer = to->used;
    fth_sink_text(to, "\n\n");
    size_t lines = to->used;
    for (size_t i = 0; i < draft->class_count; i++) {
        struct fth_draft_class *class = &draft->classes[i];
        if (!fth_draft_is_class(class))
            continue;
        name_class(draft, class, name);
        put(to, "class ", class->name, class->has_path ? " file buffered" : " object");
        put(to, "  # guessed: of ", class->word, class->stars ? " *" : "");
        fth_sink_char(to, '\n');
    }
    if (draft->class_count && to->used > lines)
        fth_sink_char(to, '\n');
    if (fth_catalog_parse(&draft->catalog, "draft", to->bytes, to->used, &error))
        fth_error_free(error);
}

/* The first row of this kind, about a file; NULL: there is none. */
static const char *function_of(const struct fth_catalog *catalog, const char *kind)
{
    for (size_t i = catalog->given_rows; i < catalog->row_count; i++) {
        const struct fth_row *row = &catalog->rows[i];
        if (strcmp(row->kind, kind) == 0 && fth_row_is_buffered(catalog, row))
            return row->name;
    }
    return NULL;
}

/* The function that closes what `open` opens: that of the same name but for the word, or the first
 * one. */
static const char *close_of(const struct fth_catalog *catalog, const char *open)
{
    const char *word = strstr(open, "open");
    char name[128];
    int length = word ? snprintf(name, sizeof name, "%.*sclose%s", (int)(word - open), open,
                                 word + strlen("open"))
                      : 0;
    const struct fth_row *row =
        length > 0 && (size_t)length < sizeof name ? fth_catalog_find(catalog, name) : NULL;
    return row && strcmp(row->kind, "close") == 0 ? row->name : function_of(catalog, "close");
}

/* What advice needs of the layer, if its functions open files. */
static void put_layer_facts(const struct fth_calls_draft *draft, struct fth_sink *to)
{
    const char *sync = function_of(&draft->catalog, "sync");
    const char *open = NULL;
    for (size_t i = draft->catalog.given_rows; i < draft->catalog.row_count && !open; i++) {
        const struct fth_row *row = &draft->catalog.rows[i];
        if (strcmp(row->kind, "open") == 0 && fth_field_with_role(row, FTH_ROLE_PATH) >= 0)
            open = row->name;
    }
    if (!open)
        return;
    const char *close = close_of(&draft->catalog, open);
    put(to, "\n    accesses files\n    open with ", open, "");
    put(to, close ? " close with " : "", close ? close : "", "");
    put(to, sync ? " flush with " : "", sync ? sync : "", "  # guessed");
}

char *fth_header_draft(const char *header, const char *text, size_t length,
                       struct fth_header_counts *counts)
{
    struct fth_calls_draft *draft = fth_new(1, sizeof *draft);
    struct fth_c_tokens tokens;
    struct fth_sink all, head;
    char name[128], folder[4096], *result = NULL;
    draft->header = header;
    split(draft, name, sizeof name, folder, sizeof folder);
    if (fth_catalog_begin_with(&draft->catalog, &fth_packed_builtin)) {
        free(draft);
        return NULL;
    }
    fth_c_tokenize(text, length, &draft->arena, &tokens);
    fth_c_declarations(&tokens, &draft->arena, is_wanted, take, draft);
    fth_draft_count_handles(draft);
    fth_sink_open_memory(&all);
    fth_sink_open_memory(&draft->rows);
    fth_sink_open_memory(&draft->left_out);
    fth_sink_open_memory(&head);
    put_head(draft, &head, name, folder);
    for (size_t i = 0; i < draft->count; i++)
        fth_draft_add_row(draft, &draft->functions[i]);
    fth_sink_bytes(&all, head.bytes, draft->behind_layer);
    put_layer_facts(draft, &all);
    fth_sink_bytes(&all, head.bytes + draft->behind_layer, head.used - draft->behind_layer);
    fth_sink_bytes(&all, draft->rows.bytes, draft->rows.used);
    if (draft->counts.left_out)
        put(&all, "\n# Not wrapped:\n", "", "");
    fth_sink_bytes(&all, draft->left_out.bytes, draft->left_out.used);
    if (!all.failed && !head.failed)
        result = strndup(all.bytes, all.used);
    *counts = draft->counts;
    fth_sink_close_memory(&all);
    fth_sink_close_memory(&head);
    fth_sink_close_memory(&draft->rows);
    fth_sink_close_memory(&draft->left_out);
    fth_c_tokens_free(&tokens);
    fth_arena_free(&draft->arena);
    fth_catalog_free(&draft->catalog);
    free(draft->functions);
    free(draft);
    return result;
}
