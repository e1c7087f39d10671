/* The program may pass any number as a pointer and gets EFAULT. What a failed call points to is
 * therefore asked for before it is read; what a call that worked points to has just been read by
 * the system. */
#include "interpose/own/readable.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* rt_sigprocmask reads the set before it refuses to do the unknown thing asked for, so it changes
 * nothing. */
static bool word_is_readable(const void *at)
{
    const int nothing_known = -1, set_bytes = 8;
    int before = errno;
    uintptr_t word = (uintptr_t)at & ~(uintptr_t)7;
    bool readable =
        syscall(SYS_rt_sigprocmask, nothing_known, word, NULL, set_bytes) < 0 && errno == EINVAL;
    errno = before;
    return readable;
}

static const char *page_end(const char *at)
{
    return (const char *)(((uintptr_t)at | (PAGE - 1)) + 1);
}

bool fth_is_readable(const void *start, size_t bytes)
{
    const char *at = start, *end = at + bytes;
    if (end < at)
        return false;
    for (; at < end; at = page_end(at))
        if (!word_is_readable(at))
            return false;
    return true;
}

/* The page that the last word was asked for in is not asked for again: a page is readable as a
 * whole. NULL: none was yet. */
static bool is_readable_here(const char *at, const char **asked)
{
    const char *page = page_end(at);
    if (page == *asked)
        return true;
    if (!word_is_readable(at))
        return false;
    *asked = page;
    return true;
}

static bool is_readable_text(const char *text, const char **asked)
{
    for (const char *at = text;; at = page_end(at)) {
        size_t left = (size_t)(page_end(at) - at);
        if (!is_readable_here(at, asked))
            return false;
        if (strnlen(at, left) < left)
            return true;
    }
}

bool fth_is_readable_text(const char *text)
{
    const char *asked = NULL;
    return is_readable_text(text, &asked);
}

/* Pointers and texts lie in a page or two each, as a rule. A pointer that crosses pages is asked
 * for at both ends. */
bool fth_are_readable_texts(char *const *texts)
{
    const char *asked = NULL, *asked_text = NULL;
    for (;; texts++) {
        if (!is_readable_here((const char *)texts, &asked) ||
            !is_readable_here((const char *)(texts + 1) - 1, &asked))
            return false;
        if (!*texts)
            return true;
        if (!is_readable_text(*texts, &asked_text))
            return false;
    }
}
