/* What the preprocessor prints, cut into tokens. Lines like `# 12 "file.h" 1 3` say which file what
 * follows is from. */
#include "catalog/header/header.h"

#include "base/memory.h"

#include <string.h>

struct reading {
    const char *at, *end;
    struct fth_arena *arena;
    struct fth_c_tokens *tokens;
    uint32_t file;
};

static bool is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' ||
           byte == '$';
}

static bool is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool fth_c_is(const struct fth_c_token *token, const char *text)
{
    return strlen(text) == token->length && memcmp(token->start, text, token->length) == 0;
}

/* The number of a file name; each is kept once. */
static uint32_t number_of_file(struct reading *reading, const char *name, size_t length)
{
    struct fth_c_tokens *tokens = reading->tokens;
    for (size_t i = 0; i < tokens->file_count; i++)
        if (strlen(tokens->files[i]) == length && memcmp(tokens->files[i], name, length) == 0)
            return (uint32_t)i;
    char *copy = fth_arena_take(reading->arena, length + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    FTH_GROW(tokens->files, tokens->file_count);
    tokens->files[tokens->file_count] = copy;
    return (uint32_t)tokens->file_count++;
}

/* A line of the preprocessor: where we are, or a pragma. */
static void read_mark(struct reading *reading)
{
    const char *end = memchr(reading->at, '\n', (size_t)(reading->end - reading->at));
    if (!end)
        end = reading->end;
    const char *quote = memchr(reading->at, '"', (size_t)(end - reading->at));
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    const char *number = reading->at + 1;
    while (number < end && *number == ' ')
        number++;
    if (close && number < end && is_digit(*number))
        reading->file = number_of_file(reading, quote + 1, (size_t)(close - quote - 1));
    reading->at = end;
}

static size_t length_of_quoted(const char *at, const char *end)
{
    const char *from = at;
    char quote = *at++;
    while (at < end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return (size_t)((at < end ? at + 1 : end) - from);
}

static size_t length_of_word(const char *at, const char *end)
{
    const char *from = at;
    while (at < end && (is_letter(*at) || is_digit(*at)))
        at++;
    return (size_t)(at - from);
}

static void add(struct reading *reading, enum fth_c_kind kind, size_t length)
{
    struct fth_c_tokens *tokens = reading->tokens;
    FTH_GROW(tokens->list, tokens->count);
    tokens->list[tokens->count++] =
        (struct fth_c_token){reading->at, (uint32_t)length, reading->file, kind};
    reading->at += length;
}

static void read_token(struct reading *reading)
{
    const char *at = reading->at, *end = reading->end;
    if (is_letter(*at))
        add(reading, FTH_C_WORD, length_of_word(at, end));
    else if (is_digit(*at))
        add(reading, FTH_C_NUMBER, length_of_word(at, end));
    else if (*at == '"' || *at == '\'')
        add(reading, FTH_C_OTHER, length_of_quoted(at, end));
    else if (end - at >= 3 && memcmp(at, "...", 3) == 0)
        add(reading, FTH_C_OTHER, 3);
    else
        add(reading, FTH_C_OTHER, 1);
}

void fth_c_tokenize(const char *text, size_t length, struct fth_arena *arena,
                    struct fth_c_tokens *tokens)
{
    struct reading reading = {text, text + length, arena, tokens, 0};
    bool line_start = true;
    *tokens = (struct fth_c_tokens){0};
    reading.file = number_of_file(&reading, "", 0);
    while (reading.at < reading.end) {
        char byte = *reading.at;
        if (byte == '#' && line_start) {
            read_mark(&reading);
        } else if (byte == '\n' || byte == ' ' || byte == '\t' || byte == '\f' || byte == '\r' ||
                   byte == '\v') {
            line_start = byte == '\n' || line_start;
            reading.at++;
        } else {
            line_start = false;
            read_token(&reading);
        }
    }
    add(&reading, FTH_C_END, 0);
}

void fth_c_tokens_free(struct fth_c_tokens *tokens)
{
    free(tokens->list);
    free(tokens->files);
}
