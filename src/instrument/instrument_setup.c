/* Reads setups from YAML. */
#include "instrument/instrument_setup.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/path_text.h"
#include "base/text_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void fth_instrument_setup_free(struct fth_instrument_setup *setup)
{
    fth_arena_free(&setup->arena);
    free(setup);
}

const struct fth_instrument_layer *
fth_instrument_setup_layer(const struct fth_instrument_setup *setup, const char *word)
{
    for (size_t i = 0; i < setup->layer_count; i++)
        if (!strcmp(setup->layers[i].word, word))
            return &setup->layers[i];
    return NULL;
}

#ifndef FATHOM_LIBYAML

int fth_instrument_setup_read(struct fth_instrument_setup *setup, const char *path,
                              struct fth_error **error)
{
    (void)setup;
    return fth_fail(error, "cannot read '%s': this fathom was built without libyaml", path);
}

#else

#include "sim/config/yaml.h"

enum { MOST_COUNT = 100000 };

/* What the functions for keys get. */
struct taking {
    struct fth_instrument_setup *setup;
    struct fth_instrument_layer *layer;
    struct fth_instrument_run *run;
    struct fth_instrument_words *words;
    uint32_t *numbers;
    size_t *number_count;
};

static const char *keep(struct fth_instrument_setup *setup, const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(fth_arena_take(&setup->arena, length), text, length);
}

static const char *keep_path(struct fth_instrument_setup *setup, const char *name)
{
    char *path = *name == '/' ? fth_text_copy(name) : fth_text_format("%s/%s", setup->folder, name);
    fth_path_settle(path);
    size_t length = strlen(path);
    if (length > 1 && path[length - 1] == '/')
        path[length - 1] = 0;
    const char *kept = keep(setup, path);
    free(path);
    return kept;
}

/* ---- values ---- */

static int take_text(const struct fth_yaml *reading, const yaml_node_t *key,
                     const yaml_node_t *value, struct fth_instrument_setup *setup,
                     const char **text)
{
    const char *given = fth_yaml_text(value);
    if (!given || !*given)
        return fth_yaml_fail(reading, value, "expected a text for", fth_yaml_text(key));
    *text = keep(setup, given);
    return 0;
}

static int take_word(const struct fth_yaml *reading, const yaml_node_t *key,
                     const yaml_node_t *value, void *target)
{
    struct taking *taking = target;
    const char *text = fth_yaml_text(value);
    (void)key;
    if (!text || !*text)
        return fth_yaml_fail(reading, value, "expected a text", text ? text : "");
    if (taking->words->count == FTH_INSTRUMENT_MOST)
        return fth_yaml_fail(reading, value, "too many items: at most 64, not also", text);
    taking->words->list[taking->words->count++] = keep(taking->setup, text);
    return 0;
}

/* One, or a list. */
static int take_words(const struct fth_yaml *reading, const yaml_node_t *key,
                      const yaml_node_t *value, struct taking *taking,
                      struct fth_instrument_words *words)
{
    taking->words = words;
    return fth_yaml_text(value)
               ? take_word(reading, key, value, taking)
               : fth_yaml_each_item(reading, value, fth_yaml_text(key), take_word, taking);
}

static int take_number(const struct fth_yaml *reading, const yaml_node_t *key,
                       const yaml_node_t *value, void *target)
{
    struct taking *taking = target;
    const char *text = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    long number = strlen(text) < 9 && strspn(text, "0123456789") == strlen(text) ? atol(text) : 0;
    (void)key;
    if (number < 1 || number > MOST_COUNT)
        return fth_yaml_fail(reading, value, "expected a number from 1 to 100000, not", text);
    if (*taking->number_count == FTH_INSTRUMENT_MOST)
        return fth_yaml_fail(reading, value, "too many items: at most 64, not also", text);
    taking->numbers[(*taking->number_count)++] = (uint32_t)number;
    return 0;
}

static int take_numbers(const struct fth_yaml *reading, const yaml_node_t *key,
                        const yaml_node_t *value, struct taking *taking, uint32_t *numbers,
                        size_t *count)
{
    taking->numbers = numbers;
    taking->number_count = count;
    return fth_yaml_text(value)
               ? take_number(reading, key, value, taking)
               : fth_yaml_each_item(reading, value, fth_yaml_text(key), take_number, taking);
}

static int fail_key(const struct fth_yaml *reading, const yaml_node_t *key,
                    const char *const *known, const char *of)
{
    const char *nearest = NULL;
    char text[160];
    size_t least = SIZE_MAX;
    for (; *known; known++)
        if (fth_is_nearer(fth_yaml_text(key), *known, &least))
            nearest = *known;
    snprintf(text, sizeof text, "%s%s%s%s has no", nearest ? "did you mean '" : "",
             nearest ? nearest : "", nearest ? "'? " : "", of);
    return fth_yaml_fail(reading, key, text, fth_yaml_text(key));
}

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)*text) || strlen(text) > 40)
        return false;
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_')
            return false;
    return true;
}

