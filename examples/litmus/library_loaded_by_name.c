/* A library that the run wrote is loaded by its name alone, and found where a variable says: the
 * loader's reads are not seen.
 * posix: seen  commit: seen  session: seen  mpi-io: seen */
#include "litmus.h"

#include <dlfcn.h>

int main(int argc, char **argv)
{
    if (argc > 1) {
        void *library = dlopen("libshared.so", RTLD_NOW);
        must(library != NULL, "dlopen");
        must(dlsym(library, "nothing") == NULL, "dlsym");
        return 0;
    }
    must(!system("cc -shared -o libshared.so -x c /dev/null"), "cc");
    pid_t loader = fork();
    if (!loader) {
        setenv("LD_LIBRARY_PATH", ".", 1);
        execl("/proc/self/exe", argv[0], "load", NULL);
        _exit(1);
    }
    wait_for(loader);
    return 0;
}
