/* What the recorder is to interposition. */
#include "capture/follow/written_files.h"
#include "capture/life/life.h"
#include "capture/process/catalogue.h"
#include "capture/process/process.h"
#include "capture/record/modules.h"
#include "capture/record/plugin.h"
#include "capture/record/python_lines.h"
#include "capture/wrap/contents.h"
#include "capture/wrap/threads.h"
#include "interpose/interpose.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"
#include "interpose/reach/libraries.h"
#include "interpose/reach/loaded_objects.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Static_assert(FTH_KNOWN_LIBRARIES + FTH_MOST_PLUGINS <= FTH_WRAPPED_LIBRARIES, "too many");

static bool is_at_work(void)
{
    return fth_process != NULL;
}

static void cannot_see(const char *sentence)
{
    fth_process_note("unseen=", sentence);
}

/* Where a name without a slash was found, the object says. */
static void loads(const char *file)
{
    static struct fth_lock lock;
    static char path[2 * FTH_LONGEST_PATH], text[FTH_LONGEST_PATH];
    static bool noted;
    int before = errno;
    if (!strchr(file, '/') || strlen(file) >= FTH_LONGEST_PATH - 100)
        return;
    fth_lock(&lock);
    *path = 0;
    if (*file != '/' && syscall(SYS_getcwd, path, FTH_LONGEST_PATH) > 0)
        strcat(path, "/");
    strcat(path, file);
    if (fth_file_was_written(path, true) && !noted) {
        noted = true;
        fth_put_text(fth_put_text(fth_put_text(text, "reads of "), file),
                     ", which the run wrote: the loader makes them (dlopen)");
        fth_process_note("unseen=", text);
    }
    fth_unlock(&lock);
    errno = before;
}

static void objects_changed(const struct fth_objects *objects)
{
    static bool is_later; /* what the program is linked with was there at the first look */
    for (unsigned i = 0; is_later && i < objects->count; i++)
        if (objects->list[i].is_new)
            loads(objects->list[i].path);
    is_later = true;
    if (fth_modules_are_known)
        fth_modules_look(objects);
    if (fth_lines_are_kept)
        fth_python_look(objects);
}

/* Those of the catalogue, and behind them those of plug-ins. */
static struct fth_wrapped_library library(unsigned number)
{
    if (number < fth_known_library_count)
        return (struct fth_wrapped_library){&fth_known_libraries[number], NULL};
    number -= fth_known_library_count;
    if (number >= fth_plugin_count())
        return (struct fth_wrapped_library){NULL, NULL};
    struct fth_plugin *plugin = fth_plugin_at(number);
    return (struct fth_wrapped_library){&plugin->library, plugin->handle};
}

static void *in_front_of(const char *name, void *function)
{
    void *maker = fth_maker_of_threads(name);
    return fth_contents_writer(name, maker ? maker : function);
}

const struct fth_interposer fth_interposer = {
    .symbol = "fth_process",
    .symbol_at = &fth_process,
    .is_at_work = is_at_work,
    .step_aside = fth_process_step_aside,
    .cannot_see = cannot_see,
    .loads = loads,
    .has_written = fth_own_written,
    .objects_changed = objects_changed,
    .library = library,
    .in_front_of = in_front_of,
    .real_names = fth_real_names,
    .reals = fth_reals,
    .real_count = &fth_real_count,
};