/* ---- layers ---- */

static int take_layer_key(const struct fth_yaml *reading, const yaml_node_t *key,
                          const yaml_node_t *value, void *target)
{
    static const char *const known[] = {"sources", "name", "build", "libraries", "files", NULL};
    struct taking *taking = target;
    struct fth_instrument_layer *layer = taking->layer;
    const char *word = fth_yaml_text(key), *text = NULL;
    if (!strcmp(word, "libraries"))
        return take_words(reading, key, value, taking, &layer->libraries);
    if (!strcmp(word, "files"))
        return take_words(reading, key, value, taking, &layer->files);
    if (!strcmp(word, "build"))
        return take_text(reading, key, value, taking->setup, &layer->build);
    if (strcmp(word, "sources") != 0 && strcmp(word, "name") != 0)
        return fail_key(reading, key, known, "a layer");
    if (take_text(reading, key, value, taking->setup, &text))
        return -1;
    if (!strcmp(word, "sources")) {
        layer->sources = keep_path(taking->setup, text);
        return 0;
    }
    layer->name = text;
    return is_name(text) ? 0
                         : fth_yaml_fail(reading, value,
                                         "the name of a layer is a word of letters, digits and _, "
                                         "not",
                                         text);
}

static const char *default_name(struct fth_instrument_setup *setup, const char *word)
{
    char *name = fth_text_format("%s_probes", word);
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    const char *kept = keep(setup, name);
    free(name);
    return kept;
}

static int take_layer(const struct fth_yaml *reading, const yaml_node_t *key,
                      const yaml_node_t *value, void *target)
{
    struct taking *taking = target;
    struct fth_instrument_setup *setup = taking->setup;
    const char *word = fth_yaml_text(key);
    if (setup->layer_count == FTH_INSTRUMENT_MOST)
        return fth_yaml_fail(reading, key, "more than 64 layers, with", word);
    if (!is_name(word))
        return fth_yaml_fail(reading, key, "a layer is a word of letters, digits and _, not", word);
    taking->layer = &setup->layers[setup->layer_count++];
    taking->layer->word = keep(setup, word);
    taking->layer->name = default_name(setup, word);
    taking->layer->line = (uint32_t)key->start_mark.line + 1;
    if (fth_yaml_each(reading, value, word, take_layer_key, taking))
        return -1;
    return taking->layer->sources
               ? 0
               : fth_yaml_fail(reading, key, "'sources', a folder, is missing in the layer", word);
}

/* ---- runs ---- */

static int take_run_key(const struct fth_yaml *reading, const yaml_node_t *key,
                        const yaml_node_t *value, void *target)
{
    static const char *const known[] = {"server",  "ready",     "programs",
                                        "servers", "processes", NULL};
    struct taking *taking = target;
    struct fth_instrument_run *run = taking->run;
    const char *word = fth_yaml_text(key);
    if (!strcmp(word, "programs"))
        return take_words(reading, key, value, taking, &run->programs);
    if (!strcmp(word, "processes"))
        return take_numbers(reading, key, value, taking, run->processes, &run->process_count);
    if (!strcmp(word, "servers"))
        return take_numbers(reading, key, value, taking, run->servers, &run->server_count);
    if (!strcmp(word, "server"))
        return take_text(reading, key, value, taking->setup, &run->server);
    if (!strcmp(word, "ready"))
        return take_text(reading, key, value, taking->setup, &run->ready);
    return fail_key(reading, key, known, "a run");
}

static int take_run(const struct fth_yaml *reading, const yaml_node_t *key,
                    const yaml_node_t *value, void *target)
{
    struct taking *taking = target;
    struct fth_instrument_setup *setup = taking->setup;
    const char *word = fth_yaml_text(key);
    if (setup->run_count == FTH_INSTRUMENT_MOST)
        return fth_yaml_fail(reading, key, "more than 64 runs, with", word);
    if (!is_name(word))
        return fth_yaml_fail(reading, key, "a run is a word of letters, digits and _, not", word);
    struct fth_instrument_run *run = taking->run = &setup->runs[setup->run_count++];
    run->name = keep(setup, word);
    if (fth_yaml_each(reading, value, word, take_run_key, taking))
        return -1;
    if (!run->programs.count)
        return fth_yaml_fail(reading, key, "'programs' is missing in the run", word);
    if (run->server_count && !run->server)
        return fth_yaml_fail(reading, key, "'servers' says how many, but there is no 'server' in",
                             word);
    if (!run->process_count)
        run->processes[run->process_count++] = 1;
    if (!run->server_count)
        run->servers[run->server_count++] = 1;
    return 0;
}

/* ---- the whole ---- */

static int take_operation(const struct fth_yaml *reading, const yaml_node_t *value,
                          struct fth_instrument_setup *setup)
{
    const char *text = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    setup->writes = !strcmp(text, "write") || !strcmp(text, "both");
    setup->reads = !strcmp(text, "read") || !strcmp(text, "both");
    return setup->writes || setup->reads
               ? 0
               : fth_yaml_fail(reading, value, "operation is write, read or both, not", text);
}

