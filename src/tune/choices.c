/* From parameters to choices: all combinations of values that have an effect on a run. A parameter
 * that another one makes idle is left out of a combination, so that none comes twice. */
#include "tune/tune.h"

#include "base/memory.h"
#include "base/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHOICES = 4096 };

const char *fth_tune_choice_get(const struct fth_tune_choice *choice, const char *parameter)
{
    for (size_t i = 0; i < choice->count; i++)
        if (!strcmp(choice->settings[i].parameter->name, parameter))
            return choice->settings[i].value;
    return NULL;
}

static bool is_set_to(const struct fth_tune_choice *choice, const char *parameter,
                      const char *value)
{
    const char *is = fth_tune_choice_get(choice, parameter);
    return is && !strcmp(is, value);
}

/* ---- which parameters take part ---- */

static bool is_fixed(const struct fth_tune_run *run, const struct fth_tune_parameter *parameter)
{
    for (size_t i = 0; i < run->fixed_count; i++)
        if (!strcmp(run->fixed[i], parameter->name))
            return true;
    return false;
}

static bool is_of_mpi_io(const struct fth_tune_parameter *parameter)
{
    return parameter->library == FTH_TUNE_ROMIO || parameter->library == FTH_TUNE_OMPIO;
}

static bool takes_part(const struct fth_tune_run *run, const struct fth_tune_parameter *parameter)
{
    bool has_library = parameter->library == run->library ||
                       (parameter->library == FTH_TUNE_ROMIO && run->has_romio_too);
    return is_of_mpi_io(parameter) && has_library && (parameter->effects & run->effects) &&
           (!run->only_at_open || parameter->at_open) && !is_fixed(run, parameter);
}

/* Accesses together that aggregators do not make for all. */
static bool are_alone(const struct fth_tune_run *run, const struct fth_tune_choice *choice)
{
    bool writes = run->effects & FTH_TUNE_ON_WRITES_TOGETHER,
         reads = run->effects & FTH_TUNE_ON_READS_TOGETHER;
    return (!writes || is_set_to(choice, "romio_cb_write", "disable")) &&
           (!reads || is_set_to(choice, "romio_cb_read", "disable"));
}

/* What was chosen so far leaves nothing for it to do. Parameters come after those that they depend
 * on. */
static bool is_idle(const struct fth_tune_run *run, const struct fth_tune_choice *choice,
                    const struct fth_tune_parameter *parameter)
{
    const char *io = fth_tune_choice_get(choice, "io");
    if (parameter->library == FTH_TUNE_OMPIO)
        return (io && strcmp(io, "ompio") != 0) ||
               (!parameter->is_mode && is_set_to(choice, "fcoll", "individual"));
    if (run->library == FTH_TUNE_OMPIO && (!io || !strcmp(io, "ompio")))
        return true;
    if (!strcmp(parameter->name, "cb_nodes") || !strcmp(parameter->name, "cb_buffer_size"))
        return are_alone(run, choice);
    if (!strcmp(parameter->name, "romio_ds_write"))
        return is_set_to(choice, "romio_cb_write", "enable");
    if (!strcmp(parameter->name, "romio_ds_read"))
        return is_set_to(choice, "romio_cb_read", "enable");
    if (!strcmp(parameter->name, "ind_wr_buffer_size"))
        return !is_set_to(choice, "romio_ds_write", "enable");
    if (!strcmp(parameter->name, "ind_rd_buffer_size"))
        return !is_set_to(choice, "romio_ds_read", "enable");
    return false;
}

/* ---- combinations ---- */

/* "half" and "all" are numbers of ranks; "romio" has the name of the component. NULL: the value
 * says no more than another one. */
