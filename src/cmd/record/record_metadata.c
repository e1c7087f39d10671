/* What `fathom record` gives the readers of a trace: its metadata, a JSON object
 * (docs/fathom-info.1.md): options, machine, user, environment, and the command, with secrets
 * masked. */
#include "base/batch_systems.h"
#include "base/mask.h"
#include "base/memory.h"
#include "cmd/record/record.h"
#include "cmd/run/run.h"

#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { MOST_VARIABLES = 64, LONGEST_VALUE = 512 };

static void put_text(json_t *meta, const char *key, const char *value)
{
    if (value && *value)
        json_object_set_new(meta, key, fth_run_text(value));
}

static json_t *split(const char *list)
{
    json_t *array = json_array();
    char item[PATH_MAX];
    for (size_t length; list && *list; list += length + (list[length] != 0)) {
        length = strcspn(list, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, list);
        json_array_append_new(array, fth_run_text(item));
    }
    return array;
}

static json_t *texts(char *const *items, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, fth_run_text(items[i]));
    return array;
}

static json_t *paths_of(const json_t *plugins)
{
    json_t *array = json_array();
    for (size_t i = 0; i < json_array_size(plugins); i++)
        json_array_append(array, json_object_get(json_array_get(plugins, i), "path"));
    return array;
}

/* Options that were left alone are not recorded. */
static void put_list(json_t *meta, const char *key, json_t *list)
{
    if (json_array_size(list))
        json_object_set(meta, key, list);
    json_decref(list);
}

static void put_number(json_t *meta, const char *key, int64_t value)
{
    if (value)
        json_object_set_new(meta, key, json_integer(value));
}

/* Does it say of one rank only what it is, and how it reaches its launcher? */
static bool is_of_a_rank(const char *name)
{
    static const char *const beginnings[] = {"OMPI_MCA_orte_", "OMPI_MCA_ess", "OMPI_FILE_LOCATION",
                                             NULL};
    size_t length = strlen(name), ending = strlen("_RANK");
    for (size_t i = 0; beginnings[i]; i++)
        if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
            return true;
    return length > ending && !strcmp(name + length - ending, "_RANK");
}

/* Does it change what MPI and I/O libraries do, or say which job of the batch system this was? */
static bool is_kept(const char *name)
{
    static const char *const beginnings[] = {
        "OMPI_", "PRTE_",   "PMIX_MCA_", "MPICH_",  "MPIR_CVAR_", "ROMIO_",  "I_MPI_",
        "HDF5_", "NETCDF_", "PNETCDF_",  "ADIOS2_", "OMP_NUM_",   "LUSTRE_", NULL};
    static const char *const names[] = {"SLURM_NNODES", "SLURM_NTASKS", "PBS_NP", NULL};
    if (fth_batch_is_variable(name))
        return true;
    for (size_t i = 0; names[i]; i++)
        if (!strcmp(name, names[i]))
            return true;
    for (size_t i = 0; beginnings[i]; i++)
        if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
            return !is_of_a_rank(name);
    return false;
}

static json_t *environment(void)
{
    json_t *object = json_object();
    for (char **entry = environ; entry && *entry && json_object_size(object) < MOST_VARIABLES;
         entry++) {
        const char *equals = strchr(*entry, '=');
        char name[256], value[LONGEST_VALUE];
        if (!equals || (size_t)(equals - *entry) >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(equals - *entry), *entry);
        snprintf(value, sizeof value, "%s", equals + 1);
        if (is_kept(name))
            put_text(object, name, value);
    }
    return object;
}

static void put_machine(json_t *meta)
{
    struct utsname name;
    char text[sizeof name.sysname + sizeof name.release + sizeof name.machine];
    if (uname(&name) != 0)
        return;
    put_text(meta, "host", name.nodename);
    snprintf(text, sizeof text, "%s %s %s", name.sysname, name.release, name.machine);
    put_text(meta, "system", text);
    json_object_set_new(meta, "cpus", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    json_object_set_new(meta, "page_size", json_integer(sysconf(_SC_PAGESIZE)));
}

static void put_user(json_t *meta)
{
    const struct passwd *user = getpwuid(getuid());
    char text[32];
    snprintf(text, sizeof text, "%u", getuid());
    put_text(meta, "user", user ? user->pw_name : text);
}

/* ---- the command ---- */

static char *mask_word(struct fth_mask *mask, const char *word)
{
    size_t room = strlen(word) + sizeof FTH_MASKED;
    for (const char *at = word; (at = strchr(at, '@')); at++)
        room += sizeof FTH_MASKED; /* each user of a URL */
    char *masked = fth_new(room, 1);
    fth_mask(mask, word, masked, room);
    return masked;
}

char **fth_record_kept_command(struct fth_record_options *options)
{
    struct fth_mask mask = {.names = options->masked};
    size_t words = 0;
    if (!options->masked || options->kept)
        return options->masked ? options->kept : options->command;
    while (options->command[words])
        words++;
    options->kept = fth_new(words + 1, sizeof *options->kept);
    for (size_t i = 0; i < words; i++)
        options->kept[i] = mask_word(&mask, options->command[i]);
    return options->kept;
}

json_t *fth_record_meta(struct fth_record_options *options, const char *output)
{
    json_t *meta = json_object();
    char *here = getcwd(NULL, 0);
    size_t words = 0;
    char **kept = fth_record_kept_command(options);
    while (kept && kept[words])
        words++;
    json_object_set_new(meta, "command", texts(kept, words));
    put_text(meta, "masked", options->masked);
    put_text(meta, "output", output);
    put_machine(meta);
    put_user(meta);
    put_text(meta, "cwd", here);
    put_text(meta, "fathom", FATHOM_VERSION);
    put_list(meta, "layers", split(options->layers));
    put_list(meta, "functions", split(options->functions));
    put_text(meta, "python", options->python);
    put_text(meta, "regions", options->regions);
    put_list(meta, "plugins", paths_of(options->plugins));
    put_list(meta, "include", texts(options->included.items, options->included.count));
    size_t own = options->own_excluded;
    put_list(meta, "exclude", texts(options->excluded.items, own));
    put_list(meta, "default_excludes",
             texts(options->excluded.items + own, options->excluded.count - own));
    if (options->cuda)
        json_object_set_new(meta, "cuda", json_true());
    if (options->lines)
        json_object_set_new(meta, "lines", json_true());
    if (options->contents)
        json_object_set_new(meta, "contents", json_true());
    if (options->program_files)
        json_object_set_new(meta, "program_files", json_true());
    put_number(meta, "min_bytes", options->min_bytes);
    put_number(meta, "min_duration_ns", options->min_duration);
    put_text(meta, "budget", options->asked_budget);
    put_text(meta, "select", options->select);
    if (options->tunable)
        json_object_set_new(meta, "tunable", json_true());
    put_number(meta, "sample_ns", options->sample);
    put_text(meta, "time", options->time);
    put_number(meta, "resolution_ns", options->resolution);
    json_object_set_new(meta, "environment", environment());
    free(here);
    return meta;
}
