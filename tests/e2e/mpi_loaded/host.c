/* A program without MPI that loads a plug-in with it: `host HOW FILE`. */
#define _GNU_SOURCE
#include "plugin.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static struct plugin *reported;

void report_plugin(struct plugin *plugin)
{
    reported = plugin;
}

static struct plugin *load(const char *how)
{
    if (strcmp(how, "path") == 0)
        return dlsym(dlopen("./plugins/libplugin.so", RTLD_NOW | RTLD_LOCAL), "plugin");
    if (strcmp(how, "lazy") == 0)
        return dlsym(dlopen("./plugins/libplugin.so", RTLD_LAZY | RTLD_GLOBAL), "plugin");
    if (strcmp(how, "runpath") == 0) /* that of this program says where */
        return dlsym(dlopen("libplugin.so", RTLD_NOW | RTLD_LOCAL), "plugin");
    if (strcmp(how, "again") == 0) {
        dlclose(dlopen("./plugins/libplugin.so", RTLD_NOW | RTLD_LOCAL));
        return dlsym(dlopen("./plugins/libplugin.so", RTLD_NOW | RTLD_LOCAL), "plugin");
    }
    assert(strcmp(how, "reports") == 0);
    assert(dlopen("./plugins/libplugin.so", RTLD_NOW | RTLD_LOCAL));
    return reported;
}

int main(int argc, char **argv)
{
    assert(argc == 3);
    assert(!dlsym(RTLD_DEFAULT, "MPI_Init") && dlerror());
    assert(!dlopen("./plugins/missing.so", RTLD_NOW));
    const char *error = dlerror();
    assert(error && strstr(error, "missing.so"));
    struct plugin *plugin = load(argv[1]);
    assert(plugin && !dlerror());
    if (plugin->run(argv[2]) == 0)
        puts("done");
    plugin->finish();
    return 0;
}
