/* Reads as much of a symbol of C++ (Itanium C++ ABI, 5.1: mangling) as it takes to write the name
 * with what it is nested in. Types are skipped: overloads and instances of one template are one
 * region. Needs no memory, as it runs inside of the program. */
#include "capture/functions/source_names.h"

#include <stdbool.h>
#include <string.h>

enum { DEEPEST = 32 };

struct reading {
    const char *at;
    char *to, *end; /* where the next letter goes; of the room */
    unsigned depth;
    bool silent; /* nothing is written */
    bool failed;
    const char *last; /* the innermost name, for constructors */
    size_t last_length;
};

static void put(struct reading *reading, const char *text, size_t length)
{
    if (reading->silent)
        return;
    if (length > (size_t)(reading->end - reading->to))
        length = (size_t)(reading->end - reading->to);
    memcpy(reading->to, text, length);
    reading->to += length;
}

static void put_text(struct reading *reading, const char *text)
{
    put(reading, text, strlen(text));
}

static bool take(struct reading *reading, char letter)
{
    bool is_there = *reading->at == letter;
    reading->at += is_there;
    return is_there;
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

static void skip_digits(struct reading *reading)
{
    while (is_digit(*reading->at))
        reading->at++;
}

/* "4save". */
static void read_source_name(struct reading *reading)
{
    size_t length = 0;
    for (; is_digit(*reading->at) && length < 10000; reading->at++)
        length = 10 * length + (size_t)(*reading->at - '0');
    if (!length || strnlen(reading->at, length) < length) {
        reading->failed = true;
        return;
    }
    reading->last = reading->at;
    reading->last_length = length;
    reading->at += length;
    if (strncmp(reading->last, "_GLOBAL__N", strlen("_GLOBAL__N")) == 0)
        put_text(reading, "(anonymous)");
    else
        put(reading, reading->last, length);
}

/* ---- types, which are skipped ---- */

static void skip_type(struct reading *reading);
static void read_nested(struct reading *reading);
static void read_encoding(struct reading *reading);

/* At "I": arguments of a template, or at "J": a list of such. */
static void skip_arguments(struct reading *reading)
{
    reading->at++;
    while (!reading->failed && *reading->at && *reading->at != 'E') {
        if (*reading->at == 'J') {
            if (++reading->depth > DEEPEST)
                reading->failed = true;
            else
                skip_arguments(reading);
            reading->depth--;
        } else if (take(reading, 'L')) { /* a constant; of an address there is the name */
            if (take(reading, '_'))
                reading->failed = true;
            skip_type(reading);
            take(reading, 'n');
            skip_digits(reading);
            reading->failed = reading->failed || !take(reading, 'E');
        } else {
            skip_type(reading);
        }
    }
    reading->failed = reading->failed || !take(reading, 'E');
}

static void skip_arguments_if_any(struct reading *reading)
{
    if (*reading->at == 'I')
        skip_arguments(reading);
}

/* At "S": something that has been named before, or of the standard library. */
static void read_substitution(struct reading *reading)
{
    static const struct {
        char letter;
        const char *name;
    } known[] = {{'t', "std"},          {'a', "std::allocator"}, {'b', "std::basic_string"},
                 {'s', "std::string"},  {'i', "std::istream"},   {'o', "std::ostream"},
                 {'d', "std::iostream"}};
    reading->at++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (*reading->at == known[i].letter) {
            reading->at++;
            put_text(reading, known[i].name);
            return;
        }
    while (is_digit(*reading->at) || (*reading->at >= 'A' && *reading->at <= 'Z'))
        reading->at++;
    /* which one it is would take a list of all that were named */
    reading->failed = reading->failed || !take(reading, '_') || !reading->silent;
}

/* After "D". */
static void skip_new_type(struct reading *reading)
{
    char letter = *reading->at;
    reading->at += letter != 0;
    if (letter == 'p')
        skip_type(reading);
    else if (!letter || !strchr("nacisuhfde", letter))
        reading->failed = true; /* decltype and the like */
}

static void skip_type_here(struct reading *reading)
{
    while (*reading->at && strchr("PROKVrCG", *reading->at))
        reading->at++;
    char letter = *reading->at;
    if (is_digit(letter)) {
        read_source_name(reading);
        skip_arguments_if_any(reading);
    } else if (letter == 'N') {
        read_nested(reading);
    } else if (letter == 'S') {
        read_substitution(reading);
        if (reading->at[-1] == 't')
            read_source_name(reading);
        skip_arguments_if_any(reading);
    } else if (take(reading, 'T')) {
        skip_digits(reading);
        reading->failed = reading->failed || !take(reading, '_');
        skip_arguments_if_any(reading);
    } else if (take(reading, 'F')) {
        take(reading, 'Y');
        while (!reading->failed && *reading->at && *reading->at != 'E')
            skip_type(reading);
        reading->failed = reading->failed || !take(reading, 'E');
    } else if (take(reading, 'A')) {
        skip_digits(reading);
        reading->failed = reading->failed || !take(reading, '_');
        skip_type(reading);
    } else if (take(reading, 'M')) {
        skip_type(reading);
        skip_type(reading);
    } else if (take(reading, 'D')) {
        skip_new_type(reading);
    } else if (letter >= 'a' && letter <= 'z' && letter != 'u') {
        reading->at++;
    } else {
        reading->failed = true;
    }
}

static void skip_type(struct reading *reading)
{
    bool was_silent = reading->silent;
    const char *last = reading->last;
    size_t last_length = reading->last_length;
    reading->silent = true;
    if (reading->failed || ++reading->depth > DEEPEST)
        reading->failed = true;
    else
        skip_type_here(reading);
    reading->depth--;
    reading->silent = was_silent;
    reading->last = last;
    reading->last_length = last_length;
}

/* ---- names ---- */

/* "cl" of operator(). */
static void read_operator(struct reading *reading)
{
    static const char names[][2][4] = {
        {"cl", "()"}, {"ix", "[]"}, {"aS", "="},  {"eq", "=="}, {"ne", "!="}, {"lt", "<"},
        {"gt", ">"},  {"le", "<="}, {"ge", ">="}, {"ls", "<<"}, {"rs", ">>"}, {"pl", "+"},
        {"mi", "-"},  {"ml", "*"},  {"dv", "/"},  {"rm", "%"},  {"pL", "+="}, {"mI", "-="},
        {"mL", "*="}, {"dV", "/="}, {"pp", "++"}, {"mm", "--"}, {"de", "*"},  {"pt", "->"},
        {"nt", "!"},  {"an", "&"},  {"or", "|"},  {"eo", "^"},  {"co", "~"},  {"ad", "&"}};
    put_text(reading, "operator");
    if (strncmp(reading->at, "cv", 2) == 0) {
        reading->at += 2;
        put_text(reading, " cast");
        skip_type(reading);
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(reading->at, names[i][0], 2) == 0) {
            reading->at += 2;
            put_text(reading, names[i][1]);
            return;
        }
    reading->failed = true;
}

/* At "U": a lambda ("UlvE_") or a type without a name ("Ut_"). */
static void read_unnamed(struct reading *reading)
{
    reading->at++;
    bool is_lambda = take(reading, 'l');
    if (!is_lambda && !take(reading, 't')) {
        reading->failed = true;
        return;
    }
    put_text(reading, is_lambda ? "lambda" : "unnamed");
    while (is_lambda && !reading->failed && *reading->at && *reading->at != 'E')
        skip_type(reading);
    reading->failed = reading->failed || (is_lambda && !take(reading, 'E'));
    skip_digits(reading);
    reading->failed = reading->failed || !take(reading, '_');
}

static void read_part(struct reading *reading)
{
    take(reading, 'L'); /* of one file only */
    char letter = *reading->at;
    if (is_digit(letter)) {
        read_source_name(reading);
    } else if ((letter == 'C' || letter == 'D') && is_digit(reading->at[1]) && reading->last) {
        put(reading, "~", letter == 'D');
        put(reading, reading->last, reading->last_length);
        reading->at += 2;
    } else if (letter == 'S') {
        read_substitution(reading);
    } else if (letter == 'U') {
        read_unnamed(reading);
    } else if (letter >= 'a' && letter <= 'z') {
        read_operator(reading);
    } else {
        reading->failed = true;
    }
    while (!reading->failed && take(reading, 'B')) { /* a version of the ABI */
        bool was_silent = reading->silent;
        reading->silent = true;
        read_source_name(reading);
        reading->silent = was_silent;
    }
}

/* At "N": what ends with "E". */
static void read_nested(struct reading *reading)
{
    bool any = false;
    reading->at++;
    while (*reading->at && strchr("rVKRO", *reading->at))
        reading->at++;
    while (!reading->failed && *reading->at && *reading->at != 'E') {
        if (any && *reading->at == 'I') {
            skip_arguments(reading);
        } else if (reading->silent && *reading->at == 'T') {
            skip_type(reading);
        } else {
            put_text(reading, any ? "::" : "");
            read_part(reading);
        }
        any = true;
    }
    reading->failed = reading->failed || !take(reading, 'E');
}

/* At "Z": inside of a function. */
static void read_local(struct reading *reading)
{
    reading->at++;
    read_encoding(reading);
    reading->failed = reading->failed || !take(reading, 'E');
    put_text(reading, "::");
    if (*reading->at == 'N')
        read_nested(reading);
    else
        read_part(reading);
}

/* A name, and types of parameters behind it. */
static void read_encoding(struct reading *reading)
{
    if (++reading->depth > DEEPEST) {
        reading->failed = true;
    } else if (*reading->at == 'N') {
        read_nested(reading);
    } else if (*reading->at == 'Z') {
        read_local(reading);
    } else {
        bool is_standard = strncmp(reading->at, "St", 2) == 0;
        read_part(reading);
        if (is_standard) {
            put_text(reading, "::");
            read_part(reading);
        }
        skip_arguments_if_any(reading);
    }
    while (!reading->failed && *reading->at && *reading->at != 'E' && *reading->at != '.')
        skip_type(reading);
    reading->depth--;
}

/* ---- any symbol ---- */

/* "save.constprop.0" and "save.part.1" are pieces of save. */
static size_t length_of_name(const char *symbol)
{
    const char *dot = *symbol ? strchr(symbol + 1, '.') : NULL;
    return dot ? (size_t)(dot - symbol) : strlen(symbol);
}

void fth_function_name(const char *symbol, char *to, size_t room)
{
    struct reading reading = {.at = symbol, .to = to, .end = to + room - 1};
    const char *of_module = strstr(symbol, "_MOD_");
    if (strncmp(symbol, "_Z", 2) == 0) {
        reading.at += 2;
        read_encoding(&reading);
    } else if (strncmp(symbol, "__", 2) == 0 && of_module) { /* of gfortran */
        put(&reading, symbol + 2, (size_t)(of_module - symbol - 2));
        put_text(&reading, "::");
        put(&reading, of_module + 5, length_of_name(of_module + 5));
    } else {
        put(&reading, symbol, length_of_name(symbol));
    }
    if (reading.failed) {
        reading.to = to;
        reading.silent = false;
        put(&reading, symbol, strlen(symbol));
    }
    *reading.to = 0;
}
