/* Words and numbers of a line: see the header. */
#include "sim/text/line_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

int fth_sim_words_fail(const struct fth_sim_words *words, const char *what, const char *word)
{
    return fth_fail(words->error, "line %u, column %zu: %s%s%s%s", words->number,
                    (size_t)(words->at - words->line) + 1, what, *word ? " '" : "", word,
                    *word ? "'" : "");
}

static void skip_spaces(struct fth_sim_words *words)
{
    while (*words->at == ' ' || *words->at == '\t')
        words->at++;
}

size_t fth_sim_words_peek(struct fth_sim_words *words, char word[FTH_SIM_WORD])
{
    skip_spaces(words);
    size_t length = 0;
    while (isalnum((unsigned char)words->at[length]) || words->at[length] == '.' ||
           words->at[length] == '_' ||
           (length && (words->at[length] == '/' || words->at[length] == '_')))
        length++;
    if (!length && words->at[0])
        length = 1;
    snprintf(word, FTH_SIM_WORD, "%.*s", (int)(length < FTH_SIM_WORD ? length : FTH_SIM_WORD - 1),
             words->at);
    return length;
}

bool fth_sim_words_accept(struct fth_sim_words *words, const char *wanted)
{
    char word[FTH_SIM_WORD];
    size_t length = fth_sim_words_peek(words, word);
    if (strcmp(word, wanted))
        return false;
    words->at += length;
    return true;
}

int fth_sim_words_quantity(struct fth_sim_words *words, enum fth_sim_quantity quantity,
                           uint64_t *value)
{
    char number[FTH_SIM_WORD], unit[FTH_SIM_WORD] = "", text[2 * FTH_SIM_WORD + 1];
    struct fth_error *cause = NULL;
    size_t length = fth_sim_words_peek(words, number);
    const char *start = words->at;
    words->at += length;
    if (quantity != FTH_SIM_COUNT && length && isdigit((unsigned char)number[strlen(number) - 1]))
        words->at += fth_sim_words_peek(words, unit);
    snprintf(text, sizeof text, "%s%s%s", number, *unit ? " " : "", unit);
    if (!fth_sim_parse(text, quantity, value, &cause))
        return 0;
    words->at = start;
    fth_sim_words_fail(words, fth_error_text(cause), "");
    fth_error_free(cause);
    return -1;
}

int fth_sim_words_count(struct fth_sim_words *words, uint32_t least, uint32_t most, uint32_t *value)
{
    uint64_t number = 0;
    skip_spaces(words);
    const char *start = words->at;
    if (fth_sim_words_quantity(words, FTH_SIM_COUNT, &number))
        return -1;
    if (number < least || number > most) {
        char text[80];
        words->at = start;
        if (number < least)
            snprintf(text, sizeof text, "this is too small: the minimum is %u", least);
        else
            snprintf(text, sizeof text, "this is too large: the maximum is %u", most);
        return fth_sim_words_fail(words, text, "");
    }
    *value = (uint32_t)number;
    return 0;
}

/* "64 KiB", or so many values of a type: "1000 double". */
int fth_sim_words_size(struct fth_sim_words *words, uint64_t *bytes)
{
    static const struct {
        const char *name;
        uint64_t size;
    } types[] = {{"byte", 1},  {"char", 1}, {"short", 2}, {"int", 4},
                 {"float", 4}, {"long", 8}, {"double", 8}};
    char word[FTH_SIM_WORD];
    uint64_t number = 0;
    const char *start = words->at;
    if (!fth_sim_parse((fth_sim_words_peek(words, word), word), FTH_SIM_COUNT, &number, NULL)) {
        words->at += strlen(word);
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (fth_sim_words_accept(words, types[i].name)) {
                *bytes = number * types[i].size;
                return number <= INT64_MAX / types[i].size
                           ? 0
                           : fth_sim_words_fail(words, "this is too large: the maximum is 8 EiB",
                                                "");
            }
        words->at = start;
    }
    return fth_sim_words_quantity(words, FTH_SIM_BYTES, bytes);
}

/* "3..7" or "3". */
int fth_sim_words_range(struct fth_sim_words *words, uint64_t *first, uint64_t *last)
{
    char word[FTH_SIM_WORD];
    size_t length = fth_sim_words_peek(words, word);
    char *points = strstr(word, "..");
    if (points)
        *points = 0;
    if (fth_sim_parse(word, FTH_SIM_COUNT, first, NULL) ||
        fth_sim_parse(points ? points + 2 : word, FTH_SIM_COUNT, last, NULL))
        return -1;
    words->at += length;
    return 0;
}
