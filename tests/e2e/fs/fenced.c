/* fenced own|take FILE...: a process that has locks, and one that takes them from it. The first one
 * writes under the locks of each file, waits for a line of standard input that names one of them,
 * and goes on there. The second one takes those of the first file whose server answers within 2 s,
 * prints its name, and lives until its standard input ends. */
#include <fathom/fs.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST, SECOND = 250, SIZE = 5 };

static bool locks(struct fth_fs_file *file)
{
    return fth_fs_acquire_lock(file, 0, 100, FTH_FS_LOCK_WRITE) == 0 &&
           fth_fs_acquire_lock(file, 200, 100, FTH_FS_LOCK_WRITE) == 0;
}

static bool writes(struct fth_fs_file *file, int64_t at, const char *text)
{
    return fth_fs_seek(file, at, SEEK_SET) == at && fth_fs_write(file, text, SIZE) == SIZE;
}

static bool reads(struct fth_fs_file *file, int64_t at, char *bytes)
{
    return fth_fs_seek(file, at, SEEK_SET) == at && fth_fs_read(file, bytes, SIZE) == SIZE;
}

static void say(const char *what, bool done)
{
    printf("%s: %s\n", what, done ? "done" : strerror(errno));
}

/* The second range has bytes that are not published: they were written before it was locked. */
static bool owns(const char *name)
{
    struct fth_fs_file *file = fth_fs_open(name);
    return file && writes(file, SECOND, "older") && locks(file) && writes(file, FIRST, "first");
}

static int go_on(void)
{
    char name[256] = "", first[SIZE + 1] = "", second[SIZE + 1] = "";
    if (!fgets(name, sizeof name, stdin))
        return 1;
    name[strcspn(name, "\n")] = 0;
    struct fth_fs_file *file = fth_fs_open(name);
    if (!file)
        return 1;
    say("write", writes(file, FIRST, "late!"));
    say("write again", writes(file, FIRST, "again"));
    say("write beside it", writes(file, FIRST + SIZE, "aside"));
    say("attach", fth_fs_attach_file(file) == 0);
    say("attach again", fth_fs_attach_file(file) == 0);
    say("read", reads(file, FIRST, first));
    if (!locks(file) || !reads(file, FIRST, first) || !reads(file, SECOND, second))
        return 1;
    printf("%s %s\n", first, second);
    return !writes(file, FIRST, "last.") || !writes(file, SECOND, "last.");
}

static int own(char **names)
{
    for (; *names; names++)
        if (!owns(*names))
            return 1;
    puts("held");
    fflush(stdout);
    return go_on();
}

static int take_one(const char *name)
{
    alarm(2);
    struct fth_fs_file *file = fth_fs_open(name);
    if (!file || !locks(file) || !writes(file, FIRST, "newer") || !writes(file, SECOND, "newer"))
        return 1;
    alarm(0);
    puts(name);
    fflush(stdout);
    while (getchar() != EOF) {
    }
    return 0;
}

static int take(char **names)
{
    int status = 1;
    for (; *names && status; names++) {
        pid_t child = fork();
        if (child == 0)
            _exit(take_one(*names));
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 1;
    }
    return status != 0;
}

int main(int count, char **words)
{
    if (count < 3)
        return 1;
    return strcmp(words[1], "take") == 0 ? take(words + 2) : own(words + 2);
}
