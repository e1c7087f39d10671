/* Reads to the end of a stream in every way, with an errno that is not its own, and from one that
 * cannot be read. */
#include <stdio.h>
#include <stdlib.h>

static void read_all(FILE *stream)
{
    char text[100], *line = NULL;
    size_t size = 0;
    while (fgets(text, sizeof text, stream))
        ;
    while (getc(stream) != EOF)
        ;
    while (getline(&line, &size, stream) >= 0)
        ;
    free(line);
}

int main(void)
{
    if (fopen("missing", "r")) /* ENOENT stays in errno */
        return 1;
    FILE *file = fopen("words", "r"), *output = fopen("output", "w");
    if (!file || !output)
        return 1;
    read_all(file);
    read_all(output);
    return 0;
}
