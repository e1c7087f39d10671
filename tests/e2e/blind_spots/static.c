/* A program without a dynamic loader: nothing can be preloaded into it. */
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("static-file", "w");
    return !file || fputs("static\n", file) < 0 || fclose(file) != 0 || puts("static") < 0;
}
