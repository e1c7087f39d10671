/* The probes of a setup, file by file. */
#include "instrument/instrument.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/text_file.h"
#include "instrument/compile_commands.h"
#include "instrument/instrumented_source.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- trees ---- */

void fth_instrument_trees_plan(struct fth_instrument_trees *trees,
                               const struct fth_instrument_setup *setup, const char *folder)
{
    *trees = (struct fth_instrument_trees){0};
    for (size_t i = 0; i < setup->layer_count; i++) {
        const struct fth_instrument_layer *layer = &setup->layers[i];
        size_t known = 0;
        while (known < trees->count && strcmp(trees->list[known].original, layer->sources) != 0)
            known++;
        struct fth_instrument_tree *tree = &trees->list[known];
        if (known == trees->count) {
            tree->original = layer->sources;
            tree->copy = fth_text_format("%s/%s", folder, layer->word);
            trees->count++;
        }
        tree->build = layer->build ? layer->build : tree->build;
    }
}

int fth_instrument_tree_built(struct fth_instrument_tree *tree, const char *trace,
                              struct fth_error **error)
{
    tree->commands = fth_new(1, sizeof *tree->commands);
    return fth_compile_commands_read(tree->commands, trace, error);
}

const struct fth_instrument_tree *fth_instrument_tree_of(const struct fth_instrument_trees *trees,
                                                         const struct fth_instrument_layer *layer)
{
    for (size_t i = 0; i < trees->count; i++)
        if (!strcmp(trees->list[i].original, layer->sources))
            return &trees->list[i];
    return NULL;
}

void fth_instrument_trees_free(struct fth_instrument_trees *trees)
{
    for (size_t i = 0; i < trees->count; i++) {
        if (trees->list[i].commands)
            fth_compile_commands_free(trees->list[i].commands);
        free(trees->list[i].commands);
        free(trees->list[i].copy);
    }
    trees->count = 0;
}

/* ---- probes ---- */

/* A file that gets probes. */
struct file {
    char *path, *shown;
    const struct fth_instrument_tree *tree;
    const struct fth_probe_list *list; /* of its first entry */
    struct fth_probe_target *targets;
    size_t count;
};

struct applying {
    const struct fth_instrument_setup *setup;
    const struct fth_instrument_trees *trees;
    const char *header;
    struct fth_probe_list *lists; /* one for each file of the setup */
    size_t **found;               /* by list and entry */
    struct file *files;
    size_t file_count;
    struct fth_probe_rows rows;
    struct fth_instrument_result *result;
    struct fth_error **error;
};

static char *read_whole(const char *path, size_t *length, struct fth_error **error)
{
    enum { MOST_BYTES = 16 << 20 };
    FILE *file = fth_text_file(path, MOST_BYTES, error);
    if (!file)
        return NULL;
    char *text = fth_new(MOST_BYTES + 1, 1);
    *length = fread(text, 1, MOST_BYTES, file);
    fclose(file);
    return text;
}

static int read_list(struct fth_probe_list *list, const char *path, struct fth_error **error)
{
    size_t length;
    char *text = read_whole(path, &length, error);
    int result = text ? fth_probe_file_parse(list, path, text, length, error) : -1;
    free(text);
    return result;
}

static const struct fth_instrument_layer *layer_of(const struct fth_instrument_setup *setup,
                                                   const struct fth_probe_list *list,
                                                   const struct fth_probe_entry *entry,
                                                   struct fth_error **error)
{
    const struct fth_instrument_layer *layer = fth_instrument_setup_layer(setup, entry->layer);
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < setup->layer_count && !layer; i++)
        if (fth_is_nearer(entry->layer, setup->layers[i].word, &least))
            nearest = setup->layers[i].word;
    if (!layer)
        fth_probe_entry_fail(list, entry, error, "the stack in %s has no layer '%s'%s%s%s",
                             setup->path, entry->layer, nearest ? "; did you mean '" : "",
                             nearest ? nearest : "", nearest ? "'?" : "");
    return layer;
}

static bool is_wanted(const struct fth_instrument_setup *setup, const struct fth_probe_entry *entry)
{
    return (entry->of_class != FTH_PROBE_WRITE || setup->writes) &&
           (entry->of_class != FTH_PROBE_READ || setup->reads);
}

