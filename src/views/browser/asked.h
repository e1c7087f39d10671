/* What a browser asks the server of the page for: whether it may, and what it wants. */
#ifndef FTH_VIEWS_ASKED_H
#define FTH_VIEWS_ASKED_H

#include "overview/overview.h"

enum { FTH_ASKED_TOKEN = 32 /* letters of it */ };

/* Who may come in. */
struct fth_asked_door {
    char token[FTH_ASKED_TOKEN + 1];
    unsigned port;
    const char *address; /* that the server was bound to, beside loopback; NULL: none */
};

/* A request as it came. NULL: it has no such line. */
struct fth_asked_head {
    const char *method, *path, *host;
    const char *origin, *fetch_site;      /* Origin, Sec-Fetch-Site */
    const char *fetch_mode, *destination; /* Sec-Fetch-Mode, Sec-Fetch-Dest */
    const char *length, *encoding;        /* Content-Length, Transfer-Encoding: of a body */
};

enum fth_asked_what {
    FTH_ASKED_PAGE,
    FTH_ASKED_STATE,
    FTH_ASKED_REPORT,
    FTH_ASKED_NAMES,
    FTH_ASKED_NUMBERS,
    FTH_ASKED_MAPS,
    FTH_ASKED_CELLS,
    FTH_ASKED_MESSAGES,
    FTH_ASKED_LINKS,
    FTH_ASKED_HANDLES,
    FTH_ASKED_SAMPLES,
    FTH_ASKED_WINDOW,
    FTH_ASKED_CALL,
    FTH_ASKED_VERIFY,
    FTH_ASKED_FILTER,
    FTH_ASKED_STOP,
};

/* 0: it may, and *what is set; else the status of HTTP to answer with. Only who knows the token
 * gets in, by GET, under a name of this machine (a name that somebody else has made point to it is
 * refused), and from no page but this one: others may at most lead to it, by a link. The token is
 * compared in the same time whatever it is. */
unsigned fth_views_judge(const struct fth_asked_door *door, const struct fth_asked_head *head,
                         enum fth_asked_what *what);

/* A window as it is asked for: "begin", "width", "count" and "rows" ("0-3,7"). False: it is none.
 * `rows` has room for `row_count`; at least one of them is wanted. */
struct fth_asked_window {
    const char *begin, *width, *count, *rows;
};
bool fth_views_take_window(const struct fth_asked_window *asked, size_t row_count, bool *rows,
                           struct fth_overview_window *window);

/* A number in decimal digits, with a minus where it may be less than 0, from `least` to `most`. */
bool fth_views_take_number(const char *text, int64_t least, int64_t most, int64_t *number);

#endif
