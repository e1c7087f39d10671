/* A folder $TMPDIR/fathom-wrap-XXXXXX for the source of a plug-in and the plug-in as the compiler
 * makes it. Who uses it holds a lock on the source, which the system lets go when the process ends,
 * however it ends: a folder of this user whose source nobody holds is removed by the next `fathom
 * wrap`. */
#include "cmd/wrap/wrap_folder.h"

#include "cmd/run/run.h"
#include "base/own_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "fathom-wrap-", source_name[] = "plugin.c",
                  plugin_name[] = "plugin.so";

/* ---- those that are left ---- */

/* Removes the folder `name`, if nobody holds it. One that has no source yet, or any more, goes if
 * it is empty: its maker makes another one. */
static void remove_if_left(int parent, const char *name)
{
    int folder = fth_own_folder(parent, name, NULL);
    int source = folder < 0 ? -1 : fth_own_folder_file(folder, source_name);
    if (source < 0 || flock(source, LOCK_EX | LOCK_NB) == 0) {
        if (source >= 0) {
            unlinkat(folder, plugin_name, 0);
            unlinkat(folder, source_name, 0);
        }
        if (folder >= 0)
            unlinkat(parent, name, AT_REMOVEDIR);
    }
    if (source >= 0)
        close(source);
    if (folder >= 0)
        close(folder);
}

static void remove_left(const char *parent)
{
    DIR *listed = opendir(parent);
    for (struct dirent *entry; listed && (entry = readdir(listed));)
        if (strncmp(entry->d_name, prefix, sizeof prefix - 1) == 0)
            remove_if_left(dirfd(listed), entry->d_name);
    if (listed)
        closedir(listed);
}

/* ---- signals ---- */

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
static struct fth_wrap_folder *in_use;

static void remove_files(const struct fth_wrap_folder *folder)
{
    char path[PATH_MAX];
    unlink(folder->plugin);
    unlink(folder->source);
    strcpy(path, folder->source);
    path[strlen(path) - sizeof source_name] = 0;
    rmdir(path);
}

static void interrupted(int number)
{
    if (in_use)
        remove_files(in_use);
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that are ignored stay so. */
static void catch_signals(bool caught)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now;
        if (sigaction(numbers[i], NULL, &now) == 0 &&
            now.sa_handler == (caught ? SIG_DFL : interrupted))
            signal(numbers[i], caught ? interrupted : SIG_DFL);
    }
}

/* ---- one of our own ---- */

/* 0; 1: somebody took it for one that is left; -1. */
static int make(struct fth_wrap_folder *folder, const char *parent)
{
    struct stat facts;
    char path[PATH_MAX - sizeof plugin_name];
    int length = snprintf(path, sizeof path, "%s/%sXXXXXX", parent, prefix);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (!mkdtemp(path))
        return -1;
    snprintf(folder->source, sizeof folder->source, "%s/%s", path, source_name);
    snprintf(folder->plugin, sizeof folder->plugin, "%s/%s", path, plugin_name);
    folder->held = open(folder->source, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (folder->held < 0)
        return errno == ENOENT ? 1 : -1;
    bool removed = flock(folder->held, LOCK_EX | LOCK_NB) != 0
                       ? errno == EWOULDBLOCK /* without locks nobody else gets one either */
                       : fstat(folder->held, &facts) != 0 || facts.st_nlink == 0;
    if (removed)
        close(folder->held);
    return removed;
}

int fth_wrap_folder_make(struct fth_wrap_folder *folder, struct fth_error **error)
{
    const char *parent = fth_run_default_parent();
    int made = 1;
    remove_left(parent);
    for (int tries = 0; made > 0 && tries < 10; tries++)
        made = make(folder, parent);
    if (made != 0)
        return fth_fail_errno(error, "cannot make a folder in '%s'", parent);
    in_use = folder;
    catch_signals(true);
    return 0;
}

void fth_wrap_folder_remove(struct fth_wrap_folder *folder)
{
    remove_files(folder);
    catch_signals(false);
    in_use = NULL;
    close(folder->held);
}
