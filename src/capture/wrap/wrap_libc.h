/* What the generated wrappers of the C library need. It declares none of the functions that they
 * define. */
#ifndef FTH_CAPTURE_WRAP_WRAP_LIBC_H
#define FTH_CAPTURE_WRAP_WRAP_LIBC_H

#include "capture/follow/paths.h"
#include "capture/follow/standing.h"
#include "capture/life/begin.h"
#include "capture/life/life.h"
#include "capture/wrap/counters.h"
#include "capture/wrap/maps.h"
#include "capture/wrap/readiness.h"
#include "capture/wrap/semaphores.h"
#include "capture/wrap/stdio.h"
#include "capture/wrap/streams.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FTH_HERE (-100) /* AT_FDCWD */

typedef struct _IO_FILE FILE;
typedef struct __dirstream DIR;
typedef unsigned int wint_t;
extern FILE *stdin, *stdout;

/* The mode argument of open is there only with O_CREAT or O_TMPFILE. */
/* Is it opened to be written, made (0x40), or cut off (0x200)? */
static inline bool fth_open_writes(int flags)
{
    return (flags & 3) || (flags & (0x40 | 0x200));
}
static inline bool fth_mode_writes(const char *mode)
{
    return mode && strpbrk(mode, "wa+");
}
static inline enum fth_path_use fth_use_of(bool worked, bool writes)
{
    return !worked ? FTH_PATH_NAMED : writes ? FTH_PATH_WRITTEN : FTH_PATH_READ;
}

static inline bool fth_open_needs_mode(int flags)
{
    return (flags & 0x40) || (flags & 0x400000);
}

/* What fcntl was given for its command, as a list: an integer; of a lock its type, whence, start
 * and length; nothing for other commands. */
int64_t fth_argument_of_fcntl(struct fth_draft *draft, int command, const void *argument);

/* A program that asks for a stream's descriptor is going to use it. */
void fth_stdio_shared(int descriptor);
static inline void fth_before_fileno(void)
{
}
static inline void fth_before_fileno_unlocked(void)
{
}
static inline void fth_after_fileno(int result)
{
    fth_stdio_shared(result);
}
static inline void fth_after_fileno_unlocked(int result)
{
    fth_stdio_shared(result);
}

/* Reading a stream answers EOF, NULL or -1 at its end, too, and then errno says nothing. */
bool fth_stream_has_failed(FILE *stream);
static inline void fth_keep_read(struct fth_draft *draft, int64_t moved, FILE *stream)
{
    if (moved < 0 && !fth_stream_has_failed(stream))
        fth_keep(draft, FTH_ENDED);
    else
        fth_keep_moved(draft, moved, true);
}

/* The file that the function was given is accessed where nobody sees it. */
void fth_accesses_are_hidden(const char *function);
static inline void fth_before_utmpname(void)
{
    fth_accesses_are_hidden("utmpname");
}
static inline void fth_before_utmpxname(void)
{
    fth_accesses_are_hidden("utmpxname");
}
static inline void fth_before_updwtmp(void)
{
    fth_accesses_are_hidden("updwtmp");
}
static inline void fth_before_updwtmpx(void)
{
    fth_accesses_are_hidden("updwtmpx");
}
static inline void fth_before_acct(void)
{
    fth_accesses_are_hidden("acct");
}
static inline void fth_after_utmpname(int result)
{
    (void)result;
}
static inline void fth_after_utmpxname(int result)
{
    (void)result;
}
static inline void fth_after_updwtmp(void)
{
}
static inline void fth_after_updwtmpx(void)
{
}
static inline void fth_after_acct(int result)
{
    (void)result;
}

void fth_directory_known(void);
void fth_directory_changed(void);
static inline void fth_before_chdir(void)
{
    fth_directory_known();
}
static inline void fth_before_fchdir(void)
{
    fth_directory_known();
}
void fth_before_chroot(void);
void fth_after_chroot(int result);
static inline void fth_before_pivot_root(void)
{
    fth_before_chroot();
}
static inline void fth_after_pivot_root(int result)
{
    fth_after_chroot(result);
}
static inline void fth_after_chdir(int result)
{
    if (result == 0)
        fth_directory_changed();
}
static inline void fth_after_fchdir(int result)
{
    fth_after_chdir(result);
}
/* The current folder is the root of the name space then. */
static inline void fth_before_setns(void)
{
    fth_directory_known();
}
static inline void fth_after_setns(int result)
{
    fth_after_chdir(result);
}
static inline void fth_before_rename(void)
{
}
static inline void fth_before_renameat(void)
{
}
static inline void fth_before_renameat2(void)
{
}
static inline void fth_after_rename(int result)
{
    if (result == 0)
        fth_folder_renamed();
}
static inline void fth_after_renameat(int result)
{
    fth_after_rename(result);
}
static inline void fth_after_renameat2(int result)
{
    fth_after_rename(result);
}

void fth_environment_handed_over(void);
static inline void fth_before_system(void)
{
    fth_environment_handed_over();
}
static inline void fth_before_popen(void)
{
    fth_environment_handed_over();
}
static inline void fth_after_system(int result)
{
    (void)result;
}
static inline void fth_after_popen(FILE *stream)
{
    (void)stream;
}

#endif
