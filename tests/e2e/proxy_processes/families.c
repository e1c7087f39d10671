/* Starts processes in several ways: children that share its descriptors and what its stream has,
 * and programs; one for each turn, some at the same time. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void good(int is_good)
{
    if (!is_good)
        abort();
}

static void work(int number, int log, FILE *notes)
{
    char name[32], block[512];
    memset(block, 'b', sizeof block);
    snprintf(name, sizeof name, "part.%03d", 2 * number);
    int file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 10; i++)
        good(pwrite(file, block, sizeof block, i * 1024L) == (ssize_t)sizeof block);
    good(!close(file) && write(log, block, 100) == 100);
    fprintf(notes, "child\n");
}

static void await_all(void)
{
    int status;
    while (wait(&status) > 0)
        good(!status);
}

int main(void)
{
    int log = open("log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644);
    FILE *notes = fopen("notes", "a");
    good(log >= 0 && notes && fprintf(notes, "begin\n") > 0);
    for (int i = 0; i < 12; i++) {
        pid_t child = fork();
        good(child >= 0);
        if (!child) {
            work(i, log, notes);
            exit(0); /* with what the parent's stream held, too */
        }
        if (i % 4 == 3)
            await_all();
    }
    good(!fflush(notes) && !mkdir("below", 0755) && !chdir("below"));
    pid_t child = fork();
    good(child >= 0);
    if (!child) {
        good(rename("../part.000", "moved") == 0);
        good(chdir("..") == 0);
        FILE *small = fopen("small", "w");
        good(small && fputs("lost", small) >= 0);
        _exit(0); /* without what its streams hold */
    }
    await_all();
    good(!system("cat moved ../part.002 >joined; wc -c joined >count"));
    good(!fclose(notes) && !close(log));
    return 0;
}
