/* Settings that are needed in every step.
 *
 *     settings make     makes the file
 *     settings bad      reads them again in each step
 *     settings mended   reads them once
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 500 };

static char settings[200000];

int main(int argc, char **argv)
{
    int make = argc > 1 && strcmp(argv[1], "make") == 0, mended = argc > 1 && strcmp(argv[1], "mended") == 0;
    int fd = open("settings", make ? O_CREAT | O_WRONLY : O_RDONLY, 0644);
    if (make)
        return write(fd, settings, sizeof settings) != sizeof settings;
    for (int step = 0; step < (mended ? 1 : STEPS); step++)
        if (pread(fd, settings, sizeof settings, 0) != sizeof settings)
            return 1;
    return close(fd) != 0;
}