static int take_lines(const struct fth_yaml *reading, const yaml_node_t *value,
                      struct fth_instrument_setup *setup)
{
    const char *text = fth_yaml_text(value) ? fth_yaml_text(value) : "";
    char behind;
    if (sscanf(text, "%9u-%9u%c", &setup->first, &setup->last, &behind) != 2 || !setup->first ||
        setup->last < setup->first)
        return fth_yaml_fail(reading, value, "lines are a range such as 1-5000, not", text);
    return 0;
}

static int take_probes(const struct fth_yaml *reading, const yaml_node_t *key,
                       const yaml_node_t *value, struct taking *taking)
{
    struct fth_instrument_words *probes = &taking->setup->probes;
    if (take_words(reading, key, value, taking, probes))
        return -1;
    for (size_t i = 0; i < probes->count; i++)
        probes->list[i] = keep_path(taking->setup, probes->list[i]);
    return 0;
}

static int take_key(const struct fth_yaml *reading, const yaml_node_t *key,
                    const yaml_node_t *value, void *target)
{
    static const char *const known[] = {"name",  "probes", "library", "log", "operation",
                                        "lines", "stack",  "runs",    NULL};
    struct taking *taking = target;
    struct fth_instrument_setup *setup = taking->setup;
    const char *word = fth_yaml_text(key);
    if (!strcmp(word, "stack"))
        return fth_yaml_each(reading, value, word, take_layer, taking);
    if (!strcmp(word, "runs"))
        return fth_yaml_each(reading, value, word, take_run, taking);
    if (!strcmp(word, "probes"))
        return take_probes(reading, key, value, taking);
    if (!strcmp(word, "operation"))
        return take_operation(reading, value, setup);
    if (!strcmp(word, "lines"))
        return take_lines(reading, value, setup);
    if (!strcmp(word, "log"))
        return take_text(reading, key, value, setup, &setup->log);
    if (!strcmp(word, "library")) {
        if (take_text(reading, key, value, setup, &setup->library))
            return -1;
        setup->library = keep_path(setup, setup->library);
        return 0;
    }
    if (strcmp(word, "name") != 0)
        return fail_key(reading, key, known, "a setup");
    if (take_text(reading, key, value, setup, &setup->name))
        return -1;
    return is_name(setup->name)
               ? 0
               : fth_yaml_fail(reading, value, "the name is a word of letters, digits and _, not",
                               setup->name);
}

/* Layers of the same sources are built by one command. */
static int check_builds(const struct fth_instrument_setup *setup, struct fth_error **error)
{
    for (size_t i = 0; i < setup->layer_count; i++) {
        const struct fth_instrument_layer *layer = &setup->layers[i];
        size_t builds = 0;
        for (size_t k = 0; k < setup->layer_count; k++) {
            const struct fth_instrument_layer *other = &setup->layers[k];
            builds += !strcmp(layer->sources, other->sources) && other->build &&
                      (k == i || !layer->build || strcmp(layer->build, other->build) != 0);
        }
        if (builds != 1)
            return fth_fail(error,
                            "line %u: the layer %s needs one 'build', the command that "
                            "builds its sources; %s",
                            layer->line, layer->word,
                            builds ? "layers of the same sources have different ones"
                                   : "there is none");
    }
    return 0;
}

static int check(const struct fth_instrument_setup *setup, struct fth_error **error)
{
    const char *missing = !setup->name           ? "name"
                          : !setup->probes.count ? "probes"
                          : !setup->layer_count  ? "stack"
                                                 : NULL;
    return missing ? fth_fail(error, "the key '%s' is missing", missing)
                   : check_builds(setup, error);
}

static int read_document(struct fth_instrument_setup *setup, FILE *file, struct fth_error **error)
{
    yaml_document_t document;
    if (fth_yaml_load(file, &document, error))
        return -1;
    struct fth_yaml reading = {.document = &document, .error = error};
    struct taking taking = {.setup = setup};
    const yaml_node_t *root = yaml_document_get_root_node(&document);
    int result = root ? fth_yaml_each(&reading, root, "the setup", take_key, &taking)
                      : fth_fail(error, "the file is empty");
    yaml_document_delete(&document);
    return result ? result : check(setup, error);
}

int fth_instrument_setup_read(struct fth_instrument_setup *setup, const char *path,
                              struct fth_error **error)
{
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    char *whole = file ? fth_path_absolute(path) : NULL;
    if (!file || !whole)
        return *error ? -1 : fth_fail(error, "there is no working directory");
    *strrchr(whole, '/') = 0;
    setup->path = path;
    setup->folder = keep(setup, *whole ? whole : "/");
    setup->library = setup->folder;
    setup->log = "";
    setup->writes = setup->reads = true;
    setup->first = 1;
    setup->last = UINT32_MAX;
    free(whole);
    int result = read_document(setup, file, error);
    fclose(file);
    return result ? fth_fail_in(error, "%s", path) : 0;
}

#endif
