/* A shell whose output is /dev/null writes to the file, and then where it wrote before: that is not
 * the file any more.
 * pairs: 2
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    int nothing = open("/dev/null", O_WRONLY);
    must(nothing >= 0 && dup2(nothing, 1) == 1, "dup2");
    must(system("echo 8 bytes > shared; echo and more; echo and more") == 0, "system");
    must(pread(open_file("shared", 0), bytes, 32, 0) == 8, "pread");
    return 0;
}
