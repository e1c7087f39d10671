/* The reader lists a folder until a name is in it.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

#include <dirent.h>
#include <sys/stat.h>

static int is_done(void)
{
    static int asked;
    int names = 0;
    DIR *folder = opendir("folder");
    must(folder != NULL, "opendir");
    while (readdir(folder))
        names++;
    closedir(folder);
    int done = names == 3;
    if (!asked++)
        make_name("asked");
    return done;
}

static void first(void)
{
    wait_for_name("asked");
    put(open_file("shared", 0), 0, 8);
    make_name("folder/name");
}

static void second(void)
{
    while (!is_done())
        usleep(1000);
    get(open_file("shared", 0), 0, 8);
}

int main(void)
{
    must(mkdir("folder", 0700) == 0, "mkdir");
    pid_t children[] = {start(first), start(second)};
    wait_for(children[0]);
    wait_for(children[1]);
    return 0;
}
