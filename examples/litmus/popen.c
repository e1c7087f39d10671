/* pclose waits for the program that popen has started.
 * posix: safe  commit: safe  session: safe  mpi-io: none */
#include "litmus.h"

int main(void)
{
    FILE *program = popen("cat > shared", "w");
    must(program != NULL, "popen");
    fputs("8 bytes.", program);
    must(pclose(program) == 0, "pclose");
    get(open_file("shared", 0), 0, 8);
    return 0;
}
