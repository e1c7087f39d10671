/* Streams that macros work in: with optimization, putc_unlocked and getc_unlocked are no calls but
 * where the buffer is used up. One stream is left open, one is written by a child as well. A file
 * has a name that mkstemp chose. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void put(FILE *to, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc_unlocked('a' + i % 26, to);
}

int main(void)
{
    FILE *large = fopen("large", "w");
    put(large, 10000);
    fclose(large);
    FILE *mixed = fopen("mixed", "w+");
    put(mixed, 10);
    fprintf(mixed, "line %d\n", 5);
    put(mixed, 7000);
    fseek(mixed, 100, SEEK_SET);
    put(mixed, 3);
    fwrite("xx", 1, 2, mixed);
    fflush(mixed);
    put(mixed, 9000);
    rewind(mixed);
    while (getc_unlocked(mixed) != EOF)
        ;
    fclose(mixed);
    FILE *few = fopen("few", "a");
    fputs("one call, ", few);
    put(few, 90);
    fclose(few);
    FILE *both = fopen("both", "w");
    put(both, 50);
    pid_t child = fork();
    if (!child) {
        fputs("child", both);
        put(both, 20);
        exit(0);
    }
    waitpid(child, NULL, 0);
    put(both, 30);
    put(stdout, 5000);
    char unique[] = "unique.XXXXXX";
    int file = mkstemp(unique);
    write(file, unique, 5);
    futimens(file, (struct timespec[2]){{1, 0}, {1, 0}});
    close(file);
    FILE *left = fopen("left", "w");
    put(left, 6000);
    return 0;
}
