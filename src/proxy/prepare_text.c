/* prepare.sh: makes what has to be there before the program runs. */
#include "proxy/proxy_files.h"

#include "base/memory.h"
#include "proxy/plain_paths.h"

#include <inttypes.h>
#include <string.h>

static void put_quoted(FILE *to, const char *path)
{
    fputc('\'', to);
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

static bool makes_folder(const struct fth_needed_files *needed, const char *path)
{
    const char *end = strrchr(path, '/');
    uint32_t number;
    return end && fth_intern_find(&needed->paths, path, (size_t)(end - path), &number) &&
           needed->files[number].made < INT64_MAX;
}

/* Which of them have another one below them. */
static bool *find_folders(const struct fth_needed_files *needed)
{
    bool *folders = fth_new(needed->paths.count + 1, sizeof *folders);
    uint32_t number;
    for (uint32_t i = 0; i < needed->paths.count; i++) {
        const char *path = needed->files[i].path;
        folders[i] |= needed->files[i].is_folder;
        for (const char *at = path; (at = strchr(at + 1, '/'));)
            if (fth_intern_find(&needed->paths, path, (size_t)(at - path), &number))
                folders[number] = true;
    }
    return folders;
}

static void put_needed(FILE *to, const struct fth_needed_file *file, const char *own,
                       bool is_folder)
{
    if (is_folder) {
        fputs("mkdir -p ", to);
    } else if (file->line_count) {
        fputs("for length in", to);
        for (size_t i = 0; i < file->line_count; i++)
            fprintf(to, " %" PRIu64, file->lines[i] - 1);
        fputs("; do printf '%*s\\n' $length ''; done >", to);
    } else {
        fprintf(to, "truncate -s %" PRIu64 " ", file->bytes);
    }
    put_quoted(to, own);
    fputc('\n', to);
}

/* As the program names it. */
static char *name_of_file(struct fth_writing *writing, const char *path, const char *directory)
{
    char *own = fth_name_of_path(path, directory), *template;
    if (!writing->settings->anonymous)
        return own;
    int64_t numbers[8];
    unsigned widths[8];
    fth_name_parse(own, &template, numbers, widths);
    free(own);
    own = fth_proxy_write_anonymous(writing, template, true);
    free(template);
    struct fth_growing_text made;
    fth_growing_text_open(&made);
    for (size_t i = 0, number = 0; own[i]; i++)
        if (own[i] == 1) {
            fprintf(made.file, "%0*" PRId64, (int)widths[number], numbers[number]);
            number++;
        } else {
            fputc(own[i], made.file);
        }
    fth_growing_text_end(&made);
    free(own);
    return made.text;
}

char *fth_proxy_write_prepare(struct fth_writing *writing, const struct fth_needed_files *needed,
                              const char *directory)
{
    struct fth_growing_text prepare;
    struct fth_intern folders = {0};
    bool any = false, *are_folders = find_folders(needed);
    fth_growing_text_open(&prepare);
    fputs("#!/bin/sh\n# Makes the files that have to be there before the program runs, in this "
          "folder.\nset -e\n",
          prepare.file);
    for (uint32_t i = 0; i < needed->paths.count; i++) {
        const struct fth_needed_file *file = &needed->files[i];
        char *own = name_of_file(writing, file->path, directory);
        bool is_needed = fth_file_is_needed(file) && strcmp(own, ".") != 0;
        if (strchr(own, '/') && !makes_folder(needed, file->path)) {
            put_folder(prepare.file, &folders, own);
            any = true;
        }
        if (is_needed) {
            if (file->by_library && !are_folders[i])
                fputs("# of a library, which alone can write it: put one there\n# ", prepare.file);
            put_needed(prepare.file, file, own, are_folders[i]);
            any = true;
        }
        free(own);
    }
    free(are_folders);
    fth_intern_free(&folders);
    fth_growing_text_end(&prepare);
    if (!any) {
        free(prepare.text);
        return NULL;
    }
    return prepare.text;
}
