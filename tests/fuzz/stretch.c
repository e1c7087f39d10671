/* stretch FROM TO NS: a copy of a trace in which the clock of each process took NS for its whole
 * run. Times near the largest number are made so. */
#include "mutate.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 20];
    struct mutated pieces;
    struct fth_bytes made = {0};
    FILE *from = argc == 4 ? fopen(argv[1], "re") : NULL;
    size_t length = from ? fread(bytes, 1, sizeof bytes, from) : 0;
    FILE *to = argc == 4 ? fopen(argv[2], "we") : NULL;
    if (!to || length == sizeof bytes || !mutate_take_apart(bytes, length, &pieces))
        return 1;
    mutate_clocks(&pieces, strtoull(argv[3], NULL, 10));
    mutate_put_together(&made, &pieces);
    return fwrite(made.data, 1, made.length, to) != made.length || fclose(to) != 0;
}
