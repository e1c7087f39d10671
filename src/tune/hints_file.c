/* Hints files of ROMIO (adio/common/system_hints.c there): the first value of a key counts, lines
 * that are not two words mean nothing. */
#include "tune/tune.h"

#include "base/memory.h"
#include "base/text_file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_HINTS = 4096 };

const char *fth_tune_hints_get(const struct fth_tune_hints *hints, const char *key)
{
    for (size_t i = 0; i < hints->count; i++)
        if (!strcmp(hints->list[i].key, key))
            return hints->list[i].value;
    return NULL;
}

void fth_tune_hints_set(struct fth_tune_hints *hints, const char *key, const char *value)
{
    for (size_t i = 0; i < hints->count; i++)
        if (!strcmp(hints->list[i].key, key)) {
            free(hints->list[i].value);
            hints->list[i].value = fth_text_copy(value);
            return;
        }
    FTH_GROW(hints->list, hints->count);
    hints->list[hints->count++] = (struct fth_tune_hint){fth_text_copy(key), fth_text_copy(value)};
}

static void take_line(struct fth_tune_hints *hints, char *line)
{
    char *rest = NULL, *key = strtok_r(line, " \t\r\n", &rest),
         *value = key ? strtok_r(NULL, " \t\r\n", &rest) : NULL;
    if (!value || *key == '#' || strtok_r(NULL, " \t\r\n", &rest))
        return;
    if (!fth_tune_hints_get(hints, key) && hints->count < MOST_HINTS)
        fth_tune_hints_set(hints, key, value);
}

int fth_tune_hints_read(struct fth_tune_hints *hints, const char *path, struct fth_error **error)
{
    FILE *file = fth_text_file(path, MOST_BYTES, error);
    char *line = NULL;
    size_t size = 0;
    if (!file)
        return fth_fail_in(error, "hints of ROMIO_HINTS");
    while (getline(&line, &size, file) >= 0)
        take_line(hints, line);
    free(line);
    fclose(file);
    return 0;
}

void fth_tune_hints_free(struct fth_tune_hints *hints)
{
    for (size_t i = 0; i < hints->count; i++) {
        free(hints->list[i].key);
        free(hints->list[i].value);
    }
    free(hints->list);
    *hints = (struct fth_tune_hints){0};
}
