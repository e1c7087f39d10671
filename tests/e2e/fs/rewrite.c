/* Writes blocks of a file again and again, and reads what it wrote last: rewrite FILE. Then it
 * attaches all of it. */
#include <fathom/fs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536, BLOCKS = 32, WRITES = 400 };

static int stop(const char *what)
{
    perror(what);
    return 1;
}

int main(int argc, char **argv)
{
    static char block[BLOCK], got[BLOCK];
    int last[BLOCKS] = {0};
    struct fth_fs_file *file = argc == 2 ? fth_fs_open(argv[1]) : NULL;
    if (!file)
        return stop("open");
    srand(1);
    for (int i = 1; i <= WRITES; i++) {
        int at = rand() % BLOCKS, from = rand() % BLOCKS;
        last[at] = i % 127 + 1;
        memset(block, last[at], BLOCK);
        fth_fs_seek(file, (int64_t)at * BLOCK, SEEK_SET);
        if (fth_fs_write(file, block, BLOCK) != BLOCK)
            return stop("write");
        if (!last[from])
            continue;
        memset(block, last[from], BLOCK);
        fth_fs_seek(file, (int64_t)from * BLOCK, SEEK_SET);
        if (fth_fs_read(file, got, BLOCK) != BLOCK || memcmp(got, block, BLOCK) != 0)
            return stop("the bytes are not what was written");
    }
    return fth_fs_attach_file(file) || fth_fs_close(file) ? stop("attach") : 0;
}
