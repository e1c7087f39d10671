/* Reads lines by getline: of a file that is there, and of text of its own. */
#include <stdio.h>
#include <stdlib.h>

static char bytes[100];

static int read_lines(const char *name)
{
    char *line = NULL;
    size_t room = 0;
    int count = 0;
    FILE *file = fopen(name, "r");
    while (getline(&line, &room, file) > 0)
        count++;
    rewind(file);
    if (fread(bytes, 1, 100, file) == 0 || getdelim(&line, &room, ' ', file) < 1)
        exit(1);
    fclose(file);
    free(line);
    return count;
}

int main(void)
{
    FILE *file = fopen("own", "w");
    for (int i = 0; i < 50; i++)
        fprintf(file, "%d, %d\n", i, i * i * i);
    fclose(file);
    return read_lines("own") != 50 || read_lines("input") != 20;
}
