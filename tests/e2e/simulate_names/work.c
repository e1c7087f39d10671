/* Makes ten files, opens them again, looks at them, renames and deletes them. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat status;
    char name[32], other[32];
    for (int i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "name.%d", i);
        snprintf(other, sizeof other, "other.%d", i);
        close(open(name, O_CREAT | O_WRONLY | O_EXCL, 0600));
        close(open(name, O_RDONLY));
        if (stat(name, &status) || rename(name, other) || unlink(other))
            return 1;
    }
    return stat("none", &status) == 0;
}
