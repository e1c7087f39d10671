/* The budget of the recording: a number in a mapped file, to which all processes of the node add
 * what they take. */
#include "capture/process/budget.h"

#include "base/settings.h"
#include "capture/process/environment.h"
#include "capture/process/spill_folder.h"
#include "interpose/own/own_files.h"
#include "interpose/own/own_memory.h"
#include "trace/record/spill.h"

#include <fcntl.h>
#include <stdlib.h>

enum { OF_THE_FOLDER = 32 << 10 /* bytes: what is in it beside files of processes */ };

static uint64_t most; /* bytes; 0: there is no bound */
static struct fth_spill_budget *budget;

static void map_page(const char *name)
{
    int error, file = fth_spill_open(name, O_RDWR | O_CREAT, &error);
    if (file < 0)
        return;
    budget = fth_file_map(file, 0, FTH_SPILL_PAGE, &error);
    fth_file_close(file);
}

/* Forked children have it from their parents. In memory where there is some, however short it is;
 * where there is no room for it there is none for anything else, either. */
void fth_budget_start(void)
{
    const char *bytes = fth_setting(FTH_SETTING_NAME(BUDGET));
    most = bytes ? strtoull(bytes, NULL, 10) : 0;
    most = most > OF_THE_FOLDER ? most - OF_THE_FOLDER : most;
    if (budget) /* of a recording before this one */
        fth_unmap(budget, FTH_SPILL_PAGE);
    budget = NULL;
    if (most)
        map_page(FTH_SPILL_MEMORY "/" FTH_SPILL_BUDGET);
    if (most && !budget)
        map_page(FTH_SPILL_BUDGET);
}

bool fth_budget_take(uint64_t bytes)
{
    if (!budget || __atomic_add_fetch(&budget->used, bytes, __ATOMIC_RELAXED) <= most)
        return true;
    fth_budget_give(bytes);
    return false;
}

void fth_budget_give(uint64_t bytes)
{
    if (budget)
        __atomic_sub_fetch(&budget->used, bytes, __ATOMIC_RELAXED);
}

bool fth_budget_has(uint64_t bytes)
{
    return !budget || __atomic_load_n(&budget->used, __ATOMIC_RELAXED) + bytes <= most;
}

bool fth_budget_is_short(unsigned eighths)
{
    return budget && __atomic_load_n(&budget->used, __ATOMIC_RELAXED) > most / 8 * eighths;
}
