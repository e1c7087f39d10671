/* The filter file of `fathom record --regions=FILE`: which functions become regions.
 *
 *     # functions of the solver, but not its smallest ones
 *     include  Solver::* solve_*
 *     exclude  *::operator[]
 *
 * Filter files of Score-P are read as well, as far as they are about names of regions. The tracer
 * gets the patterns on one line (src/capture/functions). */
#include "base/memory.h"
#include "base/sink.h"
#include "base/text_file.h"
#include "cmd/record/record.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum {
    LONGEST_RULES = 16 << 10, /* they travel in the environment */
    LONGEST_PATTERN = 300,
};

struct reading {
    const char *path;
    unsigned line;
    char sign; /* of the rule that the next pattern belongs to; 0: none has begun */
    struct fth_sink rules;
};

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return strlen(wanted) == length && strncasecmp(word, wanted, length) == 0;
}

static bool is_marker(const char *word, size_t length)
{
    return is_word(word, length, "SCOREP_REGION_NAMES_BEGIN") ||
           is_word(word, length, "SCOREP_REGION_NAMES_END") || is_word(word, length, "MANGLED");
}

/* 'include' and 'exclude' hold until the next of them, on lines below, too. */
static int read_word(struct reading *reading, const char *word, size_t length, size_t column,
                     struct fth_error **error)
{
    if (is_word(word, length, "include") || is_word(word, length, "exclude")) {
        reading->sign = tolower((unsigned char)*word) == 'i' ? '+' : '-';
        return 0;
    }
    if (is_marker(word, length))
        return 0;
    if (length > 7 && strncasecmp(word, "SCOREP_", 7) == 0)
        return fth_fail(error,
                        "%s:%u:%zu: %.*s: functions are selected by name only, not by source file; "
                        "remove these lines",
                        reading->path, reading->line, column, (int)length, word);
    if (!reading->sign)
        return fth_fail(error, "%s:%u:%zu: expected 'include' or 'exclude' in front of '%.*s'",
                        reading->path, reading->line, column, (int)length, word);
    if (length > LONGEST_PATTERN || reading->rules.used + length + 2 > LONGEST_RULES)
        return fth_fail(
            error,
            "%s:%u:%zu: too long: a pattern has at most %d characters, all patterns together %d",
            reading->path, reading->line, column, LONGEST_PATTERN, LONGEST_RULES);
    fth_sink_text(&reading->rules, reading->rules.used ? " " : "");
    fth_sink_char(&reading->rules, reading->sign);
    fth_sink_bytes(&reading->rules, word, length);
    return 0;
}

static int read_line(struct reading *reading, const char *line, struct fth_error **error)
{
    static const char blanks[] = " \t\r\n\f\v";
    const char *end = line + strcspn(line, "#");
    for (const char *at = line + strspn(line, blanks); at < end; at += strspn(at, blanks)) {
        size_t length = strcspn(at, " \t\r\n\f\v#");
        if (read_word(reading, at, length, (size_t)(at - line) + 1, error))
            return -1;
        at += length;
    }
    return 0;
}

static int read_lines(struct reading *reading, FILE *file, struct fth_error **error)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    int result = 0;
    while (!result && (length = getline(&line, &room, file)) >= 0) {
        reading->line++;
        if (strlen(line) != (size_t)length)
            result =
                fth_fail(error, "%s:%u: this is not a text file", reading->path, reading->line);
        else
            result = read_line(reading, line, error);
    }
    if (!result && ferror(file))
        result = fth_fail_errno(error, "cannot read the filter '%s'", reading->path);
    free(line);
    return result;
}

char *fth_record_regions(const char *path, struct fth_error **error)
{
    struct reading reading = {.path = path};
    char *rules = NULL;
    FILE *file = fth_text_file(path, FTH_TEXT_MOST_BYTES, error);
    if (!file) {
        fth_fail_in(error, "filter");
        return NULL;
    }
    fth_sink_open_memory(&reading.rules);
    if (!read_lines(&reading, file, error)) {
        if (!reading.rules.used)
            fth_fail(error,
                     "the filter '%s' has no rule: expected 'include PATTERN...' or "
                     "'exclude PATTERN...'",
                     path);
        fth_sink_char(&reading.rules, 0);
        if (reading.rules.used > 1)
            rules = fth_text_copy(reading.rules.bytes);
    }
    fth_sink_close_memory(&reading.rules);
    fclose(file);
    return rules;
}
