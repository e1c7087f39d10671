/* Lines of strace: see the header. */
#include "import/strace/strace_syntax.h"

#include <string.h>

static size_t left(struct fth_strace_text text)
{
    return (size_t)(text.end - text.at);
}

bool fth_strace_skip(struct fth_strace_text *text, const char *beginning)
{
    size_t length = strlen(beginning);
    if (left(*text) < length || memcmp(text->at, beginning, length) != 0)
        return false;
    text->at += length;
    return true;
}

bool fth_strace_is(struct fth_strace_text text, const char *word)
{
    return fth_strace_skip(&text, word) && text.at == text.end;
}

void fth_strace_skip_blanks(struct fth_strace_text *text)
{
    while (text->at < text->end && *text->at == ' ')
        text->at++;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int digit_of(char c)
{
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

bool fth_strace_number(struct fth_strace_text *text, int64_t *number)
{
    struct fth_strace_text at = *text;
    bool is_negative = fth_strace_skip(&at, "-");
    int base = 10;
    uint64_t value = 0;
    if (at.at == at.end || !is_digit(*at.at))
        return false;
    if (fth_strace_skip(&at, "0x"))
        base = 16;
    else if (left(at) > 1 && *at.at == '0' && is_digit(at.at[1]))
        base = 8;
    const char *start = at.at;
    while (at.at < at.end && digit_of(*at.at) < base)
        value = value * (uint64_t)base + (uint64_t)digit_of(*at.at++);
    if (at.at == start)
        return false;
    *number = (int64_t)(is_negative ? 0 - value : value);
    *text = at;
    return true;
}

/* ---- times ---- */

/* Up to nine digits behind the point. */
static bool read_fraction(struct fth_strace_text *at, int64_t *ns)
{
    int64_t unit = 1000000000;
    const char *start = at->at;
    *ns = 0;
    while (at->at < at->end && is_digit(*at->at) && unit > 1) {
        unit /= 10;
        *ns += (*at->at++ - '0') * unit;
    }
    return at->at > start;
}

static bool two_digits(struct fth_strace_text *at, int64_t most, int64_t *number)
{
    if (left(*at) < 2 || !is_digit(at->at[0]) || !is_digit(at->at[1]))
        return false;
    *number = (at->at[0] - '0') * 10 + (at->at[1] - '0');
    at->at += 2;
    return *number <= most;
}

/* "17:03:12.345678". Without a fraction it is COARSE. */
static enum fth_strace_kind time_of_day(struct fth_strace_text *text, int64_t *time)
{
    struct fth_strace_text at = *text;
    int64_t hours, minutes, seconds, ns = 0;
    if (!two_digits(&at, 23, &hours) || !fth_strace_skip(&at, ":") ||
        !two_digits(&at, 59, &minutes) || !fth_strace_skip(&at, ":") ||
        !two_digits(&at, 60, &seconds))
        return FTH_STRACE_UNTIMED;
    bool is_fine = fth_strace_skip(&at, ".") && read_fraction(&at, &ns);
    if (at.at < at.end && *at.at != ' ')
        return FTH_STRACE_UNTIMED;
    *time = ((hours * 60 + minutes) * 60 + seconds) * 1000000000 + ns;
    *text = at;
    return is_fine ? FTH_STRACE_CALL : FTH_STRACE_COARSE;
}

/* "1795802743.010171" */
static enum fth_strace_kind time_since_1970(struct fth_strace_text *text, int64_t *time)
{
    const int64_t most = 4000000000, least = 100000000; /* s: 1973 to 2096 */
    struct fth_strace_text at = *text;
    int64_t seconds = 0, ns;
    const char *start = at.at;
    while (at.at < at.end && is_digit(*at.at) && seconds <= most)
        seconds = seconds * 10 + (*at.at++ - '0');
    if (at.at == start || !fth_strace_skip(&at, ".") || !read_fraction(&at, &ns) ||
        (at.at < at.end && *at.at != ' ') || seconds > most)
        return FTH_STRACE_UNTIMED;
    *time = seconds * 1000000000 + ns;
    *text = at;
    return seconds < least ? FTH_STRACE_RELATIVE : FTH_STRACE_CALL;
}

/* FTH_STRACE_CALL: it has been taken off. */
static enum fth_strace_kind read_time(struct fth_strace_text *text, struct fth_strace_line *line)
{
    line->is_of_day = false;
    enum fth_strace_kind kind = time_since_1970(text, &line->time);
    if (kind != FTH_STRACE_UNTIMED)
        return kind;
    line->is_of_day = true;
    return time_of_day(text, &line->time);
}

/* "<sh>" behind the number of a process (--decode-pids=comm). */
static void skip_program(struct fth_strace_text *text)
{
    const char *end = left(*text) && *text->at == '<' ? memchr(text->at, '>', left(*text)) : NULL;
    text->at = end ? end + 1 : text->at;
}

/* "[pid  4711] ", "4711 " or "4711<sh> ", where a time or call follows. */
static void read_pid(struct fth_strace_text *text, struct fth_strace_line *line)
{
    struct fth_strace_text at = *text;
    line->pid = -1;
    bool is_marked = fth_strace_skip(&at, "[pid ");
    fth_strace_skip_blanks(&at);
    int64_t pid = 0;
    const char *start = at.at;
    while (at.at < at.end && is_digit(*at.at) && pid < INT32_MAX)
        pid = pid * 10 + (*at.at++ - '0');
    if (at.at > start)
        skip_program(&at);
    if (at.at == start || pid > INT32_MAX || (is_marked && !fth_strace_skip(&at, "]")) ||
        at.at == at.end || *at.at != ' ')
        return;
    fth_strace_skip_blanks(&at);
    line->pid = pid;
    *text = at;
}

/* ---- lines ---- */

static bool ends_with(struct fth_strace_text *text, const char *end)
{
    size_t length = strlen(end);
    if (left(*text) < length || memcmp(text->end - length, end, length) != 0)
        return false;
    text->end -= length;
    return true;
}

/* "+++ exited with 0 +++" and its like. */
static void read_end(struct fth_strace_text text, struct fth_strace_line *line)
{
    line->kind = FTH_STRACE_NOTHING;
    if (fth_strace_skip(&text, "exited with ") && fth_strace_number(&text, &line->number))
        line->kind = FTH_STRACE_EXITED;
    else if (fth_strace_skip(&text, "superseded by execve in pid ") &&
             fth_strace_number(&text, &line->number))
        line->kind = FTH_STRACE_SUPERSEDED;
    else if (fth_strace_skip(&text, "killed by ")) {
        line->text = (struct fth_strace_text){text.at, text.at};
        while (line->text.end < text.end && is_word(*line->text.end))
            line->text.end++;
        line->kind = FTH_STRACE_KILLED;
    }
}

static void read_resumed(struct fth_strace_text text, struct fth_strace_line *line)
{
    static const char word[] = " resumed>";
    const char *at = memchr(text.at, ' ', left(text));
    line->kind = FTH_STRACE_FOREIGN;
    if (!at)
        return;
    text.at = at;
    if (!fth_strace_skip(&text, word))
        return;
    line->kind = FTH_STRACE_RESUMED;
    line->text = text;
}

static bool begins_call(struct fth_strace_text text)
{
    const char *at = text.at;
    while (at < text.end && (is_word(*at) || *at == '?'))
        at++;
    return at > text.at && at < text.end && *at == '(';
}

/* What stands behind the time. */
static void read_event(struct fth_strace_text text, struct fth_strace_line *line)
{
    if (fth_strace_skip(&text, "--- ")) {
        line->kind = FTH_STRACE_SIGNALLED;
    } else if (fth_strace_skip(&text, "+++ ")) {
        read_end(text, line);
    } else if (fth_strace_skip(&text, "<... ")) {
        read_resumed(text, line);
    } else if (fth_strace_skip(&text, "strace: ")) {
        line->kind = FTH_STRACE_NOTHING;
    } else if (!begins_call(text)) {
        line->kind = FTH_STRACE_FOREIGN;
    } else {
        bool is_unfinished =
            ends_with(&text, "<unfinished ...>") || ends_with(&text, "<detached ...>");
        line->kind = is_unfinished ? FTH_STRACE_UNFINISHED : FTH_STRACE_CALL;
        line->text = text;
    }
}

/* "[00007f12cf0] ", "[ 257] " and "(+     0.000012) " (-i, -n, -r beside -ttt) */
static void skip_marks(struct fth_strace_text *text)
{
    while (text->at < text->end && (*text->at == '[' || *text->at == '(')) {
        const char *end = memchr(text->at, *text->at == '[' ? ']' : ')', left(*text));
        if (!end)
            return;
        text->at = end + 1;
        fth_strace_skip_blanks(text);
    }
}

void fth_strace_line_read(struct fth_strace_text text, struct fth_strace_line *line)
{
    *line = (struct fth_strace_line){.pid = -1};
    fth_strace_skip_blanks(&text);
    if (text.at == text.end || fth_strace_skip(&text, "strace: ") ||
        (fth_strace_skip(&text, "Process ") && ends_with(&text, "ed"))) {
        line->kind = FTH_STRACE_NOTHING;
        return;
    }
    if (fth_strace_skip(&text, "> ")) { /* a place of the stack (-k) */
        line->kind = FTH_STRACE_NOTHING;
        return;
    }
    if (fth_strace_skip(&text, "% time ")) {
        line->kind = FTH_STRACE_SUMMARY;
        return;
    }
    enum fth_strace_kind kind = read_time(&text, line);
    if (kind == FTH_STRACE_UNTIMED) {
        read_pid(&text, line);
        kind = read_time(&text, line);
    }
    fth_strace_skip_blanks(&text);
    if (kind == FTH_STRACE_CALL)
        skip_marks(&text);
    read_event(text, line);
    if (line->kind != FTH_STRACE_FOREIGN && kind != FTH_STRACE_CALL)
        line->kind = kind;
}

bool fth_strace_line_time(struct fth_strace_text text, int64_t *time, bool *is_of_day)
{
    struct fth_strace_line line;
    fth_strace_skip_blanks(&text);
    bool is_there = read_time(&text, &line) == FTH_STRACE_CALL;
    *time = line.time;
    *is_of_day = line.is_of_day;
    return is_there;
}

/* ---- items ---- */

/* Behind the string that begins at `at`; NULL: it has no end. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end; at++) {
        if (*at == '\\')
            at++;
        else if (*at == '"')
            return at + 1;
    }
    return NULL;
}

/* Is the sign at `at` the end of what `<` has begun, and no arrow in it? */
static bool ends_decoration(const char *at, const char *end)
{
    return at[-1] != '-' || at + 1 == end || strchr(",)]} ", at[1]);
}

static const char *skip_decoration(const char *at, const char *end)
{
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '\\') {
            at++;
        } else if (*at == '"') {
            at = skip_string(at, end);
            if (!at)
                return NULL;
            at--;
        } else if (*at == '<') {
            depth++;
        } else if (*at == '>' && ends_decoration(at, end) && --depth == 0) {
            return at + 1;
        }
    }
    return NULL;
}

