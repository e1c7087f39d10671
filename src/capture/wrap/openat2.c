/* openat2, which programs call by its number: the C library has it from 2.43 on only. Its flags are
 * in a structure. */
#include "calls.h"
#include "capture/life/begin.h"
#include "capture/wrap/by_number.h"
#include "capture/wrap/real.h"
#include "capture/wrap/wrap_libc.h"
#include "interpose/own/readable.h"

#include <linux/openat2.h>

/* What was asked for, as far as it is there. */
static struct open_how taken(const struct open_how *how, size_t size)
{
    struct open_how asked = {0};
    size_t known = size < sizeof asked ? size : sizeof asked;
    if (how && fth_is_readable(how, known))
        memcpy(&asked, how, known);
    return asked;
}

/* "/a" is in the folder then, too. */
static const char *inside(const char *path, uint64_t resolve)
{
    while (path && (resolve & RESOLVE_IN_ROOT) && *path == '/')
        path++;
    return path;
}

int openat2(int dir, const char *path, const struct open_how *how, size_t size);
#if __GLIBC_PREREQ(2, 43)
FTH_PUBLIC
#endif
int openat2(int dir, const char *path, const struct open_how *how, size_t size)
{
    const long with[FTH_SYSTEM_LIST] = {SYS_openat2, dir, (long)path, (long)how, (long)size};
    struct fth_draft call;
    if (!fth_begin_at(&call, FTH_CALL_openat2, FTH_CONTEXT_openat2, FRAME))
        return (int)fth_make_by_number(with);
    int32_t slot = fth_find_descriptor(FTH_CLASS_fd, dir);
    if (slot == FTH_EXCLUDED && !fth_leads_elsewhere(dir)) {
        fth_pass(&call);
        return (int)fth_make_by_number(with);
    }
    slot = slot == FTH_EXCLUDED ? FTH_SLOT_UNKNOWN : slot;
    fth_note_binding(&call, FTH_CLASS_fd, slot);
    fth_about(&call, -1, slot);
    struct open_how asked = taken(how, size);
    fth_start(&call);
    int result = (int)fth_make_by_number(with);
    fth_end(&call);
    call.worked = result >= 0;
    const char *given = inside(fth_given_text(&call, path), asked.resolve);
    if (!fth_opened_path_is_wanted(given, dir,
                                   fth_use_of(call.worked, fth_open_writes((int)asked.flags)))) {
        if (call.worked)
            fth_open_descriptor(FTH_CLASS_fd, result, given, dir);
        fth_leave_out(&call);
        return result;
    }
    if (dir == FTH_HERE)
        fth_note_directory(&call, given);
    int flags = (int)asked.flags;
    fth_keep(&call, slot);
    fth_keep(&call, fth_text(&call, given));
    fth_keep(&call, flags);
    fth_keep(&call, fth_open_needs_mode(flags) ? (int64_t)asked.mode : FTH_ABSENT);
    fth_keep(&call, (int64_t)asked.resolve);
    int64_t made =
        call.worked ? fth_open_descriptor(FTH_CLASS_fd, result, given, dir) : fth_failure(&call);
    fth_opened_with(made, flags);
    fth_keep(&call, made);
    fth_keep(&call, call.worked ? result - made : 0);
    fth_commit(&call);
    return result;
}
