/* The folder that one process works in gets another name: that of a file that it renames there is
 * below it.
 * posix: racy  commit: racy  session: racy  mpi-io: none
 * pairs: 1 */
#include "litmus.h"

#include <sys/stat.h>

static int to_child[2], from_child[2];

static void turn(int from, int to)
{
    char byte = 0;
    must(write(to, &byte, 1) == 1 && (from < 0 || read(from, &byte, 1) == 1), "turn");
}

static void first(void)
{
    must(chdir("folder") == 0, "chdir");
    int file = open_file("file", O_CREAT);
    turn(to_child[0], from_child[1]);
    must(rename("file", "new") == 0, "rename");
    turn(-1, from_child[1]);
    put(file, 0, 8);
}

static void second(void)
{
    put(open_file("moved/new", 0), 4, 12);
}

int main(void)
{
    char byte;
    must(mkdir("folder", 0700) == 0 && pipe(to_child) == 0 && pipe(from_child) == 0, "mkdir");
    pid_t one = start(first);
    must(read(from_child[0], &byte, 1) == 1 && rename("folder", "moved") == 0, "rename");
    turn(from_child[0], to_child[1]);
    pid_t other = start(second);
    wait_for(one);
    wait_for(other);
    return 0;
}
