/* locked hold|take FILE...: each file is locked and written. With `take`, the first of which that
 * succeeds is printed. With `hold`, a line of standard input names one of them, which is written
 * under the lock; behind another line it is written again, and read with a new lock. */
#include <fathom/fs.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int writes(struct fth_fs_file *file, const char *text)
{
    size_t length = strlen(text);
    return fth_fs_seek(file, 0, SEEK_SET) < 0 || fth_fs_write(file, text, length) != (ssize_t)length
               ? -1
               : 0;
}

static int locks(struct fth_fs_file *file)
{
    return fth_fs_acquire_lock(file, 0, 100, FTH_FS_LOCK_WRITE);
}

static void say(const char *what, int failed)
{
    printf("%s: %s\n", what, failed ? strerror(errno) : "done");
    fflush(stdout);
}

static int take(char **names)
{
    for (; *names; names++) {
        struct fth_fs_file *file = fth_fs_open(*names);
        if (file && !locks(file) && !writes(file, "newer")) {
            puts(*names);
            return 0;
        }
    }
    return 1;
}

static struct fth_fs_file *next_file(void)
{
    char line[256];
    if (!fgets(line, sizeof line, stdin))
        return NULL;
    line[strcspn(line, "\n")] = 0;
    return fth_fs_open(line);
}

static int hold(char **names)
{
    char bytes[16] = "";
    for (; *names; names++) {
        struct fth_fs_file *file = fth_fs_open(*names);
        if (!file || locks(file) || writes(file, "first"))
            return 1;
    }
    say("held", 0);
    struct fth_fs_file *file = next_file();
    if (!file)
        return 1;
    say("late", writes(file, "late!"));
    if (next_file() != NULL)
        say("again", writes(file, "again"));
    say("read under the lost lock", fth_fs_read(file, bytes, 5) != 5);
    if (fth_fs_attach_file(file) || locks(file) || fth_fs_seek(file, 0, SEEK_SET) < 0 ||
        fth_fs_read(file, bytes, 5) != 5)
        return 1;
    puts(bytes);
    return writes(file, "last.");
}

int main(int count, char **words)
{
    if (count < 3)
        return 1;
    return strcmp(words[1], "take") == 0 ? take(words + 2) : hold(words + 2);
}
