/* Functions of a program that was compiled with -finstrument-functions become regions (`fathom
 * record --regions`). Such a program calls the two functions below when it enters and leaves a
 * function; libc has them, too, and they do nothing there. This library is preloaded only when it
 * is asked for.
 *
 * What is to be known of a function is found out when it is entered first: its name, and by that
 * whether the filter wants it. It stays in a table by address, which only grows; threads that add
 * at the same time need no lock. */
#include "base/settings.h"
#include "calls.h"
#include "capture/functions/source_names.h"
#include "capture/functions/symbols.h"
#include "capture/life/begin.h"
#include "capture/process/environment.h"
#include "capture/record/modules.h"
#include "capture/wrap/open_regions.h"
#include "interpose/own/own_memory.h"
#include "interpose/own/put.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <string.h>

enum {
    TABLE = 1 << 16,
    MOST_FUNCTIONS = TABLE / 4 * 3,
    STORE = 8 << 20, /* bytes of names, mapped as far as it is used */
    LONGEST_NAME = 100,
    LONGEST_SYMBOL = 400, /* fnmatch takes no memory of the program for one */
    LONGEST_PATTERN = 400,
};

struct function {
    uint64_t key; /* address, and which code is there (fth_code_generation) */
    bool is_region;
    char name[];
};

static struct functions {
    uint32_t count, used;
    struct function *table[TABLE];
    _Alignas(8) char store[STORE];
} * functions;

typedef void hook(void *function, void *caller);
FTH_PUBLIC hook __cyg_profile_func_enter, __cyg_profile_func_exit;

static hook *next_enter, *next_exit; /* another tool's, or libc's */

__attribute__((constructor)) static void find_next(void)
{
    next_enter = (hook *)dlsym(RTLD_NEXT, "__cyg_profile_func_enter");
    next_exit = (hook *)dlsym(RTLD_NEXT, "__cyg_profile_func_exit");
}

/* ---- the filter ---- */

/* "-* +solve* +Grid::*": the last pattern that matches decides. When the first one includes, all
 * others are left out. */
static bool is_wanted(const char *name, const char *symbol)
{
    const char *rules = fth_setting(FTH_SETTING_NAME(REGIONS));
    bool wanted = !rules || *rules != '+';
    for (size_t length; rules && *rules; rules += length + (rules[length] != 0)) {
        char pattern[LONGEST_PATTERN];
        length = strcspn(rules, " ");
        if (length < 2 || length > sizeof pattern || (*rules != '+' && *rules != '-'))
            continue;
        memcpy(pattern, rules + 1, length - 1);
        pattern[length - 1] = 0;
        if (fnmatch(pattern, name, 0) == 0 || fnmatch(pattern, symbol, 0) == 0)
            wanted = *rules == '+';
    }
    return wanted;
}

/* ---- what is known of functions ---- */

/* "app+0x1175" of one without a symbol. */
static void put_place(char *to, const struct fth_code_place *place)
{
    const char *slash = strrchr(place->module, '/'), *file = slash ? slash + 1 : place->module;
    size_t length = strnlen(file, LONGEST_NAME - sizeof "+0x0123456789abcdef");
    memcpy(to, file, length);
    to = fth_put_text(to + length, "+0x");
    int shift = 60;
    while (shift && !(place->offset >> shift))
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *to++ = "0123456789abcdef"[place->offset >> shift & 15];
    *to = 0;
}

static void look_at(uint64_t key, struct function *function, char name[LONGEST_NAME + 1])
{
    char symbol[LONGEST_SYMBOL];
    struct fth_code_place place;
    function->key = key;
    if (!fth_code_place(key & FTH_CODE_ADDRESS, &place)) {
        fth_put_text(name, "?");
        fth_put_text(symbol, "?");
    } else if (fth_function_symbol(&place, symbol, sizeof symbol)) {
        fth_function_name(symbol, name, LONGEST_NAME + 1);
    } else {
        put_place(name, &place);
        fth_put_text(symbol, name);
    }
    function->is_region = is_wanted(name, symbol);
}

static uint32_t place_of(uint64_t key)
{
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 48);
}

static struct functions *make_table(void)
{
    struct functions *none = NULL, *made = fth_map_memory(sizeof *made);
    if (made && !__atomic_compare_exchange_n(&functions, &none, made, false, __ATOMIC_ACQ_REL,
                                             __ATOMIC_ACQUIRE)) {
        fth_unmap(made, sizeof *made);
        return none;
    }
    return made;
}

/* NULL: there is no room for more, and it is no region. */
static struct function *add(uint64_t key)
{
    struct functions *all = __atomic_load_n(&functions, __ATOMIC_ACQUIRE);
    struct function seen, *none = NULL;
    char name[LONGEST_NAME + 1];
    if (!all && !(all = make_table()))
        return NULL;
    uint32_t number = __atomic_load_n(&all->count, __ATOMIC_RELAXED);
    if (number < MOST_FUNCTIONS)
        number = __atomic_add_fetch(&all->count, 1, __ATOMIC_RELAXED);
    if (number == 1)
        fth_process_note("regions=", FTH_REGIONS_ENTERED);
    if (number == MOST_FUNCTIONS)
        fth_process_note("unseen=", "functions as regions: more than 49,151 of them");
    if (number >= MOST_FUNCTIONS)
        return NULL;
    look_at(key, &seen, name);
    uint32_t bytes = (uint32_t)(sizeof seen + strlen(name) + 1 + 7) & ~7u;
    uint32_t at = __atomic_fetch_add(&all->used, bytes, __ATOMIC_RELAXED);
    struct function *made = (struct function *)(all->store + at);
    *made = seen;
    fth_put_text(made->name, name);
    for (uint32_t slot = place_of(key);; slot = (slot + 1) % TABLE, none = NULL)
        if (__atomic_compare_exchange_n(&all->table[slot], &none, made, false, __ATOMIC_RELEASE,
                                        __ATOMIC_ACQUIRE))
            return made;
        else if (none->key == key)
            return none; /* of another thread */
}

static inline const struct function *find(const void *address)
{
    const struct functions *all = __atomic_load_n(&functions, __ATOMIC_ACQUIRE);
    uint64_t key = ((uintptr_t)address & FTH_CODE_ADDRESS) | (uint64_t)fth_code_generation << 48;
    const struct function *found;
    for (uint32_t slot = place_of(key);
         all && (found = __atomic_load_n(&all->table[slot], __ATOMIC_ACQUIRE));
         slot = (slot + 1) % TABLE)
        if (found->key == key)
            return found;
    return add(key);
}

/* ---- entering and leaving ---- */

/* May this thread record now? Not while its recorder is at work, of which a signal handler may be a
 * part. */
static bool may_record(uintptr_t stack)
{
    const struct fth_recorder *recorder = fth_self;
    if (!fth_wanted[FTH_CALL_mark_region])
        return false;
    if (FTH_LIKELY(recorder && *fth_alive && !recorder->busy))
        return true;
    recorder = fth_begin_rarely(stack);
    return recorder && !recorder->busy && fth_wanted[FTH_CALL_mark_region];
}

void __cyg_profile_func_enter(void *address, void *caller)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    if (may_record(stack)) {
        const struct function *function = find(address);
        if (function && function->is_region)
            fth_region_enter(address, function->name, stack);
    }
    if (next_enter)
        next_enter(address, caller);
}

void __cyg_profile_func_exit(void *address, void *caller)
{
    if (next_exit)
        next_exit(address, caller);
    if (fth_self && fth_self->regions && !fth_self->busy)
        fth_region_leave(address, (uintptr_t)__builtin_frame_address(0));
}