static const char *value_of(struct fth_tune_choices *choices, const struct fth_tune_run *run,
                            const char *value)
{
    uint32_t count = !strcmp(value, "half") ? run->ranks / 2 : run->ranks;
    if (!strcmp(value, "romio"))
        return run->romio;
    if (strcmp(value, "half") != 0 && strcmp(value, "all") != 0)
        return value;
    if (count < 2)
        return NULL;
    FTH_GROW(choices->texts, choices->text_count);
    return choices->texts[choices->text_count++] = fth_text_format("%u", count);
}

static bool is_kind_of(const struct fth_tune_parameter *parameter, const char *kind)
{
    for (size_t i = 0; i < FTH_TUNE_KINDS && parameter->kinds[i]; i++)
        if (!strcmp(parameter->kinds[i], kind))
            return true;
    return false;
}

static size_t count_findings(const struct fth_tune_run *run, const struct fth_tune_choice *choice)
{
    size_t count = 0;
    for (size_t i = 0; i < choice->count; i++)
        for (size_t k = 0; run->findings && k < run->findings->count; k++)
            count += !run->findings->list[k].effective && !run->findings->list[k].minor &&
                     is_kind_of(choice->settings[i].parameter, run->findings->list[k].kind);
    return count;
}

static const char *set_before(const struct fth_tune_parameter *parameter,
                              const struct fth_tune_hints *before)
{
    char name[96];
    if (parameter->way == FTH_TUNE_HINT)
        return fth_tune_hints_get(before, parameter->name);
    snprintf(name, sizeof name, "%s%s", parameter->library == FTH_TUNE_OMPIO ? "OMPI_MCA_" : "",
             parameter->name);
    return parameter->way == FTH_TUNE_VARIABLE ? getenv(name) : NULL;
}

static bool says_nothing_new(const struct fth_tune_choice *choice,
                             const struct fth_tune_hints *before)
{
    for (size_t i = 0; i < choice->count; i++) {
        const char *is = set_before(choice->settings[i].parameter, before);
        if (!is || strcmp(is, choice->settings[i].value) != 0)
            return false;
    }
    return true;
}

static bool is_same_mode(const struct fth_tune_choice *one, const struct fth_tune_choice *other)
{
    for (size_t i = 0; i < one->count; i++) {
        const struct fth_tune_setting *setting = &one->settings[i];
        if (setting->parameter->is_mode &&
            !is_set_to(other, setting->parameter->name, setting->value))
            return false;
    }
    return true;
}

static uint32_t mode_of(const struct fth_tune_choices *choices,
                        const struct fth_tune_choice *choice)
{
    uint32_t modes = 0;
    for (size_t i = 0; i < choices->count; i++) {
        const struct fth_tune_choice *other = &choices->list[i];
        if (is_same_mode(choice, other) && is_same_mode(other, choice))
            return other->mode;
        modes = other->mode >= modes ? other->mode + 1 : modes;
    }
    return modes;
}

static bool has_much(const struct fth_tune_run *run, int64_t time)
{
    return (double)time >= FTH_TUNE_LEAST_SHARE * (double)run->whole;
}

struct making {
    struct fth_tune_choices *choices;
    const struct fth_tune_run *run;
    const struct fth_tune_hints *before;
};

static void add(const struct making *making, const struct fth_tune_choice *choice)
{
    struct fth_tune_choices *choices = making->choices;
    if (!choice->count || choices->count >= MOST_CHOICES ||
        says_nothing_new(choice, making->before))
        return;
    uint32_t mode = mode_of(choices, choice);
    FTH_GROW(choices->list, choices->count);
    struct fth_tune_choice *added = &choices->list[choices->count++];
    *added = *choice;
    added->mode = mode;
    added->speaks = count_findings(making->run, choice);
    added->simulated = -1;
}

