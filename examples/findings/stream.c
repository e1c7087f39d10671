/* A table written line by line.
 *
 *     stream bad      flushes every line
 *     stream mended   leaves that to the stdio buffer
 */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    FILE *table = fopen("table.txt", "w");
    for (int i = 0; i < 2000; i++) {
        fprintf(table, "%d %d %d\n", i, i * i, i % 7);
        if (argc < 2 || strcmp(argv[1], "mended") != 0)
            fflush(table);
    }
    return fclose(table) != 0;
}
