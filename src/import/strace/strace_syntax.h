/* A line of strace in its parts. Lines are not trusted: what is no line of strace is said, and
 * nothing is read beyond its end. */
#ifndef FTH_IMPORT_STRACE_STRACE_SYNTAX_H
#define FTH_IMPORT_STRACE_STRACE_SYNTAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of a line. */
struct fth_strace_text {
    const char *at, *end;
};

enum fth_strace_kind {
    FTH_STRACE_FOREIGN,    /* no line of strace */
    FTH_STRACE_UNTIMED,    /* one without a time */
    FTH_STRACE_RELATIVE,   /* its time is relative (-r) */
    FTH_STRACE_COARSE,     /* its time has whole seconds only (-t) */
    FTH_STRACE_NOTHING,    /* a message of strace, or a place of a stack (-k) */
    FTH_STRACE_SUMMARY,    /* counts of calls begin (-C): no calls are behind them */
    FTH_STRACE_SIGNALLED,  /* the thread has got a signal */
    FTH_STRACE_CALL,       /* `text`: a whole call */
    FTH_STRACE_UNFINISHED, /* `text`: a call up to where it was interrupted */
    FTH_STRACE_RESUMED,    /* `text`: the rest of one */
    FTH_STRACE_EXITED,     /* `number`: status */
    FTH_STRACE_KILLED,     /* `text`: name of the signal */
    FTH_STRACE_SUPERSEDED, /* `number`: the thread that has executed a program in its place */
};

struct fth_strace_line {
    enum fth_strace_kind kind;
    int64_t pid;  /* -1: the line does not say */
    int64_t time; /* ns since 1970, or since midnight */
    bool is_of_day;
    struct fth_strace_text text;
    int64_t number;
};

void fth_strace_line_read(struct fth_strace_text text, struct fth_strace_line *line);
/* The time alone, for who puts lines of several files in order. False: it has none. */
bool fth_strace_line_time(struct fth_strace_text text, int64_t *time, bool *is_of_day);

enum { FTH_STRACE_ARGUMENTS = 8 };
/* ns: of a call, or a log */
#define FTH_STRACE_LONGEST (INT64_C(10) * 366 * 86400 * 1000000000)

struct fth_strace_call {
    struct fth_strace_text name;
    struct fth_strace_text arguments[FTH_STRACE_ARGUMENTS];
    unsigned count;
    struct fth_strace_text result; /* what stands behind "= " */
    int64_t duration;              /* ns; -1: it is not there */
};

/* False: it is no call. */
bool fth_strace_call_read(struct fth_strace_text text, struct fth_strace_call *call);

/* What is in front of a text, taken off; false: it is not there. */
bool fth_strace_skip(struct fth_strace_text *text, const char *beginning);
void fth_strace_skip_blanks(struct fth_strace_text *text);
bool fth_strace_is(struct fth_strace_text text, const char *word);
/* Where `word` stands in the text, outside of strings; the text behind it. */
bool fth_strace_find(struct fth_strace_text text, const char *word, struct fth_strace_text *behind);
/* A number as strace writes it (decimal, hexadecimal, octal), taken off. */
bool fth_strace_number(struct fth_strace_text *text, int64_t *number);
/* The next item of a list or structure, up to its comma, taken off; false: there is none. */
bool fth_strace_item(struct fth_strace_text *list, struct fth_strace_text *item);
/* What stands between the brackets, where the text is `[...]` or `{...}`. */
bool fth_strace_inside(struct fth_strace_text text, struct fth_strace_text *inside);
/* `<path>` behind a descriptor (-y), taken off, without its signs. */
bool fth_strace_decoration(struct fth_strace_text *text, struct fth_strace_text *inside);

#endif
