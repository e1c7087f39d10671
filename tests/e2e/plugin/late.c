/* Uses the store by dlopen and dlsym. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return puts(dlerror()), 1;
    void *(*open)(const char *, int) = (void *(*)(const char *, int))dlsym(library, "kv_open");
    int (*put)(void *, const char *, const void *, size_t) =
        (int (*)(void *, const char *, const void *, size_t))dlsym(library, "kv_put");
    int (*close)(void *) = (int (*)(void *))dlsym(library, "kv_close");
    void *store = open("late.kv", 1);
    for (int i = 0; i < 3; i++)
        put(store, "key", "value", 5);
    return close(store);
}
