/* Families of functions that differ in a type: one row describes them all.
 *
 *     each TYPE text = char, uchar = unsigned char, int = int
 *     write int nc_put_var_TYPE(int ncid: use ncid, int varid, const TYPE *op): code
 *
 * stands for three rows, nc_put_var_text with a `const char *op` and so on. */
#include "catalog/parser.h"

#include <stdlib.h>
#include <string.h>

/* ---- the line `each` ---- */

/* `WORD = TYPE`, up to a comma or the end. */
static int parse_choice(struct fth_parser *parser, struct fth_choice *choice)
{
    const struct fth_token *word = fth_parser_take_any_word(parser, "a part of names");
    if (!word)
        return -1;
    choice->word = *word;
    choice->type_words = 0;
    if (!take_mark(parser, '='))
        return fth_parser_expected(parser, current(parser), "'=' and a type");
    for (;; parser->at++) {
        const struct fth_token *token = current(parser);
        if (token->kind == FTH_TOKEN_END || is_mark(token, ','))
            break;
        if (token->kind != FTH_TOKEN_WORD && !is_mark(token, '*'))
            return fth_parser_expected(parser, token, "the words of a C type");
        if (choice->type_words == FTH_MOST_TYPE_WORDS)
            return FAIL_AT(parser, token, "more than %d words in a type", FTH_MOST_TYPE_WORDS);
        choice->type[choice->type_words++] = *token;
    }
    if (choice->type_words == 0)
        return fth_parser_expected(parser, current(parser), "a type");
    return 0;
}

static bool is_same_word(const struct fth_token *one, const struct fth_token *other)
{
    return one->length == other->length && memcmp(one->start, other->start, one->length) == 0;
}

/* Where the choices of this name go: over those that it had, or behind the others. */
static struct fth_each *find_room(struct fth_parser *parser, const struct fth_token *name)
{
    if (!parser->each && !(parser->each = calloc(FTH_MOST_EACH, sizeof *parser->each))) {
        fth_parser_out_of_memory(parser);
        return NULL;
    }
    size_t i = 0;
    while (i < parser->each_count && !is_same_word(&parser->each[i].name, name))
        i++;
    if (i == FTH_MOST_EACH) {
        FAIL_AT(parser, name, "more than %d names with 'each'", FTH_MOST_EACH);
        return NULL;
    }
    if (i == parser->each_count)
        parser->each_count++;
    parser->each[i].name = *name;
    parser->each[i].count = 0;
    return &parser->each[i];
}

int fth_parse_each(struct fth_parser *parser)
{
    const struct fth_token *name =
        fth_parser_take_any_word(parser, "what rows have in place of a type");
    struct fth_each *each = name ? find_room(parser, name) : NULL;
    if (!each)
        return -1;
    do {
        if (each->count == FTH_MOST_CHOICES)
            return FAIL_AT(parser, current(parser), "more than %d types", FTH_MOST_CHOICES);
        if (parse_choice(parser, &each->choices[each->count]))
            return -1;
        each->count++;
    } while (take_mark(parser, ','));
    return 0;
}

/* ---- rows ---- */

/* Where a word has the name between underscores or ends; its length: nowhere. */
static size_t place_of(const struct fth_token *word, const struct fth_token *name)
{
    for (size_t at = 0; at + name->length <= word->length; at++) {
        size_t end = at + name->length;
        if (memcmp(word->start + at, name->start, name->length) == 0 &&
            (at == 0 || word->start[at - 1] == '_') &&
            (end == word->length || word->start[end] == '_'))
            return at;
    }
    return word->length;
}

static bool has_name(const struct fth_token *token, const struct fth_token *name)
{
    return token->kind == FTH_TOKEN_WORD && place_of(token, name) < token->length;
}

/* nc_put_var_TYPE becomes nc_put_var_text. */
static int rename_part(struct fth_parser *parser, struct fth_token *word,
                       const struct fth_token *name, const struct fth_token *part)
{
    size_t at = place_of(word, name), behind = at + name->length;
    size_t length = word->length - name->length + part->length;
    char *text = fth_store_take(parser->store, length + 1);
    if (!text)
        return fth_parser_out_of_memory(parser);
    memcpy(text, word->start, at);
    memcpy(text + at, part->start, part->length);
    memcpy(text + at + part->length, word->start + behind, word->length - behind);
    text[length] = '\0';
    word->start = text;
    word->length = (uint32_t)length;
    return 0;
}

/* The words of the type, at the place of the name. */
static size_t put_type(struct fth_token *to, const struct fth_token *at,
                       const struct fth_choice *choice)
{
    for (size_t i = 0; i < choice->type_words; i++) {
        to[i] = *at;
        to[i].start = choice->type[i].start;
        to[i].length = choice->type[i].length;
        to[i].kind = choice->type[i].kind;
        to[i].is_apart = i ? choice->type[i].is_apart : at->is_apart;
    }
    return choice->type_words;
}

/* The row in parser->tokens with one choice put in, and read. */
static int parse_row_with(struct fth_parser *parser, const struct fth_token *name,
                          const struct fth_choice *choice, struct fth_token *room)
{
    size_t count = 0;
    struct fth_token *template = parser->tokens;
    for (const struct fth_token *token = template;; token++) {
        if (!has_name(token, name)) {
            room[count++] = *token;
        } else if (token->length == name->length) {
            count += put_type(room + count, token, choice);
        } else {
            room[count] = *token;
            if (rename_part(parser, &room[count++], name, &choice->word))
                return -1;
        }
        if (token->kind == FTH_TOKEN_END)
            break;
    }
    parser->tokens = room;
    parser->at = 0;
    int result = fth_parse_row(parser);
    parser->tokens = template;
    return result;
}

static const struct fth_each *find_each(const struct fth_parser *parser, size_t *tokens)
{
    const struct fth_each *found = NULL;
    size_t i = 0;
    for (; parser->tokens[i].kind != FTH_TOKEN_END; i++)
        for (size_t j = 0; !found && j < parser->each_count; j++)
            if (has_name(&parser->tokens[i], &parser->each[j].name))
                found = &parser->each[j];
    *tokens = i + 1;
    return found;
}

int fth_parse_rows(struct fth_parser *parser)
{
    size_t tokens;
    const struct fth_each *each = find_each(parser, &tokens);
    if (!each)
        return fth_parse_row(parser);
    struct fth_token *room = reallocarray(NULL, tokens * FTH_MOST_TYPE_WORDS, sizeof *room);
    if (!room)
        return fth_parser_out_of_memory(parser);
    int result = 0;
    for (size_t i = 0; i < each->count && result == 0; i++)
        result = parse_row_with(parser, &each->name, &each->choices[i], room);
    free(room);
    return result;
}
