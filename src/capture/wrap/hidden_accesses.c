/* Files that a program hands to the C library or the system, which access them by system calls of
 * their own: records of logins and of processes. Once in a process it is noted that this is not
 * seen. */
#include "capture/process/process.h"
#include "capture/wrap/wrap_libc.h"
#include "interpose/own/put.h"

void fth_accesses_are_hidden(const char *function)
{
    static bool noted;
    char text[128];
    if (!fth_process || __atomic_exchange_n(&noted, true, __ATOMIC_RELAXED))
        return;
    fth_put_text(fth_put_text(fth_put_text(text, "accesses to a file that "), function),
                 " was given: the C library or the system makes them");
    int before = errno;
    fth_process_note("unseen=", text);
    errno = before;
}
