/* Words of sources, and patterns of them. */
#include "instrument/source_tokens.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

enum { MOST_NAMES = 16, MOST_STEPS = 1000000 };

/* ---- words ---- */

static size_t end_of_quoted(const char *text, size_t at, size_t length)
{
    char quote = text[at++];
    while (at < length && text[at] != quote && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    return at < length ? at + 1 : length;
}

static size_t end_of_line(const char *text, size_t at, size_t length)
{
    while (at < length && text[at] != '\n')
        at += text[at] == '\\' && at + 1 < length ? 2 : 1;
    return at < length ? at : length;
}

static size_t end_of_comment(const char *text, size_t at, size_t length)
{
    for (at += 2; at + 1 < length; at++)
        if (text[at] == '*' && text[at + 1] == '/')
            return at + 2;
    return length;
}

static bool is_in_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || (byte & 0x80);
}

/* Of a number 1.5e-3 is one word. */
static size_t end_of_word(const char *text, size_t at, size_t length)
{
    bool number = isdigit((unsigned char)text[at]) != 0;
    for (at++; at < length; at++) {
        bool sign = number && strchr("+-", text[at]) && strchr("eEpP", text[at - 1]);
        if (!is_in_word(text[at]) && !(number && text[at] == '.') && !sign)
            break;
    }
    return at;
}

static size_t end_of_sign(const char *text, size_t at, size_t length)
{
    static const char *const signs[] = {"...", "<<=", ">>=", "->", "++", "--", "<<", ">>",
                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=", "|=", "^=", "::", "##"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t size = strlen(signs[i]);
        if (length - at >= size && !memcmp(text + at, signs[i], size))
            return at + size;
    }
    return at + 1;
}

/* The end of what begins here; *is_word: it is one. */
static size_t end_of(const char *text, size_t at, size_t length, bool begins_line, bool *is_word)
{
    bool more = at + 1 < length;
    *is_word = false;
    if (isspace((unsigned char)text[at]))
        return at + 1;
    if (text[at] == '#' && begins_line)
        return end_of_line(text, at, length);
    if (text[at] == '/' && more && text[at + 1] == '/')
        return end_of_line(text, at, length);
    if (text[at] == '/' && more && text[at + 1] == '*')
        return end_of_comment(text, at, length);
    *is_word = true;
    if (text[at] == '"' || text[at] == '\'')
        return end_of_quoted(text, at, length);
    if (text[at] == '$' && more && is_in_word(text[at + 1]))
        return end_of_word(text, at, length);
    return is_in_word(text[at]) ? end_of_word(text, at, length) : end_of_sign(text, at, length);
}

void fth_source_tokens_read(struct fth_source_tokens *tokens, const char *text, size_t length)
{
    bool begins_line = true, is_word;
    *tokens = (struct fth_source_tokens){.text = text};
    for (size_t at = 0; at < length;) {
        size_t end = end_of(text, at, length, begins_line, &is_word);
        if (is_word) {
            FTH_GROW(tokens->list, tokens->count);
            tokens->list[tokens->count++] = (struct fth_source_token){(uint32_t)at, (uint32_t)end};
            begins_line = false;
        } else if (text[at] == '\n') {
            begins_line = true;
        }
        at = end;
    }
}

void fth_source_tokens_free(struct fth_source_tokens *tokens)
{
    free(tokens->list);
    *tokens = (struct fth_source_tokens){0};
}

size_t fth_source_token_at(const struct fth_source_tokens *tokens, uint32_t offset)
{
    size_t low = 0, high = tokens->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tokens->list[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t length_of(const struct fth_source_tokens *tokens, size_t index)
{
    return tokens->list[index].end - tokens->list[index].begin;
}

bool fth_source_token_is(const struct fth_source_tokens *tokens, size_t index, const char *word)
{
    return index < tokens->count && length_of(tokens, index) == strlen(word) &&
           !memcmp(tokens->text + tokens->list[index].begin, word, strlen(word));
}

/* ---- patterns ---- */

struct matching {
    const struct fth_source_tokens *tokens, *pattern;
    size_t end, steps;
    /* what a $NAME stands for: its first place in the pattern, and the words */
    struct {
        size_t name, begin, end;
    } names[MOST_NAMES];
    size_t name_count;
};

static bool same(const struct fth_source_tokens *one, size_t i,
                 const struct fth_source_tokens *other, size_t k)
{
    return length_of(one, i) == length_of(other, k) &&
           !memcmp(one->text + one->list[i].begin, other->text + other->list[k].begin,
                   length_of(one, i));
}

/* How much deeper in brackets the text is behind this word. */
static int deeper(const struct fth_source_tokens *tokens, size_t index)
{
    char byte = tokens->text[tokens->list[index].begin];
    if (length_of(tokens, index) != 1)
        return 0;
    return strchr("([{", byte) ? 1 : strchr(")]}", byte) ? -1 : 0;
}

static bool match(struct matching *matching, size_t at, size_t from);

static bool is_bound(const struct matching *matching, size_t from, size_t *which)
{
    for (*which = 0; *which < matching->name_count; ++*which)
        if (same(matching->pattern, matching->names[*which].name, matching->pattern, from))
            return true;
    return false;
}

static bool match_bound(struct matching *matching, size_t at, size_t from, size_t which)
{
    size_t begin = matching->names[which].begin, count = matching->names[which].end - begin;
    if (matching->end - at < count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!same(matching->tokens, at + i, matching->tokens, begin + i))
            return false;
    return match(matching, at + count, from + 1);
}

/* As few words as possible are tried first. */
static bool match_any(struct matching *matching, size_t at, size_t from, bool is_name)
{
    int depth = 0;
    for (size_t end = at; end <= matching->end; end++) {
        if (!depth && (!is_name || end > at)) {
            size_t names = matching->name_count;
            if (is_name && names < MOST_NAMES) {
                matching->names[names].name = from;
                matching->names[names].begin = at;
                matching->names[names].end = end;
                matching->name_count++;
            }
            if (match(matching, end, from + 1))
                return true;
            matching->name_count = names;
        }
        if (end == matching->end || (depth += deeper(matching->tokens, end)) < 0)
            break;
    }
    return false;
}

static bool match(struct matching *matching, size_t at, size_t from)
{
    const struct fth_source_tokens *pattern = matching->pattern;
    size_t which;
    if (++matching->steps > MOST_STEPS)
        return false;
    for (;; at++, from++) {
        if (from == pattern->count)
            return at == matching->end;
        if (fth_source_token_is(pattern, from, "..."))
            return match_any(matching, at, from, false);
        if (pattern->text[pattern->list[from].begin] == '$')
            return is_bound(matching, from, &which) ? match_bound(matching, at, from, which)
                                                    : match_any(matching, at, from, true);
        if (at == matching->end || !same(matching->tokens, at, pattern, from))
            return false;
    }
}

bool fth_source_tokens_match(const struct fth_source_tokens *tokens, size_t begin, size_t end,
                             const struct fth_source_tokens *pattern)
{
    struct matching matching = {.tokens = tokens, .pattern = pattern, .end = end};
    return match(&matching, begin, 0);
}
