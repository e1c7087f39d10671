/* The sets of options of a template: library and language, files, and what is known of runs. */
#include "base/memory.h"
#include "base/nearest.h"
#include "gen/template/data_model.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *const option_names[] = {"level", "library",      "language",  "file",
                                           "mode",  "communicator", "processes", "nodes",
                                           "align", "assume"};

/* The text of an option that has one word. */
static int one_word(struct fth_gen_model *model, const struct fth_hint_line *hint,
                    struct fth_error **error)
{
    if (hint->word_count == 1)
        return 0;
    return fth_hints_fail(model->hints, hint->words[1].place, error,
                          "the option '%s' takes one value", hint->name);
}

static int choose(struct fth_gen_model *model, const struct fth_hint_line *hint,
                  const char *const *names, int count, struct fth_error **error)
{
    const char *word = hint->words[0].text;
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (!strcmp(word, names[i]))
            return i;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    return fth_hints_fail(model->hints, hint->words[0].place, error,
                          "the option '%s' is one of %s, not '%s'", hint->name, list, word);
}

static int read_library(struct fth_gen_model *model, const struct fth_hint_line *hint, int *library,
                        struct fth_error **error)
{
    static const char *const libraries[] = {"posix", "mpiio", "pnetcdf", "hdf5", "netcdf4"};
    *library = choose(model, hint, libraries, FTH_GEN_LIBRARIES, error);
    return *library < 0 ? -1 : 0;
}

static int read_language(struct fth_gen_model *model, const struct fth_hint_line *hint,
                         struct fth_error **error)
{
    static const char *const languages[] = {"c", "c++", "fortran"};
    int language = choose(model, hint, languages, FTH_GEN_LANGUAGES, error);
    if (language < 0)
        return -1;
    if (model->settings.language < 0 && (language == FTH_GEN_FORTRAN) != model->hints->fortran)
        return fth_hints_fail(model->hints, hint->words[0].place, error,
                              "the name of the template says that it is %s: rename it, or give "
                              "--language %s",
                              model->hints->fortran ? "Fortran" : "C or C++", hint->words[0].text);
    if (model->settings.language < 0)
        model->language = (enum fth_gen_language)language;
    return 0;
}

static int read_count(struct fth_gen_model *model, const struct fth_hint_line *hint, int64_t *count,
                      struct fth_error **error)
{
    struct fth_gen_number number = fth_gen_number_read(model, &hint->words[0]);
    const char *unknown = NULL;
    if (!fth_gen_number_value(model, UINT32_MAX, &number, -1, count, &unknown) || *count < 1 ||
        *count > INT64_MAX / 4)
        return fth_hints_fail(model->hints, hint->words[0].place, error,
                              "the option '%s' takes a number of at least 1, not '%s'", hint->name,
                              hint->words[0].text);
    return 0;
}

/* assume: name = formula, ... */
static int read_assumptions(struct fth_gen_model *model, const struct fth_hint_line *hint,
                            struct fth_error **error)
{
    for (uint32_t i = 0; i < hint->word_count; i++) {
        const struct fth_hint_word *word = &hint->words[i];
        const char *equals = strchr(word->text, '=');
        const char *end = equals;
        while (end && end > word->text && isspace((unsigned char)end[-1]))
            end--;
        if (!equals || end == word->text)
            return fth_hints_fail(model->hints, word->place, error,
                                  "an assumption is `name = value`, not '%s'", word->text);
        if (fth_interned_before(&model->assumed, word->text, (size_t)(end - word->text)))
            return fth_hints_fail(model->hints, word->place, error,
                                  "'%.*s' is assumed twice: remove one of the two",
                                  (int)(end - word->text), word->text);
        fth_intern(&model->assumed, word->text, (size_t)(end - word->text));
        FTH_GROW(model->assumptions, model->assumption_count);
        struct fth_gen_assumption *made = &model->assumptions[model->assumption_count++];
        made->name = word->text;
        /* Read when all names are known. */
        made->value = (struct fth_gen_number){equals + 1, NULL, word->place};
    }
    return 0;
}

/* What one set says of a file. */
struct file_options {
    const struct fth_hint_line *path, *mode;
    int library, level;
    int64_t align;
    struct fth_hint_place library_place;
};

