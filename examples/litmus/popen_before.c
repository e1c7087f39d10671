/* A program that popen starts knows what was done before.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    close(file);
    FILE *program = popen("cat shared > other", "r");
    must(program != NULL, "popen");
    must(pclose(program) == 0, "pclose");
    return 0;
}
