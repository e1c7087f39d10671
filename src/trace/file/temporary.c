/* Files that become others when they are whole: see the header. SIGKILL leaves one, which the next
 * process that writes to the same place removes. A lock shows that its process is gone, on other
 * nodes, too; where a file system has no locks, it stays. */
#include "trace/file/temporary.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".tmp";

char *fth_temporary_name(const char *path, long pid)
{
    char *name;
    name = fth_text_format("%s.%ld%s", path, pid, ending);
    return name;
}

/* The PID of NAME.PID.tmp; 0: it is none. */
static long pid_in(const char *entry, const char *name)
{
    size_t length = strlen(name);
    char *end;
    if (strncmp(entry, name, length) != 0 || entry[length] != '.' || entry[length + 1] < '1' ||
        entry[length + 1] > '9')
        return 0;
    errno = 0;
    long pid = strtol(entry + length + 1, &end, 10);
    return errno || strcmp(end, ending) != 0 ? 0 : pid;
}

/* Nobody writes it: its process does not live, and no other node holds the lock. */
static void remove_if_left(int folder, const char *entry, long pid)
{
    struct stat facts;
    if (kill((pid_t)pid, 0) == 0 || errno != ESRCH)
        return;
    int file = openat(folder, entry, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, entry, 0);
    close(file);
}

static void remove_left(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *place = slash ? fth_text_part(path, (size_t)(slash - path) + 1) : fth_text_copy(".");
    DIR *folder = place ? opendir(place) : NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        long pid = pid_in(entry->d_name, name);
        if (pid > 0 && pid != getpid())
            remove_if_left(dirfd(folder), entry->d_name, pid);
    }
    if (folder)
        closedir(folder);
    free(place);
}

int fth_temporary_open(const char *path, const char *name)
{
    remove_left(path);
    int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0)
        flock(file, LOCK_EX | LOCK_NB); /* nobody else knows it yet */
    return file;
}
