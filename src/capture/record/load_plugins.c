/* Plug-ins (plugin.h) come into the process when it starts: each gets its numbers, and is known
 * from then on like the libraries of the catalogue. */
#include "base/settings.h"
#include "build.h"
#include "capture/process/catalogue.h"
#include "capture/process/environment.h"
#include "capture/process/process.h"
#include "capture/record/plugin.h"
#include "catalog/catalog.h"
#include "interpose/reach/load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_LIST = 16384, MOST_FUNCTIONS = 65535, LONGEST_NOTE = 512 };

/* generated; with room for the classes of plug-ins */
extern const char *fth_class_names[];
extern uint8_t fth_class_forms[];
extern const unsigned fth_class_count, fth_file_class_count, fth_layer_count;

static struct fth_plugin *plugins[FTH_MOST_PLUGINS];
static unsigned count;
/* What the next one gets. */
static uint32_t next_call, next_class, next_file;

unsigned fth_plugin_count(void)
{
    return count;
}

struct fth_plugin *fth_plugin_at(unsigned i)
{
    return plugins[i];
}

const struct fth_plugin_call *fth_plugin_call(uint32_t function)
{
    for (unsigned i = 0; i < count; i++)
        if (function >= plugins[i]->first_call &&
            function - plugins[i]->first_call < plugins[i]->call_count)
            return &plugins[i]->calls[function - plugins[i]->first_call];
    return NULL;
}

/* ---- numbers ---- */

static const char *new_layers[FTH_PLUGIN_LAYERS];
static unsigned new_layer_count;

/* Two plug-ins may name the same layer. 0: there are too many. */
static uint32_t bit_of_layer(const char *name)
{
    unsigned i = 0;
    while (i < new_layer_count && strcmp(new_layers[i], name) != 0)
        i++;
    if (fth_layer_count + i >= FTH_MOST_LAYERS || i == FTH_PLUGIN_LAYERS)
        return 0;
    if (i == new_layer_count)
        new_layers[new_layer_count++] = name;
    return 1u << (fth_layer_count + i);
}

static uint32_t files_among(const struct fth_plugin *plugin)
{
    uint32_t files = 0;
    for (uint32_t i = 0; i < plugin->class_count; i++)
        files += plugin->classes[i].form == FTH_CLASS_FILE;
    return files;
}

static bool has_room(const struct fth_plugin *plugin)
{
    return next_call + plugin->call_count <= MOST_FUNCTIONS &&
           next_class + plugin->class_count <= FTH_CLASSES &&
           next_file + files_among(plugin) <= FTH_FILE_CLASSES;
}

static bool number_layers(const struct fth_plugin *plugin)
{
    for (uint32_t i = 0; i < plugin->layer_count; i++)
        if (!(plugin->layer_bits[i] = bit_of_layer(plugin->layers[i])))
            return false;
    return true;
}

static void number(struct fth_plugin *plugin)
{
    plugin->first_call = next_call;
    plugin->first_class = next_class;
    plugin->first_file = next_file;
    for (uint32_t i = 0; i < plugin->class_count; i++, next_class++) {
        bool is_file = plugin->classes[i].form == FTH_CLASS_FILE;
        fth_class_names[next_class] = plugin->classes[i].name;
        fth_class_forms[next_class] = plugin->classes[i].form;
        fth_class_ordinals[next_class] = (int8_t)(is_file ? (int)next_file : -1);
        next_file += is_file;
    }
    next_call += plugin->call_count;
}

/* ---- loading ---- */

static void note_refused(const char *path, const char *why)
{
    char text[LONGEST_NOTE];
    snprintf(text, sizeof text, "calls of the plug-in %s: %s", path, why);
    fth_process_note("unseen=", text);
}

/* NULL: it is loaded and numbered; else why it is not. */
static const char *load(const char *path)
{
    void *handle = fth_real_dlopen(path, RTLD_NOW | RTLD_LOCAL);
    struct fth_plugin *plugin = handle ? fth_real_dlsym(handle, FTH_PLUGIN_SYMBOL) : NULL;
    const char *why = !handle                      ? "it cannot be loaded on this node"
                      : !plugin                    ? "it was not made by fathom wrap"
                      : plugin->build != FTH_BUILD ? "it was made by another build of Fathom"
                      : !has_room(plugin)          ? "there are too many functions or classes"
                      : !number_layers(plugin)     ? "there are too many layers"
                                                   : NULL;
    if (why) {
        if (handle)
            fth_real_dlclose(handle);
        return why;
    }
    number(plugin);
    plugin->handle = handle;
    plugins[count++] = plugin;
    return NULL;
}

/* The numbers of those behind one that is missing would be others than elsewhere. */
void fth_plugins_load(void)
{
    static char list[LONGEST_LIST];
    const char *given = fth_setting(FTH_SETTING_NAME(WITH)), *why = NULL;
    if (!given || strlen(given) >= sizeof list ||
        count) /* those of an earlier recording of this process stay */
        return;
    strcpy(list, given);
    next_call = fth_call_count;
    next_class = fth_class_count;
    next_file = fth_file_class_count;
    char *rest = list, *path;
    while ((path = strsep(&rest, ":")))
        if (why)
            note_refused(path, "one before it is missing");
        else if (count == FTH_MOST_PLUGINS || (why = load(path)))
            note_refused(path, why ? why : "there are too many plug-ins");
    dlerror(); /* ours are none of the program's */
}
