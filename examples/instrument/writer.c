/* Writes blocks to the store, and reads them back: writer SERVERS BLOCKS [FIRST]. */
#include "store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 200 << 10 };

int main(int argc, char **argv)
{
    int servers = argc > 1 ? atoi(argv[1]) : 1, blocks = argc > 2 ? atoi(argv[2]) : 4;
    int first = argc > 3 ? atoi(argv[3]) : 0;
    char *block = malloc(BLOCK), *again = malloc(BLOCK);
    struct store *store = store_open(servers);
    if (!store)
        return 1;
    for (int i = first; i < first + blocks; i++) {
        memset(block, 'a' + i % 26, BLOCK);
        if (store_write(store, block, BLOCK, (uint64_t)i * BLOCK) != BLOCK)
            return 1;
    }
    for (int i = first; i < first + blocks; i++) {
        memset(block, 'a' + i % 26, BLOCK);
        if (store_read(store, again, BLOCK, (uint64_t)i * BLOCK) != BLOCK ||
            memcmp(block, again, BLOCK) != 0) {
            fprintf(stderr, "block %d is not what was written\n", i);
            return 1;
        }
    }
    store_close(store);
    free(block);
    free(again);
    return 0;
}
