/* What comes with Fathom is looked for from the folder of the running program, so that an installed
 * tree can be moved, and one that was only built works in place. */
#include "cmd/shared/installed.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/shared/command.h"

#include <dirent.h>
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

/* ---- clusters ---- */

static const char cluster_folder[] = "../share/fathom/clusters", suffix[] = ".yaml";

static int is_cluster(const struct dirent *entry)
{
    return fth_text_ends(entry->d_name, suffix);
}

/* "node, pvs, slingshot"; to be freed. NULL: none is installed. */
static char *all_clusters(void)
{
    char path[PATH_MAX];
    struct dirent **entries;
    int count = fth_cmd_installed(cluster_folder, "", path)
                    ? scandir(path, &entries, is_cluster, alphasort)
                    : -1;
    if (count < 0)
        return NULL;
    char *names = NULL;
    for (int i = 0; i < count; i++) {
        char *longer =
            fth_text_format("%s%s%.*s", names ? names : "", names ? ", " : "",
                            (int)(strlen(entries[i]->d_name) - strlen(suffix)), entries[i]->d_name);
        free(names);
        free(entries[i]);
        names = longer;
    }
    free(entries);
    return names;
}

static void say_there_is_none(const struct argp_state *state, const char *given)
{
    char *names = all_clusters();
    fth_cmd_wrong(
        state, "there is no cluster '%s': it is neither a file nor one that comes with Fathom%s%s",
        given, names ? ": " : "", names ? names : "");
    free(names);
}

const char *fth_cmd_cluster(const struct argp_state *state, const char *given, char path[PATH_MAX])
{
    static const char folder[] = "clusters/";
    if (access(given, F_OK) == 0)
        return given;
    const char *name = given + (fth_text_begins(given, folder) ? strlen(folder) : 0);
    size_t length = strlen(name);
    if (fth_text_ends(name, suffix))
        length -= strlen(suffix);
    if (!length || memchr(name, '/', length))
        return given;
    char *file = fth_text_format("%.*s%s", (int)length, name, suffix);
    bool is_ours = fth_cmd_installed(cluster_folder, file, path);
    free(file);
    if (state && !is_ours && !fth_text_ends(given, suffix))
        say_there_is_none(state, given);
    return is_ours ? path : given;
}
