/* Lists of paths by their beginnings, parts and endings, and the test of a path against them. */
#include "analysis/select/noise.h"

#include <string.h>

/* "/sys/" is the beginning of /sys/devices, and of /sys itself. */
static bool begins_with_one(const char *path, const char *const *beginnings)
{
    for (; *beginnings; beginnings++) {
        size_t length = strlen(*beginnings), given = strlen(path);
        bool is_itself = given + 1 == length && (*beginnings)[given] == '/';
        if (strncmp(path, *beginnings, is_itself ? given : length) == 0)
            return true;
    }
    return false;
}

static bool has_one(const char *path, const char *const *parts)
{
    for (; *parts; parts++)
        if (strstr(path, *parts))
            return true;
    return false;
}

static bool ends_with_one(const char *path, const char *const *endings)
{
    size_t length = strlen(path);
    for (; *endings; endings++) {
        size_t size = strlen(*endings);
        if (length >= size && strcmp(path + length - size, *endings) == 0)
            return true;
    }
    return false;
}

#define LOCK_TEST ".locktest."

/* Sessions and settings of Open MPI, PRRTE and PMIx; what OMPIO tries locks with. Hydra and UCX
 * have theirs in /dev/shm and sockets. */
static const char *const launchers[] = {"/ompi.",   "/prte.",  "/pmix",   "/.openmpi/",
                                        "/.pmix/",  "/.prte/", LOCK_TEST, "/openmpi-sessions",
                                        "/.ompio.", NULL};

bool fth_analysis_is_lock_test(const char *path)
{
    return strstr(path, LOCK_TEST) != NULL;
}

bool fth_analysis_is_of_session(const char *path)
{
    static const char *const own[] = {"socket:", "anon_inode:", "/dev/shm/", NULL};
    return begins_with_one(path, own) || has_one(path, launchers);
}

bool fth_analysis_is_noise(const char *path, bool has_moved_bytes)
{
    static const char *const own[] = {"/dev/shm/", "pipe:", NULL};
    static const char *const system[] = {
        "/proc/",   "/sys/",       "/dev/",   "/run/", "/etc/",       "/lib/", "/lib64/",
        "/usr/lib", "/usr/share/", "socket:", "pipe:", "anon_inode:", NULL};
    static const char *const programs[] = {
        ".so.", "/__pycache__", "/site-packages/", "/dist-packages/", "/lib/python3", NULL};
    static const char *const modules[] = {".so", ".py", ".pyc", "/pyvenv.cfg", NULL};
    if (has_moved_bytes && begins_with_one(path, own))
        return false;
    return begins_with_one(path, system) || has_one(path, programs) ||
           ends_with_one(path, modules) || has_one(path, launchers);
}
