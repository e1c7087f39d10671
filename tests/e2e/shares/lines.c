/* A child prints 40,000 short lines through a stream into a pipe, and its parent reads them through
 * another one. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    char line[64];
    if (pipe(ends))
        abort();
    if (!fork()) {
        close(ends[0]);
        FILE *to = fdopen(ends[1], "w");
        for (int i = 0; to && i < 20000; i++) {
            fprintf(to, "%d\n", i);
            fputs("x\n", to);
        }
        _exit(!to || fclose(to));
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    int lines = 0;
    while (from && fgets(line, sizeof line, from))
        lines++;
    if (lines != 40000 || fclose(from))
        abort();
    return wait(NULL) < 0;
}
