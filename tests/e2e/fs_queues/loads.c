/* Loads a library, and says what its asks() and its constructor got: loads here|apart LIBRARY. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    void *library = argc < 3                       ? NULL
                    : strcmp(argv[1], "here") == 0 ? dlopen(argv[2], RTLD_NOW)
                                                   : dlmopen(LM_ID_NEWLM, argv[2], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    int (*before)(void) = dlsym(library, "asked_before"), (*asks)(void) = dlsym(library, "asks");
    printf("%d %d\n", before(), asks());
    return 0;
}
