/* behind HOW FOLDER [OTHER]: changes the name of a file in FOLDER. Two processes access the file;
 * the one that looks it up by its new name knows FOLDER as OTHER. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how, *folder, *other;

static void must(int done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(1);
}

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static void put(int file)
{
    must(pwrite(file, "12345678", 8, 0) == 8, "pwrite");
}

static const char *in(const char *where, const char *name)
{
    static char paths[4][4096];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", where, name);
    return path;
}

static int open_in(const char *where, const char *name, int flags)
{
    int file = open(in(where, name), O_RDWR | flags, 0600);
    must(file >= 0, name);
    return file;
}

static void look_up(void)
{
    if (is("cut"))
        must(truncate(in(other, "file"), 4) == 0, "truncate");
    else
        put(open_in(other, "file", 0));
}

static void wait_for(pid_t child)
{
    int status;
    must(waitpid(child, &status, 0) == child && status == 0, "waitpid");
}

/* FOLDER is a link. */
static void make_link_again(void)
{
    char target[4096] = "";
    must(readlink(folder, target, sizeof target - 1) > 0 && unlink(folder) == 0 &&
             symlink(target, folder) == 0,
         "link");
}

/* The file has the name `file` then, but where that was deleted. Returns a descriptor of it. */
static int change_names(void)
{
    int file = open_in(folder, is("cut") || is("deleted") ? "file" : "new", O_CREAT);
    put(file);
    if (is("again") || is("ordered_again"))
        make_link_again();
    if (is("below")) {
        int there = open(folder, O_PATH | O_DIRECTORY);
        must(renameat(there, "new", there, "file") == 0, "renameat");
    } else if (is("linked")) {
        must(link(in(folder, "new"), in(folder, "file")) == 0, "link");
    } else if (is("deleted")) {
        must(unlink(in(folder, "file")) == 0, "unlink");
        close(open_in(folder, "file", O_CREAT));
    } else if (!is("cut")) {
        must(rename(in(folder, "new"), in(folder, "file")) == 0, "rename");
    }
    return file;
}

/* Somebody asks for the name meanwhile. */
static void ask_for_name(void)
{
    close(open_in(folder, "file", O_CREAT));
    pid_t child = fork();
    must(child >= 0, "fork");
    if (!child)
        exit(access(in(other, "file"), F_OK));
    must(rename(in(folder, "file"), in(folder, "gone")) == 0, "rename");
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    how = argv[1];
    folder = argv[2];
    other = argv[argc - 1];
    if (is("asked")) {
        ask_for_name();
        return 0;
    }
    int file = change_names();
    bool ordered = strncmp(how, "ordered", 7) == 0;
    if (ordered)
        close(file);
    pid_t child = fork();
    must(child >= 0, "fork");
    if (!child) {
        look_up();
        return 0;
    }
    if (!ordered)
        put(file);
    wait_for(child);
    return 0;
}
