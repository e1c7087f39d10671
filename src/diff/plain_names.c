/* What is made up anew in each run stands in names in known places: pipe:[12345], a number that a
 * process of the run has, folders of sessions, six letters of mkstemp. Names that both runs have
 * are compared as they are (diff_files.c), so only the others come here. */
#include "diff/plain_names.h"

#include "analysis/select/noise.h"
#include "base/memory.h"
#include "base/sink.h"
#include "base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers of processes ---- */

void fth_diff_pids_add(struct fth_diff_pids *pids, int64_t pid)
{
    FTH_GROW(pids->list, pids->count);
    pids->list[pids->count++] = pid;
}

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

void fth_diff_pids_sort(struct fth_diff_pids *pids)
{
    if (pids->count)
        qsort(pids->list, pids->count, sizeof *pids->list, compare);
}

void fth_diff_pids_free(struct fth_diff_pids *pids)
{
    free(pids->list);
}

enum { LEAST_DIGITS = 2, MOST_DIGITS = 10 };

static bool is_pid(const struct fth_diff_pids *pids, const char *digits, size_t length)
{
    char copy[MOST_DIGITS + 1];
    if (length < LEAST_DIGITS || length > MOST_DIGITS || *digits == '0' || !pids->count)
        return false;
    memcpy(copy, digits, length);
    copy[length] = 0;
    int64_t number = strtoll(copy, NULL, 10);
    return bsearch(&number, pids->list, pids->count, sizeof number, compare) != NULL;
}

/* ---- plain names ---- */

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* "b6a60001": what is no word, but a number in disguise. */
static size_t count_hex(const char *text)
{
    size_t length = strspn(text, "0123456789abcdef"), digits = 0;
    for (size_t i = 0; i < length; i++)
        digits += isdigit((unsigned char)text[i]) != 0;
    return length >= 6 && digits && !isalnum((unsigned char)text[length]) ? length : 0;
}

/* Names that are numbers, with what stands in front of these. */
static size_t numbered_beginning(const char *path)
{
    static const char *const beginnings[] = {"pipe:[", "socket:["};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (fth_text_begins(path, beginnings[i]))
            return strlen(beginnings[i]);
    return 0;
}

char *fth_diff_plain_name(const char *path, const struct fth_diff_pids *pids,
                          const struct fth_diff_spans *spans)
{
    size_t beginning = numbered_beginning(path);
    if (beginning)
        return fth_text_format("%.*s*]", (int)beginning, path);
    bool session = fth_analysis_is_of_session(path),
         is_of_process = fth_text_begins(path, "/proc/");
    struct fth_sink plain;
    fth_sink_open_memory(&plain);
    for (const char *at = path; *at;) {
        bool within = at > path && isalnum((unsigned char)at[-1]);
        size_t hex = session && !within ? count_hex(at) : 0, digits = count_digits(at);
        bool in_number = at > path && isdigit((unsigned char)at[-1]);
        size_t moment = digits && !in_number ? fth_diff_moment_length(spans, at) : 0;
        if (moment) {
            fth_sink_text(&plain, "TIME");
            at += moment;
        } else if (hex || (session && digits)) {
            fth_sink_char(&plain, '*');
            at += hex ? hex : digits;
        } else if (digits && (is_pid(pids, at, digits) || (is_of_process && at == path + 6))) {
            fth_sink_text(&plain, "PID");
            at += digits;
        } else {
            size_t length = digits ? digits : 1;
            while (length--)
                fth_sink_char(&plain, *at++);
        }
    }
    fth_sink_char(&plain, 0);
    char *name = fth_text_copy(plain.bytes);
    fth_sink_close_memory(&plain);
    return name;
}

/* ---- temporary names ---- */

/* How often letters become digits, small ones large, and the like: in words that somebody chose
 * hardly ever. */
static size_t count_turns(const char *text, size_t length)
{
    size_t turns = 0;
    int before = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        int now = isdigit(c) ? 1 : isupper(c) ? 2 : 3;
        turns += i && now != before;
        before = now;
    }
    return turns;
}

static bool are_letters(const char *text, size_t length, const char *others)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && !strchr(others, text[i]))
            return false;
    return true;
}

