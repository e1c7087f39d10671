/* A static program, so nobody puts the tracer back: runs a command without it. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    unsetenv("LD_PRELOAD");
    execvp(argv[1], argv + 1);
    return 127;
}