static int check_list(const struct fth_instrument_setup *setup, const struct fth_probe_list *list,
                      struct fth_error **error)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct fth_probe_entry *entry = &list->entries[i];
        const struct fth_instrument_layer *layer = layer_of(setup, list, entry, error);
        struct fth_probe_code code;
        if (!layer)
            return -1;
        if (!entry->source && !layer->files.count)
            return fth_probe_entry_fail(list, entry, error,
                                        "the entry names no file; name one, or give the layer %s "
                                        "'files' in %s, where such probes go",
                                        layer->word, setup->path);
        if (!entry->source && layer->files.count > 1 && entry->anchor != FTH_ANCHOR_TEXT &&
            entry->anchor != FTH_ANCHOR_LINE)
            return fth_probe_entry_fail(list, entry, error,
                                        "the entry names no file, and the layer %s has %zu; name "
                                        "the one that it is about",
                                        layer->word, layer->files.count);
        int result = fth_probe_code_find(&code, setup->library, list, entry, error);
        fth_probe_code_free(&code);
        if (result)
            return -1;
    }
    return 0;
}

int fth_instrument_check_probes(const struct fth_instrument_setup *setup, struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; i < setup->probes.count && !result; i++) {
        struct fth_probe_list list = {0};
        result = read_list(&list, setup->probes.list[i], error);
        if (!result)
            result = check_list(setup, &list, error);
        fth_probe_list_free(&list);
    }
    return result;
}

static void renew_files(const struct fth_instrument_setup *setup,
                        const struct fth_instrument_tree *tree, const struct fth_probe_entry *entry)
{
    const struct fth_instrument_layer *layer = fth_instrument_setup_layer(setup, entry->layer);
    size_t count = entry->source ? 1 : layer ? layer->files.count : 0;
    if (!layer || strcmp(layer->sources, tree->original) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        char *path = fth_text_format("%s/%s", tree->copy,
                                     entry->source ? entry->source : layer->files.list[i]);
        utimensat(AT_FDCWD, path, NULL, 0); /* one that is not there is reported later */
        free(path);
    }
}

int fth_instrument_tree_renew(const struct fth_instrument_setup *setup,
                              const struct fth_instrument_tree *tree, struct fth_error **error)
{
    int result = 0;
    for (size_t i = 0; i < setup->probes.count && !result; i++) {
        struct fth_probe_list list = {0};
        result = read_list(&list, setup->probes.list[i], error);
        for (size_t k = 0; k < list.count && !result; k++)
            renew_files(setup, tree, &list.entries[k]);
        fth_probe_list_free(&list);
    }
    return result;
}

/* ---- which probes each file gets ---- */

static struct file *file_of(struct applying *applying, const struct fth_instrument_tree *tree,
                            const char *shown)
{
    char *path = fth_text_format("%s/%s", tree->copy, shown);
    for (size_t i = 0; i < applying->file_count; i++)
        if (!strcmp(applying->files[i].path, path)) {
            free(path);
            return &applying->files[i];
        }
    FTH_GROW(applying->files, applying->file_count);
    struct file *file = &applying->files[applying->file_count++];
    *file = (struct file){.path = path, .shown = fth_text_copy(shown), .tree = tree};
    return file;
}

static int add_target(struct applying *applying, const struct fth_probe_list *list,
                      const struct fth_probe_entry *entry, const char *shown, size_t *found)
{
    const struct fth_instrument_layer *layer =
        fth_instrument_setup_layer(applying->setup, entry->layer);
    struct file *file = file_of(applying, fth_instrument_tree_of(applying->trees, layer), shown);
    bool application = entry->level < 0;
    if (access(file->path, R_OK) != 0)
        return fth_probe_entry_fail(list, entry, applying->error, "there is no file '%s' in %s",
                                    shown, layer->sources);
    if (file->list && file->list != list)
        return fth_probe_entry_fail(list, entry, applying->error,
                                    "%s has probes in %s, too; put those of one file together",
                                    shown, file->list->path);
    file->list = list;
    FTH_GROW(file->targets, file->count);
    file->targets[file->count++] =
        (struct fth_probe_target){entry, layer->name, application ? applying->setup->first : 1,
                                  application ? applying->setup->last : UINT32_MAX, found};
    return 0;
}

static int add_list(struct applying *applying, const struct fth_probe_list *list, size_t *found)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct fth_probe_entry *entry = &list->entries[i];
        const struct fth_instrument_layer *layer =
            fth_instrument_setup_layer(applying->setup, entry->layer);
        size_t files = entry->source ? 1 : layer->files.count;
        if (!is_wanted(applying->setup, entry))
            continue;
        applying->result->probes++;
        for (size_t k = 0; k < files; k++)
            if (add_target(applying, list, entry,
                           entry->source ? entry->source : layer->files.list[k], &found[i]))
                return -1;
    }
    return 0;
}

/* ---- files ---- */

