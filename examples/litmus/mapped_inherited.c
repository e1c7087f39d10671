/* A parent and its child store to memory of a file that the parent has mapped: where, and when, is
 * not seen.
 * posix: unknown  commit: unknown  session: unknown  mpi-io: none */
#include "litmus.h"

#include <sys/mman.h>

int main(void)
{
    int file = open_file("shared", 0);
    put(file, 0, 8);
    volatile char *memory = mmap(NULL, sizeof bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    must(memory != MAP_FAILED, "mmap");
    pid_t child = fork();
    if (child == 0) {
        memory[0] = 1;
        close(file);
        _exit(0);
    }
    memory[0] = 2;
    wait_for(child);
    return 0;
}
