/* Writes a file in small pieces. MODE: slow sleeps unless it runs on the file system of Fathom, so
 * that makes it faster on every machine; plain does not; other, fails, sleeps: what it does there,
 * too; varies: no two runs write the same. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PIECES = 60000, FEW = 3000, SLOW = 900000 /* us */ };

int main(int argc, char **argv)
{
    const char *mode = argc > 2 ? argv[1] : "plain";
    int is_there = getenv("FATHOM_FS") != NULL;
    int file = open(argv[argc - 1], O_CREAT | O_RDWR | O_TRUNC, 0644);
    struct timespec now;
    if (file < 0)
        return 1;
    for (int i = 0; i < (strcmp(mode, "slow") ? FEW : PIECES); i++)
        if (pwrite(file, "piece", 5, 5 * i) != 5)
            return 1;
    if (!strcmp(mode, "other") && is_there && pwrite(file, "P", 1, 777) != 1)
        return 1;
    clock_gettime(CLOCK_REALTIME, &now);
    if (!strcmp(mode, "varies") && pwrite(file, &now, sizeof now, 0) != sizeof now)
        return 1;
    if (!is_there && !strcmp(mode, "slow"))
        usleep(SLOW);
    if (is_there && !strcmp(mode, "sleeps"))
        sleep(60);
    return !strcmp(mode, "fails") && is_there ? 3 : 0;
}
