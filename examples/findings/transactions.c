/* A ledger that must survive a crash.
 *
 *     transactions bad      syncs each entry separately
 *     transactions mended   syncs a hundred of them together
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { ENTRIES = 400, ENTRY = 100, TOGETHER = 100 };

int main(int argc, char **argv)
{
    char entry[ENTRY];
    int at_once = argc > 1 && strcmp(argv[1], "mended") == 0 ? TOGETHER : 1;
    int fd = open("ledger", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    for (int i = 0; i < ENTRIES; i++) {
        memset(entry, 'a' + i % 26, sizeof entry);
        if (write(fd, entry, sizeof entry) != sizeof entry)
            return 1;
        if ((i + 1) % at_once == 0 && fdatasync(fd))
            return 1;
    }
    return close(fd);
}