static const char *skip_comment(const char *at, const char *end)
{
    for (at += 2; at + 1 < end; at++)
        if (at[0] == '*' && at[1] == '/')
            return at + 2;
    return NULL;
}

/* Signs that need a look; all others are skipped. */
static const uint8_t is_sign[256] = {['"'] = 1, ['('] = 1, [')'] = 1, ['['] = 1, [']'] = 1,
                                     ['{'] = 1, ['}'] = 1, ['<'] = 1, ['/'] = 1, [','] = 1};

/* Behind one item, at its comma or at the bracket that ends the list, or at the end. NULL: it is
 * damaged. */
static const char *skip_item(const char *at, const char *end)
{
    int depth = 0;
    while (at && at < end) {
        if (!is_sign[(uint8_t)*at]) {
            at++;
            continue;
        }
        switch (*at) {
        case '"':
            at = skip_string(at, end);
            break;
        case '(':
        case '[':
        case '{':
            depth++;
            at++;
            break;
        case ')':
        case ']':
        case '}':
            if (depth-- == 0)
                return at;
            at++;
            break;
        case '<':
            at = end - at > 1 && at[1] == '<' ? at + 2 : skip_decoration(at, end);
            break;
        case '/':
            at = end - at > 1 && at[1] == '*' ? skip_comment(at, end) : at + 1;
            break;
        default:
            if (depth == 0)
                return at;
            at++;
        }
    }
    return depth ? NULL : at;
}

