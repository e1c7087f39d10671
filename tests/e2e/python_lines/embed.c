/* Loads the library of Python that it is given, runs code in it, and makes calls around it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    mkdir("c_before", 0700);
    void *python = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!python) {
        fprintf(stderr, "%s\n", dlerror());
        return 77;
    }
    void (*initialize)(int) = (void (*)(int))dlsym(python, "Py_InitializeEx");
    int (*run)(const char *) = (int (*)(const char *))dlsym(python, "PyRun_SimpleString");
    int (*finalize)(void) = (int (*)(void))dlsym(python, "Py_FinalizeEx");
    for (int i = 0; i < 2; i++) {
        initialize(0);
        if (run(argv[2]) != 0)
            return 1;
        mkdir("c_between", 0700);
        finalize();
    }
    mkdir("c_after", 0700);
    return 0;
}
