/* locks FILE TIMES: two processes, one behind the other, each write a byte so many times under a
 * lock that each gives up. The second one ends first. */
#include <fathom/fs.h>

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int writes(const char *name, int times)
{
    struct fth_fs_file *file = fth_fs_open(name);
    if (!file)
        return 1;
    for (int i = 0; i < times; i++)
        if (fth_fs_acquire_lock(file, 0, 100, FTH_FS_LOCK_WRITE) || fth_fs_seek(file, 0, 0) < 0 ||
            fth_fs_write(file, "x", 1) != 1 || fth_fs_release_lock(file, 0, 100))
            return 1;
    return fth_fs_close(file) != 0;
}

int main(int count, char **words)
{
    int status;
    if (count != 3 || writes(words[1], atoi(words[2])))
        return 1;
    pid_t child = fork();
    if (child == 0)
        _exit(writes(words[1], atoi(words[2])));
    return child < 0 || waitpid(child, &status, 0) < 0 || status;
}
