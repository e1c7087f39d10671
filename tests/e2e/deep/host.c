/* Loads a plug-in with RTLD_DEEPBIND (by path, or by its name alone) and lets it write. Has an
 * `access` of its own, which only the program itself and what is loaded without RTLD_DEEPBIND may
 * reach. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int access(const char *path, int mode)
{
    printf("the program's access: %s %d\n", path, mode);
    return 0;
}

int main(int count, char **arguments)
{
    void *plugin = dlopen(arguments[1], RTLD_NOW * (count > 2) | RTLD_LAZY | RTLD_DEEPBIND);
    int (*write_file)(void) = plugin ? (int (*)(void))dlsym(plugin, "write_file") : NULL;
    if (!write_file) {
        puts(dlerror());
        return 1;
    }
    return write_file() || access("here", 7);
}
