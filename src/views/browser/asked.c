/* Requests of the page are judged and read: all that comes from outside passes through here. */
#include "views/browser/asked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORBIDDEN = 403,
    NOT_FOUND = 404,
    NOT_ALLOWED = 405,
    TOO_LARGE = 413,
    MOST_BINS = 1 << 14, /* of a window */
};

static bool is_same_token(const char *one, const char *other)
{
    unsigned differs = 0;
    for (size_t i = 0; i < FTH_ASKED_TOKEN; i++)
        differs |= (unsigned)(unsigned char)one[i] ^ (unsigned char)other[i];
    return !differs;
}

/* What is behind "/TOKEN/" in the path; NULL: it is not that token. */
static const char *inside(const struct fth_asked_door *door, const char *path)
{
    if (!path || strnlen(path, FTH_ASKED_TOKEN + 2) < FTH_ASKED_TOKEN + 2 || path[0] != '/' ||
        path[FTH_ASKED_TOKEN + 1] != '/' || !is_same_token(door->token, path + 1))
        return NULL;
    return path + FTH_ASKED_TOKEN + 2;
}

static bool is_host(const struct fth_asked_door *door, const char *host)
{
    const char *const names[] = {"127.0.0.1", "localhost", "[::1]", door->address};
    char expected[280];
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        if (!names[i])
            continue;
        snprintf(expected, sizeof expected,
                 strchr(names[i], ':') && *names[i] != '[' ? "[%s]:%u" : "%s:%u", names[i],
                 door->port);
        if (!strcmp(host, expected))
            return true;
    }
    return false;
}

/* The page of this host asks, or somebody who typed the address in. */
static bool is_from_here(const struct fth_asked_head *head)
{
    static const char scheme[] = "http://";
    const size_t length = sizeof scheme - 1;
    if (head->origin && (strncmp(head->origin, scheme, length) != 0 ||
                         strcmp(head->origin + length, head->host) != 0))
        return false;
    return !head->fetch_site || !strcmp(head->fetch_site, "same-origin") ||
           !strcmp(head->fetch_site, "none");
}

/* Whoever follows a link leaves the page that it was on, which learns nothing. */
static bool is_link(const struct fth_asked_head *head)
{
    return !head->origin && head->fetch_mode && !strcmp(head->fetch_mode, "navigate") &&
           head->destination && !strcmp(head->destination, "document");
}

static bool find_what(const char *name, enum fth_asked_what *what)
{
    static const char *const names[] = {
        [FTH_ASKED_PAGE] = "",           [FTH_ASKED_STATE] = "state",
        [FTH_ASKED_REPORT] = "report",   [FTH_ASKED_NAMES] = "names",
        [FTH_ASKED_NUMBERS] = "numbers", [FTH_ASKED_MAPS] = "maps",
        [FTH_ASKED_CELLS] = "cells",     [FTH_ASKED_MESSAGES] = "messages",
        [FTH_ASKED_LINKS] = "links",     [FTH_ASKED_HANDLES] = "handles",
        [FTH_ASKED_SAMPLES] = "samples", [FTH_ASKED_WINDOW] = "window",
        [FTH_ASKED_CALL] = "call",       [FTH_ASKED_VERIFY] = "verify",
        [FTH_ASKED_FILTER] = "filter",   [FTH_ASKED_STOP] = "stop",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        *what = (enum fth_asked_what)i;
        if (!strcmp(name, names[i]))
            return true;
    }
    return false;
}

unsigned fth_views_judge(const struct fth_asked_door *door, const struct fth_asked_head *head,
                         enum fth_asked_what *what)
{
    if (!head->method || strcmp(head->method, "GET") != 0)
        return NOT_ALLOWED;
    const char *name = inside(door, head->path);
    if (!is_host(door, head->host) || !name)
        return FORBIDDEN;
    if (!is_from_here(head) && (*name || !is_link(head)))
        return FORBIDDEN;
    if (head->encoding || (head->length && strcmp(head->length, "0") != 0))
        return TOO_LARGE;
    return find_what(name, what) ? 0 : NOT_FOUND;
}

/* ---- windows ---- */

bool fth_views_take_number(const char *text, int64_t least, int64_t most, int64_t *number)
{
    bool negative = text && *text == '-';
    const char *digit = text + negative;
    int64_t value = 0;
    if (!text || !*digit)
        return false;
    for (; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *digit - '0', &value))
            return false;
    }
    *number = negative ? -value : value;
    return *number >= least && *number <= most;
}

/* Of "0-3,7". */
static bool take_rows(const char *text, size_t row_count, bool *rows)
{
    memset(rows, 0, row_count * sizeof *rows);
    while (text && *text) {
        char *end;
        unsigned long first, last;
        if (*text < '0' || *text > '9')
            return false;
        first = last = strtoul(text, &end, 10);
        if (*end == '-') {
            if (end[1] < '0' || end[1] > '9')
                return false;
            last = strtoul(end + 1, &end, 10);
        }
        if (first > last || last >= row_count || (*end && (*end != ',' || !end[1])))
            return false;
        for (; first <= last; first++)
            rows[first] = true;
        text = *end ? end + 1 : end;
        if (!*text)
            return true;
    }
    return false;
}

bool fth_views_take_window(const struct fth_asked_window *asked, size_t row_count, bool *rows,
                           struct fth_overview_window *window)
{
    const int64_t far = INT64_MAX / 4, widest = far / MOST_BINS;
    int64_t count;
    if (!fth_views_take_number(asked->begin, -far, far, &window->begin) ||
        !fth_views_take_number(asked->width, 1, widest, &window->width) ||
        !fth_views_take_number(asked->count, 1, MOST_BINS, &count))
        return false;
    window->bin_count = (uint32_t)count;
    window->rows = rows;
    return take_rows(asked->rows, row_count, rows);
}
