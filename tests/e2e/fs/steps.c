/* One step after the other, each in a process of its own, on one instance:
 *
 *     steps write TEXT     writes TEXT to the file `note` and attaches it
 *     steps lose TEXT      the same without the attach
 *     steps read TEXT      queries, and expects TEXT from whoever attached it
 *     steps below TEXT     expects TEXT without a query */
#include <fathom/fs.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check(int good, const char *what)
{
    if (good)
        return;
    perror(what);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    char text[256];
    size_t length = strlen(argv[2]);
    struct fth_fs_file *file = fth_fs_open("deep/er/note");
    check(file != NULL, "open");
    if (strcmp(argv[1], "write") == 0 || strcmp(argv[1], "lose") == 0) {
        check(fth_fs_write(file, argv[2], length) == (ssize_t)length, "write");
        if (*argv[1] == 'w')
            check(!fth_fs_attach_file(file), "attach");
    } else if (strcmp(argv[1], "read") == 0) {
        struct fth_fs_interval *owners;
        int count;
        check(!fth_fs_query_file(file, &owners, &count), "query");
        check(count == 1 && owners[0].end - owners[0].begin == length, "one owner");
        check(fth_fs_read_peer(file, &owners[0].owner, 0, length, text) == (ssize_t)length, "peer");
        check(memcmp(text, argv[2], length) == 0, "the bytes");
        free(owners);
    } else {
        check(fth_fs_read(file, text, sizeof text) == (ssize_t)length, "read");
        check(memcmp(text, argv[2], length) == 0, "the bytes");
    }
    check(!fth_fs_close(file), "close");
    return 0;
}
