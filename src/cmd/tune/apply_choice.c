/* From a choice to what a library reads: see the header. */
#include "cmd/tune/tune_command.h"

#include "base/memory.h"
#include "base/sink.h"

#include <stdlib.h>
#include <string.h>

/* PNETCDF_HINTS is a list: "key=value;key=value", of which the last one of a key counts. */
static void add_to_list(struct fth_tune_hints *variables, const char *key, const char *value)
{
    const char *is = fth_tune_hints_get(variables, "PNETCDF_HINTS");
    if (!is)
        is = getenv("PNETCDF_HINTS");
    char *list = fth_text_format("%s%s%s=%s", is ? is : "", is ? ";" : "", key, value);
    fth_tune_hints_set(variables, "PNETCDF_HINTS", list);
    free(list);
}

static void add_variable(struct fth_tune_hints *variables, const struct fth_tune_setting *setting)
{
    const char *prefix = setting->parameter->library == FTH_TUNE_OMPIO ? "OMPI_MCA_" : "";
    char *name = fth_text_format("%s%s", prefix, setting->parameter->name);
    fth_tune_hints_set(variables, name, setting->value);
    free(name);
}

void fth_cmd_tuned_make(struct fth_cmd_tuned *tuned, const struct fth_tune_choice *choice,
                        const struct fth_tune_hints *before, const char *hints_path)
{
    *tuned = (struct fth_cmd_tuned){0};
    bool has_hints = false;
    for (size_t i = 0; i < choice->count; i++)
        has_hints |= choice->settings[i].parameter->way == FTH_TUNE_HINT;
    for (size_t i = 0; has_hints && i < before->count; i++)
        fth_tune_hints_set(&tuned->hints, before->list[i].key, before->list[i].value);
    for (size_t i = 0; i < choice->count; i++) {
        const struct fth_tune_setting *setting = &choice->settings[i];
        if (setting->parameter->way == FTH_TUNE_COMMAND)
            continue;
        if (setting->parameter->way == FTH_TUNE_VARIABLE)
            add_variable(&tuned->variables, setting);
        else if (setting->parameter->way == FTH_TUNE_PNETCDF_HINT)
            add_to_list(&tuned->variables, setting->parameter->name, setting->value);
        else
            fth_tune_hints_set(&tuned->hints, setting->parameter->name, setting->value);
        if (setting->parameter->with)
            fth_tune_hints_set(&tuned->hints, setting->parameter->with,
                               setting->parameter->with_value);
    }
    if (has_hints)
        fth_tune_hints_set(&tuned->variables, "ROMIO_HINTS", hints_path);
}

void fth_cmd_tuned_free(struct fth_cmd_tuned *tuned)
{
    fth_tune_hints_free(&tuned->variables);
    fth_tune_hints_free(&tuned->hints);
}

char **fth_cmd_tuned_words(const struct fth_tune_choice *choice, const struct fth_tune_run *run,
                           const char *fathom)
{
    const char *model = fth_tune_choice_get(choice, FTH_TUNE_MODEL);
    const char *words[] = {fathom, "fs", "run", "--model", model, "--under", run->folder, "--"};
    enum { WORDS = sizeof words / sizeof *words };
    if (!model)
        return NULL;
    const char **copy = fth_new(WORDS + 1, sizeof *copy);
    memcpy(copy, words, sizeof words);
    return (char **)copy;
}

char *fth_cmd_tuned_lines(const struct fth_cmd_tuned *tuned)
{
    struct fth_sink text;
    fth_sink_open_memory(&text);
    for (size_t i = 0; i < tuned->hints.count; i++) {
        fth_sink_text(&text, tuned->hints.list[i].key);
        fth_sink_text(&text, " ");
        fth_sink_text(&text, tuned->hints.list[i].value);
        fth_sink_text(&text, "\n");
    }
    fth_sink_char(&text, 0);
    char *copy = fth_text_copy(text.bytes);
    fth_sink_close_memory(&text);
    return copy;
}