static struct fth_strace_text trimmed(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    while (at < end && end[-1] == ' ')
        end--;
    return (struct fth_strace_text){at, end};
}

/* "577 / * O_WRONLY|O_CREAT * /" (-X verbose): what it means. */
static struct fth_strace_text meant(struct fth_strace_text argument)
{
    struct fth_strace_text number = argument;
    int64_t ignored;
    if (!fth_strace_number(&number, &ignored) || !fth_strace_skip(&number, " /* ") ||
        !ends_with(&number, " */") || number.at == number.end || *number.at < 'A' ||
        *number.at > 'Z' || memchr(number.at, ' ', left(number)))
        return argument;
    return number;
}

bool fth_strace_item(struct fth_strace_text *list, struct fth_strace_text *item)
{
    if (list->at >= list->end)
        return false;
    const char *end = skip_item(list->at, list->end);
    if (!end)
        return false;
    *item = trimmed(list->at, end);
    list->at = end < list->end ? end + 1 : end;
    return item->at < item->end;
}

bool fth_strace_inside(struct fth_strace_text text, struct fth_strace_text *inside)
{
    if (text.at == text.end || (*text.at != '[' && *text.at != '{'))
        return false;
    const char *end = text.at + 1;
    while ((end = skip_item(end, text.end)) && end < text.end && *end == ',')
        end++;
    if (!end || end == text.end)
        return false;
    *inside = trimmed(text.at + 1, end);
    return true;
}

