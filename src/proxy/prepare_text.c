/* prepare.sh: makes what has to be there before the program runs. */
#include "proxy/proxy_files.h"

#include "analysis/select/noise.h"
#include "base/memory.h"
#include "proxy/plain_paths.h"

#include <inttypes.h>
#include <string.h>

/* A name that begins with a dash would be an option. */
static void put_quoted(FILE *to, const char *path)
{
    fputs(*path == '-' ? "'./" : "'", to);
    for (; *path; path++)
        if (*path == '\'')
            fputs("'\\''", to);
        else
            fputc(*path, to);
    fputc('\'', to);
}

static void put_folder(FILE *to, struct fth_intern *folders, const char *path)
{
    const char *end = strrchr(path, '/');
    if (!end || fth_interned_before(folders, path, (size_t)(end - path)))
        return;
    fth_intern(folders, path, (size_t)(end - path));
    char *folder = fth_text_part(path, (size_t)(end - path));
    fputs("mkdir -p ", to);
    put_quoted(to, folder);
    fputc('\n', to);
    free(folder);
}

/* Is it one of the program's, on which it made a call that did not fail? */
static bool is_own(const struct fth_repeat_place *place)
{
    return place->is_used && !place->why && !fth_analysis_is_noise(place->path, false);
}

/* Does the run make the folder around this path itself? */
static bool makes_folder(const struct fth_repeat_places *places, const char *path)
{
    const char *end = strrchr(path, '/');
    char *folder = fth_text_part(path, end ? (size_t)(end - path) : 0);
    const struct fth_repeat_place *place = fth_repeat_place_of(places, folder);
    free(folder);
    return place && place->is_used && place->before == FTH_REPEAT_ABSENT;
}

/* How many of the lines that were read are in the file: some may have been read again. */
static size_t lines_in_file(const struct fth_repeat_place *place)
{
    uint64_t left = place->length ? place->length : UINT64_MAX;
    size_t count = 0;
    while (count < place->line_count && place->lines[count] <= left)
        left -= place->lines[count++];
    return count;
}

static void put_needed(FILE *to, const struct fth_repeat_place *place, const char *own, bool grows)
{
    if (place->folder) {
        fputs("mkdir -p ", to);
    } else if (place->line_count) {
        fputs("for length in", to);
        size_t count = lines_in_file(place);
        for (size_t i = 0; i < count; i++)
            fprintf(to, " %" PRIu64, place->lines[i] - 1);
        fputs("; do printf '%*s\\n' $length ''; done >", to);
    } else {
        fprintf(to, grows ? "truncate -s $((%" PRIu64 " * ${1:-1})) " : "truncate -s %" PRIu64 " ",
                place->length);
    }
    put_quoted(to, own);
    fputc('\n', to);
}

/* In a comment, whose line a byte of the name may end. */
static void put_foreign(FILE *to, const struct fth_repeat_place *place, const char *own)
{
    fputs("# of a library, which alone can write it: put one there\n# ", to);
    for (; *own; own++)
        fputc(*own >= ' ' && *own <= '~' ? *own : '_', to);
    fprintf(to, ", %" PRIu64 " bytes\n", place->length);
}

/* As the program names it. */
static char *name_of_file(struct fth_writing *writing, const char *path, const char *directory)
{
    char *own = fth_name_of_path(path, directory), *template;
    struct fth_secret_name secret = {.is_path = true};
    size_t kept[8], number = 0;
    if (!writing->settings->anonymous)
        return own;
    fth_name_parse(own, &template, secret.numbers, secret.widths);
    free(own);
    secret.text = template;
    own = fth_proxy_write_anonymous(writing, &secret, kept);
    free(template);
    struct fth_growing_text made;
    fth_growing_text_open(&made);
    for (const char *at = own; *at; at++)
        if (*at == 1) {
            size_t which = kept[number++];
            fprintf(made.file, "%0*" PRId64, (int)secret.widths[which], secret.numbers[which]);
        } else {
            fputc(*at, made.file);
        }
    fth_growing_text_end(&made);
    free(own);
    return made.text;
}

/* Returns whether anything has to be made for it. */
static bool put_place(struct fth_writing *writing, const struct fth_repeat_places *places,
                      const struct fth_repeat_place *place, const char *directory,
                      struct fth_intern *folders, size_t *foreign, FILE *to)
{
    char *own = name_of_file(writing, place->path, directory);
    bool is_needed = place->before == FTH_REPEAT_PRESENT && strcmp(own, ".") != 0;
    bool in_folder = strchr(own, '/') && !makes_folder(places, place->path);
    bool is_foreign = is_needed && place->by_library && !place->folder;
    if (in_folder)
        put_folder(to, folders, own);
    if (is_foreign)
        put_foreign(to, place, own);
    else if (is_needed)
        put_needed(to, place, own, writing->settings->grows);
    *foreign += is_foreign;
    free(own);
    return is_needed || in_folder;
}

char *fth_proxy_write_prepare(struct fth_writing *writing, const struct fth_repeat_places *places,
                              const char *directory, size_t *foreign)
{
    struct fth_growing_text prepare;
    struct fth_intern folders = {0};
    bool any = false;
    *foreign = 0;
    fth_growing_text_open(&prepare);
    fputs("#!/bin/sh\n# Makes the files that have to be there before the program runs, in this "
          "folder.\nset -e\n",
          prepare.file);
    for (size_t i = 0; i < fth_repeat_place_count(places); i++) {
        const struct fth_repeat_place *place = fth_repeat_place_at(places, i);
        if (is_own(place))
            any |= put_place(writing, places, place, directory, &folders, foreign, prepare.file);
    }
    fth_intern_free(&folders);
    fth_growing_text_end(&prepare);
    if (!any) {
        free(prepare.text);
        return NULL;
    }
    return prepare.text;
}
