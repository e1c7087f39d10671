/* Finds names in sources: a lexer that knows names, comments and quotes only. */
#include "gen/template/names_in_source.h"

#include <ctype.h>
#include <string.h>

static bool is_part_of_name(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

static bool starts(const struct fth_source_names *names, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(names->end - names->at) >= length && !memcmp(names->at, word, length);
}

/* #include, or with blanks in it. */
static bool at_include(const struct fth_source_names *names)
{
    const char *at = names->at;
    if (names->fortran || *at++ != '#')
        return false;
    while (at < names->end && (*at == ' ' || *at == '\t'))
        at++;
    return names->end - at >= 7 && !memcmp(at, "include", 7);
}

static void skip_line(struct fth_source_names *names)
{
    while (names->at < names->end && *names->at != '\n')
        names->at++;
}

/* Texts of C may have a quote behind a backslash; none goes over the end of its line. */
static void skip_text(struct fth_source_names *names)
{
    char quote = *names->at++;
    while (names->at < names->end && *names->at != quote && *names->at != '\n')
        names->at += *names->at == '\\' && !names->fortran && names->at + 1 < names->end ? 2 : 1;
    names->at += names->at < names->end;
}

static void skip_comment(struct fth_source_names *names)
{
    names->at += 2;
    while (names->at < names->end && !starts(names, "*/"))
        names->at++;
    names->at += names->at < names->end ? 2 : 0;
}

/* Is what stands in front of a name a sign that it is a member of a structure? */
static bool is_member(const struct fth_source_names *names)
{
    const char *before = names->name;
    while (before > names->text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    if (before == names->text)
        return false;
    if (names->fortran)
        return before[-1] == '%';
    return before[-1] == '.' ||
           (before[-1] == '>' && before - 1 > names->text && before[-2] == '-');
}

bool fth_source_names_next(struct fth_source_names *names)
{
    names->is_sign = false;
    while (names->at < names->end) {
        char byte = *names->at;
        if (names->fortran ? byte == '!' : starts(names, "//") || at_include(names)) {
            skip_line(names);
        } else if (!names->fortran && starts(names, "/*")) {
            skip_comment(names);
        } else if (byte == '"' || byte == '\'') {
            skip_text(names);
        } else if (is_part_of_name(byte)) {
            names->name = names->at;
            while (names->at < names->end && is_part_of_name(*names->at))
                names->at++;
            names->length = (size_t)(names->at - names->name);
            if (!is_member(names))
                return true;
        } else if (names->with_signs && strchr("(){};", byte)) {
            names->name = names->at++;
            names->length = 1;
            return names->is_sign = true;
        } else {
            names->at++;
        }
    }
    return false;
}

size_t fth_source_name_key(const char *name, size_t length, bool fortran,
                           char key[static FTH_SOURCE_MOST_NAME])
{
    if (length >= FTH_SOURCE_MOST_NAME)
        return 0;
    for (size_t i = 0; i < length; i++)
        key[i] = fortran ? (char)tolower((unsigned char)name[i]) : name[i];
    return length;
}

void fth_source_names_collect(struct fth_intern *found, const char *text, bool fortran)
{
    struct fth_source_names names = {
        .text = text, .end = text + strlen(text), .at = text, .fortran = fortran};
    char key[FTH_SOURCE_MOST_NAME];
    while (fth_source_names_next(&names)) {
        size_t length = fth_source_name_key(names.name, names.length, fortran, key);
        if (length)
            fth_intern(found, key, length);
    }
}
