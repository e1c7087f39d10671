/* Consistency models of files by name, and the file of them: lines "model PUBLISHES FETCHES NAME",
 * then "rule MODEL KIND NAMES", each perhaps with a line "because REASON" behind it. */
#include "fs/protocol/model_rules.h"

#include "base/memory.h"
#include "base/own_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MOST = 64 << 20 };

int fth_model_rules_model(struct fth_model_rules *rules, const char *name,
                          struct fth_moments moments, struct fth_error **error)
{
    for (size_t i = 0; i < rules->model_count; i++) {
        const struct fth_fs_model *model = &rules->models[i];
        if (strcmp(model->name, name) != 0)
            continue;
        if (model->moments.publishes == moments.publishes &&
            model->moments.fetches == moments.fetches)
            return (int)i;
        return fth_fail(error, "two models have the name '%s'", name);
    }
    if (!*name || strlen(name) > FTH_MODEL_NAME_MOST || strchr(name, '\n'))
        return fth_fail(error, "the name of the model '%s' is too long", name);
    FTH_GROW(rules->models, rules->model_count);
    struct fth_fs_model *made = &rules->models[rules->model_count];
    *made = (struct fth_fs_model){.moments = moments};
    strcpy(made->name, name);
    return (int)rules->model_count++;
}

static const struct fth_model_rule *rule_of(const struct fth_model_rules *rules, const char *names,
                                            bool is_pattern)
{
    uint32_t number;
    if (!is_pattern) {
        if (!fth_keyed_number(&rules->exact, names, strlen(names), &number))
            return NULL;
        return &rules->rules[*(uint32_t *)fth_keyed_item(&rules->exact, number) - 1];
    }
    for (size_t i = 0; rules->pattern_count && i < rules->rule_count; i++)
        if (rules->rules[i].is_pattern && strcmp(rules->rules[i].names, names) == 0)
            return &rules->rules[i];
    return NULL;
}

int fth_model_rules_add(struct fth_model_rules *rules, const char *names, bool is_pattern,
                        int model, const char *reason, struct fth_error **error)
{
    const struct fth_model_rule *had = rule_of(rules, names, is_pattern);
    if (!*names || strchr(names, '\n') || model < 0 || (size_t)model >= rules->model_count)
        return fth_fail(error, "'%s' cannot be the names of files of a model", names);
    if (had && had->model == (uint32_t)model)
        return 0;
    if (had)
        return fth_fail(error, "'%s' has two models, %s and %s", names,
                        rules->models[had->model].name, rules->models[model].name);
    FTH_GROW(rules->rules, rules->rule_count);
    rules->rules[rules->rule_count++] =
        (struct fth_model_rule){.names = fth_text_copy(names),
                                .is_pattern = is_pattern,
                                .model = (uint32_t)model,
                                .reason = reason ? fth_text_copy(reason) : NULL};
    rules->pattern_count += is_pattern;
    rules->exact.size = sizeof(uint32_t);
    if (!is_pattern)
        *(uint32_t *)fth_keyed_get(&rules->exact, names, strlen(names)) =
            (uint32_t)rules->rule_count;
    return 0;
}

/* What names the file itself goes before patterns. */
const struct fth_fs_model *fth_model_rules_of(const struct fth_model_rules *rules, const char *name,
                                              const struct fth_model_rule **one,
                                              const struct fth_model_rule **other)
{
    *one = rules->rule_count ? rule_of(rules, name, false) : NULL;
    if (*one)
        return &rules->models[(*one)->model];
    for (size_t i = 0; rules->pattern_count && i < rules->rule_count; i++) {
        const struct fth_model_rule *rule = &rules->rules[i];
        if (!rule->is_pattern || fnmatch(rule->names, name, 0) != 0)
            continue;
        if (*one && (*one)->model != rule->model) {
            *other = rule;
            return NULL;
        }
        *one = rule;
    }
    return &rules->models[*one ? (*one)->model : 0];
}

/* ---- their file ---- */

int fth_model_rules_write(const struct fth_model_rules *rules, int folder, struct fth_error **error)
{
    int file = openat(folder, "models", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w");
    if (!stream)
        return fth_fail_errno(error, "the models of the instance cannot be written");
    for (size_t i = 0; i < rules->model_count; i++)
        fprintf(stream, "model %u %u %s\n", rules->models[i].moments.publishes,
                rules->models[i].moments.fetches, rules->models[i].name);
    for (size_t i = 0; i < rules->rule_count; i++) {
        const struct fth_model_rule *rule = &rules->rules[i];
        fprintf(stream, "rule %u %d %s\n", rule->model, rule->is_pattern, rule->names);
        if (rule->reason)
            fprintf(stream, "because %s\n", rule->reason);
    }
    bool failed = ferror(stream);
    return fclose(stream) || failed
               ? fth_fail_errno(error, "the models of the instance cannot be written")
               : 0;
}

/* Two numbers before a text; NULL: it is none. */
static const char *take_numbers(const char *line, unsigned long *first, unsigned long *second)
{
    char *end;
    *first = strtoul(line, &end, 10);
    if (end == line || *end != ' ')
        return NULL;
    line = end + 1;
    *second = strtoul(line, &end, 10);
    return end == line || *end != ' ' ? NULL : end + 1;
}

static int read_line(struct fth_model_rules *rules, const char *line, struct fth_error **error)
{
    unsigned long first, second;
    const char *text;
    if (strncmp(line, "because ", 8) == 0 && rules->rule_count) {
        char **reason = &rules->rules[rules->rule_count - 1].reason;
        free(*reason);
        *reason = fth_text_copy(line + 8);
        return 0;
    }
    if (strncmp(line, "model ", 6) == 0 && (text = take_numbers(line + 6, &first, &second)))
        return fth_model_rules_model(
                   rules, text, (struct fth_moments){(unsigned)first, (unsigned)second}, error) < 0
                   ? -1
                   : 0;
    if (strncmp(line, "rule ", 5) == 0 && (text = take_numbers(line + 5, &first, &second)) &&
        first < rules->model_count)
        return fth_model_rules_add(rules, text, second != 0, (int)first, NULL, error);
    return fth_fail(error, "the models of the instance cannot be understood");
}

static char *read_text(int file, struct fth_error **error)
{
    struct stat facts;
    char *text = NULL;
    if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size <= FILE_MOST) {
        text = fth_new((size_t)facts.st_size + 1, 1);
        ssize_t length = pread(file, text, (size_t)facts.st_size, 0);
        text[length > 0 ? length : 0] = 0;
    } else {
        fth_fail(error, "the models of the instance cannot be read");
    }
    if (file >= 0)
        close(file);
    return text;
}

int fth_model_rules_read(struct fth_model_rules *rules, int folder, struct fth_error **error)
{
    int file = fth_own_folder_file(folder, "models");
    if (file < 0 && errno == ENOENT)
        return 0;
    char *text = read_text(file, error), *line = text, *next;
    int failed = text ? 0 : -1;
    for (; !failed && (next = strchr(line, '\n')); line = next + 1) {
        *next = 0;
        failed = read_line(rules, line, error);
    }
    free(text);
    return failed;
}

void fth_model_rules_free(struct fth_model_rules *rules)
{
    for (size_t i = 0; i < rules->rule_count; i++) {
        free(rules->rules[i].names);
        free(rules->rules[i].reason);
    }
    free(rules->rules);
    free(rules->models);
    fth_keyed_free(&rules->exact);
    *rules = (struct fth_model_rules){.models = NULL};
}
