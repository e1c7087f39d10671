/* Calls from several places: two in one loop, one in a function that is inlined, one through a
 * function pointer of libc, one in a library that is loaded, unloaded, and replaced by another one.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline __attribute__((always_inline)) void put(int file, int i)
{
    if (pwrite(file, "12345678", 8, i * 8) != 8) /* line: inlined */
        abort();
}

static void load(const char *path, int file)
{
    void *library = dlopen(path, RTLD_NOW);
    void (*write_one)(int) = library ? (void (*)(int))dlsym(library, "write_one") : NULL;
    if (!write_one)
        abort();
    write_one(file);
    dlclose(library);
}

int main(int argc, char **argv)
{
    int file = open("lines.out", O_RDWR | O_CREAT | O_TRUNC, 0600); /* line: open */
    int turns = argc > 1 ? atoi(argv[1]) : 10;
    for (int i = 0; i < turns; i++) {
        put(file, i);
        if (pwrite(file, "x", 1, i) != 1) /* line: loop */
            return 1;
    }
    for (int i = 2; i < argc; i++)
        load(argv[i], file);
    close(file); /* line: close */
    FILE *stream = fopen("stream.out", "w");
    fprintf(stream, "what libc writes at the end\n"); /* line: stream */
    return 0;
}
