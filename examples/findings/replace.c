/* A new version of a file replaces the old one, atomically as it seems.
 *
 *     replace bad      renames data that may not be on the disk yet
 *     replace mended   syncs the data first
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static const char text[] = "step = 100\n";
    int old = open("state", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (write(old, text, sizeof text - 1) != sizeof text - 1 || fsync(old) != 0 || close(old) != 0)
        return 1;
    int fd = open("state.new", O_CREAT | O_TRUNC | O_WRONLY, 0644);
    if (write(fd, text, sizeof text - 1) != sizeof text - 1)
        return 1;
    if (argc > 1 && strcmp(argv[1], "mended") == 0 && fsync(fd) != 0)
        return 1;
    close(fd);
    return rename("state.new", "state") != 0;
}
