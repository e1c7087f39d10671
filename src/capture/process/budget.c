/* The budget of the recording: a number in the page that all processes of the node share, to which
 * they add what they take. */
#include "capture/process/budget.h"

#include "base/settings.h"
#include "capture/process/environment.h"
#include "capture/process/shared_page.h"

#include <stdlib.h>

enum { OF_THE_FOLDER = 32 << 10 /* bytes: what is in it beside files of processes */ };

static uint64_t most; /* bytes; 0: there is no bound */

void fth_budget_start(void)
{
    const char *bytes = fth_setting(FTH_SETTING_NAME(BUDGET));
    most = bytes ? strtoull(bytes, NULL, 10) : 0;
    most = most > OF_THE_FOLDER ? most - OF_THE_FOLDER : most;
}

static bool is_bounded(void)
{
    return most && fth_shared_page;
}

static uint64_t used(void)
{
    return __atomic_load_n(&fth_shared_page->used, __ATOMIC_RELAXED);
}

bool fth_budget_take(uint64_t bytes)
{
    if (!is_bounded() ||
        __atomic_add_fetch(&fth_shared_page->used, bytes, __ATOMIC_RELAXED) <= most)
        return true;
    fth_budget_give(bytes);
    return false;
}

void fth_budget_give(uint64_t bytes)
{
    if (is_bounded())
        __atomic_sub_fetch(&fth_shared_page->used, bytes, __ATOMIC_RELAXED);
}

bool fth_budget_has(uint64_t bytes)
{
    return !is_bounded() || used() + bytes <= most;
}

bool fth_budget_is_short(unsigned eighths)
{
    return is_bounded() && used() > most / 8 * eighths;
}
