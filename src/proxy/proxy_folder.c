/* A folder that nothing is replaced in. */
#include "proxy/proxy_folder.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int fth_proxy_folder_make(const char *path, struct fth_error **error)
{
    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return fth_fail_errno(error, "cannot make the folder '%s'", path);
    DIR *folder = opendir(path);
    if (!folder)
        return fth_fail_errno(error, "cannot open the folder '%s'", path);
    bool empty = true;
    for (struct dirent *entry; (entry = readdir(folder));)
        empty = empty && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."));
    closedir(folder);
    return empty ? 0
                 : fth_fail(error,
                            "the folder '%s' is not empty: nothing in it is replaced; name "
                            "another one",
                            path);
}

int fth_proxy_folder_put(const char *folder, const char *name, const char *text, mode_t mode,
                         struct fth_error **error)
{
    if (!text)
        return 0;
    char *path = fth_text_format("%s/%s", folder, name);
    FILE *file = fopen(path, "wx");
    bool wrong = !file || fputs(text, file) < 0;
    if (file)
        wrong = fclose(file) != 0 || wrong;
    if (!wrong && mode)
        wrong = chmod(path, mode) != 0;
    int result = wrong ? fth_fail_errno(error, "cannot write '%s'", path) : 0;
    free(path);
    return result;
}