bool fth_strace_decoration(struct fth_strace_text *text, struct fth_strace_text *inside)
{
    if (text->at == text->end || *text->at != '<')
        return false;
    const char *end = skip_decoration(text->at, text->end);
    if (!end)
        return false;
    *inside = (struct fth_strace_text){text->at + 1, end - 1};
    text->at = end;
    return true;
}

bool fth_strace_find(struct fth_strace_text text, const char *word, struct fth_strace_text *behind)
{
    while (text.at < text.end) {
        struct fth_strace_text at = text;
        if (fth_strace_skip(&at, word)) {
            *behind = at;
            return true;
        }
        const char *next = *text.at == '"' ? skip_string(text.at, text.end) : text.at + 1;
        if (!next)
            return false;
        text.at = next;
    }
    return false;
}

/* ---- calls ---- */

/* " <0.000012>" at the end (-T), taken off; -1: it is not there. */
static int64_t take_duration(struct fth_strace_text *text)
{
    int64_t seconds = 0, ns;
    if (text->at == text->end || text->end[-1] != '>')
        return -1;
    const char *start = text->end - 1;
    while (start > text->at && *start != '<')
        start--;
    struct fth_strace_text at = {start + 1, text->end - 1};
    while (at.at < at.end && is_digit(*at.at) && seconds < 1000000000)
        seconds = seconds * 10 + (*at.at++ - '0');
    if (at.at == start + 1 || !fth_strace_skip(&at, ".") || !read_fraction(&at, &ns) ||
        at.at != at.end)
        return -1;
    text->end = start;
    return seconds * 1000000000 + ns;
}

bool fth_strace_call_read(struct fth_strace_text text, struct fth_strace_call *call)
{
    const char *at = text.at;
    while (at < text.end && *at != '(')
        at++;
    if (at == text.end)
        return false;
    call->name = (struct fth_strace_text){text.at, at++};
    call->count = 0;
    const char *end;
    while ((end = skip_item(at, text.end)) && end < text.end && *end == ',') {
        if (call->count < FTH_STRACE_ARGUMENTS)
            call->arguments[call->count++] = meant(trimmed(at, end));
        at = end + 1;
    }
    if (!end || end == text.end || *end != ')')
        return false;
    struct fth_strace_text last = trimmed(at, end);
    if (last.at < last.end && call->count < FTH_STRACE_ARGUMENTS)
        call->arguments[call->count++] = meant(last);
    text.at = end + 1;
    fth_strace_skip_blanks(&text);
    if (!fth_strace_skip(&text, "= ") && !fth_strace_is(text, "="))
        return false;
    call->duration = take_duration(&text);
    call->result = trimmed(text.at, text.end);
    return true;
}
