/* A program that popen starts does not wait for what is done behind that.
 * posix: racy  commit: racy  session: racy  mpi-io: none */
#include "litmus.h"

int main(void)
{
    FILE *program = popen("cat shared > other", "r");
    must(program != NULL, "popen");
    put(open_file("shared", 0), 0, 8);
    must(pclose(program) == 0, "pclose");
    return 0;
}