static int write_file(const char *path, const char *text, struct fth_error **error)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return fth_fail_errno(error, "cannot write '%s'", path);
    bool failed = fputs(text, file) < 0;
    if (fclose(file) != 0 || failed)
        return fth_fail_errno(error, "cannot write '%s'", path);
    return 0;
}

static int instrument(struct applying *applying, const struct file *file)
{
    const struct fth_compile_command *command =
        fth_compile_commands_find(file->tree->commands, file->path);
    bool unchanged;
    if (!command)
        return fth_probe_entry_fail(
            file->list, file->targets[0].entry, applying->error,
            "'%s' is not compiled by the build of %s ('%s'): a header gets its probes by a source "
            "that is compiled",
            file->shown, file->tree->original, file->tree->build);
    const struct fth_instrumented_source source = {.path = file->path,
                                                   .shown = file->shown,
                                                   .library = applying->setup->library,
                                                   .header = applying->header,
                                                   .log = applying->setup->log,
                                                   .spelled = command->spelled,
                                                   .arguments = command->arguments,
                                                   .argument_count = command->count};
    char *text = fth_instrument_source(&source, file->list, file->targets, file->count,
                                       &applying->rows, &unchanged, applying->error);
    int result = !text ? -1 : unchanged ? 0 : write_file(file->path, text, applying->error);
    applying->result->files += text && !unchanged;
    free(text);
    return result;
}

/* ---- what is to be said ---- */

static void remark(struct applying *applying, const struct fth_probe_list *list,
                   const struct fth_probe_entry *entry, const char *what)
{
    char *line = fth_text_format("%s:%u:%u: %s\n", list->path, entry->line, entry->column, what);
    fth_sink_text(&applying->result->remarks, line);
    free(line);
}

static void count_places(struct applying *applying)
{
    for (size_t i = 0; i < applying->setup->probes.count; i++)
        for (size_t k = 0; k < applying->lists[i].count; k++) {
            const struct fth_probe_entry *entry = &applying->lists[i].entries[k];
            applying->result->places += applying->found[i][k];
            if (is_wanted(applying->setup, entry) && !applying->found[i][k])
                remark(applying, &applying->lists[i], entry,
                       "nothing in the sources and lines that are instrumented has this anchor");
        }
    for (size_t i = 0; i < applying->rows.count; i++) {
        const struct fth_probe_row *row = &applying->rows.list[i];
        if (row->begun && !row->ended)
            remark(applying, &applying->lists[0], row->first,
                   "this probe is entered, and nothing leaves it");
    }
}

static void free_all(struct applying *applying)
{
    for (size_t i = 0; i < applying->file_count; i++) {
        free(applying->files[i].path);
        free(applying->files[i].shown);
        free(applying->files[i].targets);
    }
    free(applying->files);
    for (size_t i = 0; i < applying->setup->probes.count; i++) {
        fth_probe_list_free(&applying->lists[i]);
        free(applying->found[i]);
    }
    free(applying->lists);
    free(applying->found);
    fth_probe_rows_free(&applying->rows);
}

int fth_instrument_apply(const struct fth_instrument_setup *setup,
                         const struct fth_instrument_trees *trees, const char *header,
                         struct fth_instrument_result *result, struct fth_error **error)
{
    size_t count = setup->probes.count;
    struct applying applying = {.setup = setup,
                                .trees = trees,
                                .header = header,
                                .lists = fth_new(count, sizeof *applying.lists),
                                .found = fth_new(count, sizeof *applying.found),
                                .result = result,
                                .error = error};
    int failed = 0;
    *result = (struct fth_instrument_result){0};
    fth_sink_open_memory(&result->rows);
    fth_sink_open_memory(&result->remarks);
    for (size_t i = 0; i < count && !failed; i++) {
        struct fth_probe_list *list = &applying.lists[i];
        failed = read_list(list, setup->probes.list[i], error) || check_list(setup, list, error);
        applying.found[i] = fth_new(list->count, sizeof **applying.found);
        failed = failed || add_list(&applying, list, applying.found[i]);
    }
    for (size_t i = 0; i < applying.file_count && !failed; i++)
        failed = instrument(&applying, &applying.files[i]);
    if (!failed && !applying.rows.count && !result->files)
        failed = fth_fail(error, "%s: no probe has a place in the sources", setup->path);
    if (!failed) {
        count_places(&applying);
        fth_probe_rows_write(&applying.rows, setup->name, &result->rows);
    }
    free_all(&applying);
    return failed ? -1 : 0;
}

void fth_instrument_result_free(struct fth_instrument_result *result)
{
    fth_sink_close_memory(&result->rows);
    fth_sink_close_memory(&result->remarks);
}
