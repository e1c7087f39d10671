/* What comes with Fathom is looked for from the folder of the running program, so that an installed
 * tree can be moved, and one that was only built works in place. */
#include "cmd/shared/installed.h"

#include "base/memory.h"
#include "base/text.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined __x86_64__
#define TRIPLE "x86_64-linux-gnu"
#elif defined __aarch64__
#define TRIPLE "aarch64-linux-gnu"
#endif

bool fth_cmd_installed(const char *folder, const char *name, char path[PATH_MAX])
{
    static const char *const libraries[] = {"../lib/fathom", "../lib/" TRIPLE "/fathom",
                                            "../lib64/fathom", "../lib"};
    const char *const *folders = folder ? &folder : libraries;
    size_t count = folder ? 1 : sizeof libraries / sizeof *libraries;
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = 0;
    const char *here = dirname(self);
    for (size_t i = 0; i < count; i++) {
        char candidate[2 * PATH_MAX];
        snprintf(candidate, sizeof candidate, "%s/%s/%s", here, folders[i], name);
        if (realpath(candidate, path) && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

const char *fth_cmd_cluster(const char *given, char path[PATH_MAX])
{
    static const char folder[] = "clusters/", suffix[] = ".yaml";
    if (access(given, F_OK) == 0)
        return given;
    const char *name = given + (fth_text_begins(given, folder) ? strlen(folder) : 0);
    size_t length = strlen(name), end = strlen(suffix);
    if (length > end && !strcmp(name + length - end, suffix))
        length -= end;
    if (!length || memchr(name, '/', length))
        return given;
    char *file = fth_text_format("%.*s%s", (int)length, name, suffix);
    bool is_ours = fth_cmd_installed("../share/fathom/clusters", file, path);
    free(file);
    return is_ours ? path : given;
}
