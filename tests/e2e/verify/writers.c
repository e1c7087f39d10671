/* Two processes and one file, in several ways that differ in what is shared. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[100];

static void put(const char *name, off_t offset)
{
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    if (file < 0 || pwrite(file, bytes, sizeof bytes, offset) != sizeof bytes)
        exit(1);
    close(file);
}

/* Blocks of ten bytes, every hundred of them from `offset` on. */
static void put_blocks(const char *name, off_t offset)
{
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 1000; i++)
        if (pwrite(file, bytes, 10, offset + i * 100) != 10)
            exit(1);
    close(file);
}

/* What one process waits for is a file that another one makes: that orders them, but the trace does
 * not show it, as glob is not recorded. */
static void say(const char *name)
{
    close(open(name, O_WRONLY | O_CREAT, 0600));
}

static void wait_for(const char *name)
{
    glob_t found;
    while (glob(name, GLOB_NOSORT, NULL, &found) != 0)
        usleep(1000);
    globfree(&found);
}

/* Two children write, one after the other. */
static void two(void (*write)(const char *, off_t), const char *first, off_t one,
                const char *second, off_t other)
{
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            if (i)
                wait_for("written");
            write(i ? second : first, i ? other : one);
            say("written");
            exit(0);
        }
    }
    for (int i = 0; i < 2; i++)
        waitpid(children[i], NULL, 0);
}

/* Two children write, and in the middle `change` is done to names. */
static void change_between(void (*change)(void), const char *second)
{
    pid_t children[2];
    put("shared", 1000);
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            if (i)
                wait_for("changed");
            put(i ? second : "shared", 0);
            say("written");
            exit(0);
        }
    }
    wait_for("written");
    change();
    say("changed");
    for (int i = 0; i < 2; i++)
        waitpid(children[i], NULL, 0);
}

/* The second child copies to what the first one has written. */
static void copy_to(const char *name, off_t offset)
{
    int from = open("source", O_RDWR | O_CREAT, 0600), to = open(name, O_WRONLY | O_CREAT, 0600);
    off_t at = 0;
    if (pwrite(from, bytes, sizeof bytes, 0) != sizeof bytes ||
        copy_file_range(from, &at, to, &offset, sizeof bytes, 0) != sizeof bytes)
        exit(1);
}

static void put_or_copy(const char *name, off_t offset)
{
    if (offset)
        copy_to(name, offset);
    else
        put(name, offset);
}

static int map_it(void)
{
    int file = open("mapped", O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, 4096))
        return 1;
    char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return 1;
    memory[0] = 1;
    return 0;
}

static void create_again(void)
{
    unlink("shared");
    put("shared", 5000);
}

static void rename_it(void)
{
    rename("shared", "other");
}

static void link_it(void)
{
    if (link("shared", "other"))
        exit(1);
}

/* One child makes a file and renames it; the other one looks for both names then. Nothing that the
 * trace shows orders them; the parent comes before and after. */
static void race_for_names(void)
{
    struct stat state;
    mkdir("d", 0700);
    if (fork() == 0) {
        put("d/a", 0);
        rename("d/a", "d/b");
        say("renamed");
        exit(0);
    }
    if (fork() == 0) {
        wait_for("renamed");
        stat("d/a", &state);
        DIR *folder = opendir("d");
        while (readdir(folder))
            ;
        closedir(folder);
        close(open("d/b", O_RDONLY));
        exit(0);
    }
    while (wait(NULL) > 0)
        ;
    unlink("d/b");
    rmdir("d");
}

static const char *const letters = "abcdefghijkl";

/* One child makes many files, the other one looks for them. */
static void race_for_many(void)
{
    struct stat state;
    mkdir("d", 0700);
    mkdir("e", 0700);
    for (int child = 0; child < 2; child++) {
        if (fork() != 0)
            continue;
        for (int i = 0; i < 25; i++) {
            char name[32] = "d/x";
            if (i < 12)
                snprintf(name, sizeof name, "d/part.%d", i);
            else if (i < 24)
                snprintf(name, sizeof name, "e/%c", letters[i - 12]);
            if (child)
                stat(name, &state);
            else
                close(open(name, O_WRONLY | O_CREAT | O_EXCL, 0600));
        }
        exit(0);
    }
    while (wait(NULL) > 0)
        ;
}

static void kill_one(void)
{
    if (fork() == 0) {
        put("shared", 0);
        raise(SIGKILL);
    }
    wait(NULL);
}

/* A child reads a hole of a file of which nobody knows how long it was. */
static void read_a_hole(void)
{
    if (truncate("shared", 1 << 20))
        exit(1);
    if (fork() == 0) {
        int file = open("shared", O_RDONLY);
        exit(pread(file, bytes, 10, 100) != 10);
    }
    wait(NULL);
}

/* A child reads what its parent has written, and what that left out. */
static void read_both(void)
{
    put("both", 100);
    if (fork() == 0) {
        int file = open("both", O_RDONLY);
        exit(pread(file, bytes, sizeof bytes, 50) != sizeof bytes);
    }
    wait(NULL);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "alone") == 0)
        two(put, "one", 0, "other", 0);
    else if (strcmp(how, "together") == 0)
        two(put, "shared", 0, "shared", 50);
    else if (strcmp(how, "strided") == 0)
        two(put_blocks, "shared", 0, "shared", 5);
    else if (strcmp(how, "again") == 0)
        change_between(create_again, "shared");
    else if (strcmp(how, "renamed") == 0)
        change_between(rename_it, "other");
    else if (strcmp(how, "linked") == 0)
        change_between(link_it, "other");
    else if (strcmp(how, "many") == 0)
        race_for_many();
    else if (strcmp(how, "killed") == 0)
        kill_one();
    else if (strcmp(how, "copied") == 0)
        two(put_or_copy, "shared", 0, "shared", 50);
    else if (strcmp(how, "mapped") == 0)
        return map_it();
    else if (strcmp(how, "put") == 0)
        put("shared", 0);
    else if (strcmp(how, "names") == 0)
        race_for_names();
    else if (strcmp(how, "sparse") == 0)
        read_a_hole();
    else if (strcmp(how, "both") == 0)
        read_both();
    else
        return 2;
    return 0;
}
