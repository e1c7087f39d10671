/* Files of a server that was killed. */
#include "fs/server/held_again.h"

#include "fs/protocol/held_files.h"

#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_called(const struct stat *facts, uint64_t born, const struct fth_held_file *held)
{
    char own[FTH_IDENTITY_MOST];
    return fth_identity_of(facts, born, own) == held->length &&
           memcmp(own, held->identity, held->length) == 0;
}

static bool is_it(int file, const struct fth_held_file *held)
{
    struct stat facts;
    return fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
           fth_held_born(file, "") == held->born &&
           (is_called(&facts, 0, held) || is_called(&facts, held->born, held));
}

/* It is looked at before it is opened: to open a device or a pipe may do something. */
int fth_held_again(const char *path, const struct fth_held_file *held)
{
    char link[64];
    int file = -1, seen = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (seen < 0)
        return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", seen);
    if (is_it(seen, held)) {
        file = open(link, O_RDWR | O_CLOEXEC);
        file = file < 0 ? open(link, O_WRONLY | O_CLOEXEC) : file;
    }
    close(seen);
    return file;
}

void fth_held_again_each(const char *folder,
                         void (*look)(const char *path, const struct stat *facts, void *data),
                         void *data)
{
    char *const folders[] = {(char *)folder, NULL};
    FTS *walk = fts_open(folders, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
    FTSENT *entry;
    while (walk && (entry = fts_read(walk)))
        if (entry->fts_info == FTS_F)
            look(entry->fts_accpath, entry->fts_statp, data);
    if (walk)
        fts_close(walk);
}