/* Of a hash or a universally unique identifier. */
enum { LEAST_HEX = 16 };
static size_t long_hex(const char *text, size_t length)
{
    size_t at = length, digits = 0, letters = 0;
    for (; at && (isxdigit((unsigned char)text[at - 1]) || text[at - 1] == '-'); at--) {
        digits += isdigit((unsigned char)text[at - 1]) != 0;
        letters += isalpha((unsigned char)text[at - 1]) != 0;
    }
    while (at < length && text[at] == '-')
        at++;
    bool is_within = at && isalnum((unsigned char)text[at - 1]);
    return digits && letters && digits + letters >= LEAST_HEX && !is_within ? length - at : 0;
}

/* "out.5ccebf": six hexadecimal digits by themselves, of both kinds. */
static bool short_hex(const char *name, size_t length)
{
    size_t digits = 0;
    for (size_t i = length - 6; i < length; i++) {
        if (!strchr("0123456789abcdef", name[i]))
            return false;
        digits += isdigit((unsigned char)name[i]) != 0;
    }
    bool is_apart = length == 6 || !isalnum((unsigned char)name[length - 7]);
    return is_apart && digits && digits < 6;
}

struct letters {
    size_t at, count; /* count 0: there are none */
    bool random;
};

/* Of one component of a path, before its last `endings`. Compilers: cc and 6; mktemp: tmp. and 10;
 * Python: tmp and 8, or 8 alone; mkstemp: 6 behind anything. */
static struct letters find_letters(const char *name, size_t length, size_t endings)
{
    struct letters found = {0};
    for (size_t i = 0; i < endings; i++) {
        const char *dot = memrchr(name, '.', length);
        if (!dot || dot == name)
            return found;
        length = (size_t)(dot - name);
    }
    size_t hex = long_hex(name, length);
    if (length == 8 && !strncmp(name, "cc", 2) && are_letters(name + 2, 6, ""))
        found = (struct letters){2, 6, count_turns(name + 2, 6) > 0};
    else if (hex)
        found = (struct letters){length - hex, hex, count_turns(name + length - hex, hex) > 3};
    else if (length == 14 && !strncmp(name, "tmp.", 4) && are_letters(name + 4, 10, ""))
        found = (struct letters){4, 10, count_turns(name + 4, 10) > 1};
    else if (length == 11 && !strncmp(name, "tmp", 3) && are_letters(name + 3, 8, "_"))
        found = (struct letters){3, 8, count_turns(name + 3, 8) > 0};
    else if (!endings && length == 8 && are_letters(name, 8, "_") && count_turns(name, 8) > 2)
        found = (struct letters){0, 8, true};
    else if (length >= 6 && are_letters(name + length - 6, 6, ""))
        found = (struct letters){length - 6, 6,
                                 count_turns(name + length - 6, 6) > 1 || short_hex(name, length)};
    return found;
}

/* Of a folder: no name but one that nobody chose, or that begins as those do. */
static struct letters find_random(const char *name, size_t length)
{
    for (size_t endings = 0; endings <= FTH_DIFF_MOST_ENDINGS; endings++) {
        struct letters letters = find_letters(name, length, endings);
        if (letters.random)
            return letters;
    }
    struct letters letters = find_letters(name, length, 0);
    return strncmp(name, "tmp", 3) || letters.at + letters.count != length || letters.at > 4
               ? (struct letters){0}
               : letters;
}

char *fth_diff_temporary_name(const char *path, size_t endings, bool *random)
{
    char *name = fth_text_copy(path), *at = name;
    bool found = false;
    *random = false;
    while (*at) {
        size_t length = strcspn(at, "/");
        bool is_last = !at[length];
        struct letters letters =
            is_last ? find_letters(at, length, endings) : find_random(at, length);
        /* In a folder whose name is made up, names of files are those that somebody chose. */
        if (is_last && found && !letters.random)
            letters.count = 0;
        memset(at + letters.at, 'X', letters.count);
        found = found || letters.count;
        *random = *random || letters.random;
        at += length + !is_last;
    }
    if (found)
        return name;
    free(name);
    return NULL;
}