static int read_option(struct fth_gen_model *model, const struct fth_hint_line *hint,
                       struct file_options *options, struct fth_error **error)
{
    static const char *const levels[] = {"posix", "mpiio", "high"};
    const char *name = hint->name;
    if (!strcmp(name, "assume"))
        return read_assumptions(model, hint, error);
    if (one_word(model, hint, error))
        return -1;
    if (!strcmp(name, "level")) {
        options->level = choose(model, hint, levels, 3, error);
        return options->level < 0 ? -1 : 0;
    }
    if (!strcmp(name, "library")) {
        options->library_place = hint->words[0].place;
        return read_library(model, hint, &options->library, error);
    }
    if (!strcmp(name, "language"))
        return read_language(model, hint, error);
    if (!strcmp(name, "processes"))
        return read_count(model, hint, &model->processes, error);
    if (!strcmp(name, "nodes"))
        return read_count(model, hint, &model->nodes, error);
    if (!strcmp(name, "align"))
        return read_count(model, hint, &options->align, error);
    if (!strcmp(name, "communicator"))
        model->communicator = hint->words[0].text;
    else if (!strcmp(name, "file"))
        options->path = hint;
    else if (!strcmp(name, "mode"))
        options->mode = hint;
    else {
        const char *nearest = "library";
        size_t least = SIZE_MAX;
        for (size_t i = 0; i < sizeof option_names / sizeof *option_names; i++)
            if (fth_is_nearer(name, option_names[i], &least))
                nearest = option_names[i];
        return fth_hints_fail(model->hints, hint->place, error, "there is no option '%s'%s%s%s",
                              name, least == SIZE_MAX ? "" : ": did you mean '",
                              least == SIZE_MAX ? "" : nearest, least == SIZE_MAX ? "" : "'?");
    }
    return 0;
}

static int64_t find_file(const struct fth_gen_model *model, const char *path)
{
    for (uint32_t i = 0; i < model->file_count; i++)
        if (!strcmp(model->files[i].path, path))
            return i;
    return -1;
}

static int check_level(struct fth_gen_model *model, const struct fth_hint_set *set,
                       struct file_options *options, struct fth_error **error)
{
    if (options->level == 2 && options->library < 0 && model->settings.library < 0)
        return fth_hints_fail(model->hints, set->place, error,
                              "level high needs a library: pnetcdf, hdf5 or netcdf4");
    int of_library = options->library < 2 ? options->library : 2;
    if (options->level >= 0 && options->library >= 0 && of_library != options->level)
        return fth_hints_fail(model->hints, options->library_place, error,
                              "the library is not of the level that the options name: remove one");
    if (options->library < 0 && options->level >= 0 && options->level < 2)
        options->library = options->level;
    return 0;
}

static int add_file(struct fth_gen_model *model, const struct file_options *options, int library,
                    struct fth_error **error)
{
    const struct fth_hint_word *word = &options->path->words[0];
    if (library < 0)
        return fth_hints_fail(model->hints, word->place, error,
                              "no library writes this file: add `library: hdf5;`, or give "
                              "--library");
    FTH_GROW(model->files, model->file_count);
    struct fth_gen_file *file = &model->files[model->file_count++];
    *file = (struct fth_gen_file){.path = word->text,
                                  .place = word->place,
                                  .library = (enum fth_gen_library)library,
                                  .align = (uint64_t)options->align};
    if (model->file_count == 1)
        strcpy(file->name, "io");
    else
        snprintf(file->name, sizeof file->name, "io%u", model->file_count);
    return 0;
}

static int add_session(struct fth_gen_model *model, uint32_t set,
                       const struct file_options *options, int library, struct fth_error **error)
{
    static const char *const modes[] = {"create", "read", "update"};
    int64_t file = find_file(model, options->path->words[0].text);
    bool again = file >= 0;
    if (!again && add_file(model, options, library, error))
        return -1;
    if (!again)
        file = model->file_count - 1;
    model->files[file].opened_again = again;
    int mode = options->mode ? choose(model, options->mode, modes, 3, error) : -2;
    if (mode == -1)
        return -1;
    FTH_GROW(model->sessions, model->session_count);
    model->sessions[model->session_count++] =
        (struct fth_gen_session){.file = (uint32_t)file,
                                 .creates = mode == 0 || (mode == -2 && !again),
                                 .first_set = set,
                                 .opening = UINT32_MAX,
                                 .defined = UINT32_MAX,
                                 .closing = UINT32_MAX};
    return 0;
}

int fth_gen_options_read(struct fth_gen_model *model, struct fth_error **error)
{
    int library = model->settings.library;
    for (uint32_t i = 0; i < model->hints->set_count; i++) {
        const struct fth_hint_set *set = &model->hints->sets[i];
        struct file_options options = {.library = -1, .level = -1};
        if (set->kind != FTH_HINTS_OPTIONS)
            continue;
        for (uint32_t j = 0; j < set->hint_count; j++)
            if (read_option(model, &set->hints[j], &options, error))
                return -1;
        if (check_level(model, set, &options, error))
            return -1;
        if (options.library >= 0 && model->settings.library < 0)
            library = options.library;
        if (options.mode && !options.path)
            return fth_hints_fail(model->hints, options.mode->place, error,
                                  "'mode' is of a file: name one in the same set of options");
        if (options.path && add_session(model, i, &options, library, error))
            return -1;
    }
    return 0;
}
