#include "workflow/gather/drivers.h"

#include <string.h>

/* One more is a word here. */
static const char *const drivers[] = {
    "sh",       "bash",     "dash",  "zsh",     "ksh",   "mksh",        "csh",        "tcsh",
    "fish",     "make",     "gmake", "ninja",   "cmake", "ctest",       "env",        "time",
    "timeout",  "nice",     "nohup", "sudo",    "xargs", "parallel",    "find",       "snakemake",
    "nextflow", "cromwell", "luigi", "cwltool", "dask",  "dask-worker", "slurmstepd",
};
static const char *const interpreters[] = {"python", "python2", "python3", "perl", "java", "ruby"};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_listed(const char *path)
{
    const char *name = base_name(path);
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (!strcmp(name, drivers[i]))
            return true;
    return false;
}

/* "python3.11" is python3, too. */
static bool is_interpreter(const char *path)
{
    const char *name = base_name(path);
    size_t length = strcspn(name, ".");
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++)
        if (strlen(interpreters[i]) == length && !strncmp(name, interpreters[i], length))
            return true;
    return false;
}

bool fth_workflow_is_driver(const struct fth_process *process)
{
    if (is_listed(process->executable))
        return true;
    if (!is_interpreter(process->executable))
        return false;
    for (size_t i = 1; i < process->argument_count; i++)
        if (process->arguments[i][0] != '-')
            return is_listed(process->arguments[i]);
    return false;
}

/* A login shell is called "-bash". */
const char *fth_workflow_program(const struct fth_process *process)
{
    const char *called = process->argument_count ? base_name(process->arguments[0]) : "";
    called += *called == '-';
    return *called ? called : base_name(process->executable);
}