static void combine(const struct making *making, struct fth_tune_choice *choice, size_t number)
{
    while (number < fth_tune_parameter_count &&
           (!takes_part(making->run, &fth_tune_parameters[number]) ||
            is_idle(making->run, choice, &fth_tune_parameters[number])))
        number++;
    if (number == fth_tune_parameter_count || choice->count == FTH_TUNE_SETTINGS) {
        add(making, choice);
        return;
    }
    const struct fth_tune_parameter *parameter = &fth_tune_parameters[number];
    for (size_t i = 0; i < FTH_TUNE_VALUES && parameter->values[i]; i++) {
        const char *value = value_of(making->choices, making->run, parameter->values[i]);
        if (!value)
            continue;
        choice->settings[choice->count++] = (struct fth_tune_setting){parameter, value};
        combine(making, choice, number + 1);
        choice->count--;
    }
}

/* Parameters of other libraries have an effect of their own: each is a choice by itself, where a
 * finding speaks for it. */
static void add_others(const struct making *making)
{
    for (size_t i = 0; i < fth_tune_parameter_count; i++) {
        const struct fth_tune_parameter *parameter = &fth_tune_parameters[i];
        struct fth_tune_choice choice = {.settings = {{parameter, parameter->values[0]}},
                                         .count = 1};
        if (!is_of_mpi_io(parameter) && parameter->values[0] &&
            (parameter->effects & making->run->effects) && count_findings(making->run, &choice))
            add(making, &choice);
    }
}

/* A program of MPI-IO has better settings: there, a finding has to speak for it. */
static void add_models(const struct making *making)
{
    const struct fth_tune_run *run = making->run;
    size_t number = 0;
    while (strcmp(fth_tune_parameters[number].name, FTH_TUNE_MODEL) != 0)
        number++;
    for (size_t i = 0; run->models && run->models[i]; i++) {
        struct fth_tune_choice choice = {
            .settings = {{&fth_tune_parameters[number], run->models[i]}}, .count = 1};
        if (!has_much(run, run->file_time) || count_findings(run, &choice))
            add(making, &choice);
    }
}

void fth_tune_choices_make(struct fth_tune_choices *choices, const struct fth_tune_run *run,
                           const struct fth_tune_hints *before)
{
    const struct making making = {choices, run, before};
    struct fth_tune_choice choice = {0};
    *choices = (struct fth_tune_choices){0};
    if (has_much(run, run->file_time))
        combine(&making, &choice, 0);
    add_others(&making);
    add_models(&making);
}

/* ---- their order ---- */

static int compare(const void *one, const void *other)
{
    const struct fth_tune_choice *a = one, *b = other;
    if (a->simulated >= 0 && b->simulated >= 0 && a->simulated != b->simulated)
        return a->simulated < b->simulated ? -1 : 1;
    if ((a->simulated < 0) != (b->simulated < 0))
        return a->simulated < 0 ? 1 : -1;
    return (a->speaks < b->speaks) - (a->speaks > b->speaks);
}

/* Stable: equal ones stay in the order of the table. */
void fth_tune_choices_sort(struct fth_tune_choices *choices)
{
    for (size_t i = 1; i < choices->count; i++) {
        struct fth_tune_choice moved = choices->list[i];
        size_t at = i;
        for (; at && compare(&moved, &choices->list[at - 1]) < 0; at--)
            choices->list[at] = choices->list[at - 1];
        choices->list[at] = moved;
    }
}

char *fth_tune_choice_text(const struct fth_tune_choice *choice)
{
    struct fth_sink text;
    fth_sink_open_memory(&text);
    for (size_t i = 0; i < choice->count; i++) {
        fth_sink_text(&text, i ? " " : "");
        fth_sink_text(&text, choice->settings[i].parameter->name);
        fth_sink_text(&text, "=");
        fth_sink_text(&text, choice->settings[i].value);
    }
    fth_sink_char(&text, 0);
    char *copy = fth_text_copy(text.bytes);
    fth_sink_close_memory(&text);
    return copy;
}

void fth_tune_choices_free(struct fth_tune_choices *choices)
{
    for (size_t i = 0; i < choices->text_count; i++)
        free(choices->texts[i]);
    for (size_t i = 0; i < choices->count; i++)
        free(choices->list[i].refused);
    free(choices->texts);
    free(choices->list);
}
