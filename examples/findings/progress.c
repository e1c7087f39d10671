/* A program that computes, and prints to a pipe how far it is.
 *
 *     progress bad | cat      a line for each step: a system call for each, and a wait when the
 *                             reader is slow
 *     progress mended | cat   the first line only
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STEPS = 20000, TERMS = 500 };

int main(int argc, char **argv)
{
    int each = argc > 1 && strcmp(argv[1], "bad") == 0 ? 1 : STEPS;
    double x = 1;
    for (int step = 0; step < STEPS; step++) {
        for (int term = 0; term < TERMS; term++)
            x = cos(x);
        if (step % each)
            continue;
        printf("step %d: %.12f\n", step, x);
        fflush(stdout);
    }
    return 0;
}
