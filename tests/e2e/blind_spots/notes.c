/* notes N: removes N files through N links with long names, each of which the recorder notes. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0;
    char folder[1024] = "", link[300], name[400];
    for (int depth = 0; depth < 3; depth++) {
        size_t length = strlen(folder);
        memset(folder + length, 'f', 200);
        strcpy(folder + length + 200, "/");
        mkdir(folder, 0700);
    }
    for (int i = 0; i < count; i++) {
        snprintf(link, sizeof link, "%0200d", i);
        snprintf(name, sizeof name, "%s/x", link);
        if (symlink(folder, link))
            return 1;
        close(open(name, O_WRONLY | O_CREAT, 0600));
        if (unlink(name))
            return 1;
    }
    return 0;
}
