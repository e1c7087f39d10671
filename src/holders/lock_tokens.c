/* Tokens of one file: who has them, and who has to give some up. */
#include "holders/lock_tokens.h"

#include "base/memory.h"

static struct fth_token_node *node_of(struct fth_lock_tokens *tokens, uint32_t node)
{
    for (uint32_t i = 0; i < tokens->count; i++)
        if (tokens->nodes[i].node == node)
            return &tokens->nodes[i];
    FTH_GROW(tokens->nodes, tokens->count);
    tokens->nodes[tokens->count] = (struct fth_token_node){.node = node};
    return &tokens->nodes[tokens->count++];
}

/* Does the node have every block of [begin, end), with a token of this type or a stronger one? */
static bool has(const struct fth_intervals *held, uint64_t begin, uint64_t end,
                enum fth_token_type type)
{
    struct fth_interval token;
    while (begin < end && fth_intervals_within(held, begin, end, &token)) {
        if (token.begin > begin || token.state < (uint32_t)type)
            return false;
        begin = token.end;
    }
    return begin == end;
}

/* The next token in [begin, end) of another node that is in the way; false: there is none. */
static bool in_the_way(const struct fth_token_node *other, uint64_t begin, uint64_t end,
                       enum fth_token_type type, struct fth_interval *token)
{
    while (begin < end && fth_intervals_find(&other->held, begin, token) && token->begin < end) {
        if (type == FTH_TOKEN_WRITE || token->state == FTH_TOKEN_WRITE)
            return true;
        begin = token->end;
    }
    return false;
}

/* Takes from others what is in the way of [begin, end). Had anybody such a token? */
static bool take_away(struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin, uint64_t end,
                      enum fth_token_type type, enum fth_give give)
{
    bool conflict = false;
    struct fth_interval token;
    for (uint32_t i = 0; i < tokens->count; i++) {
        struct fth_token_node *other = &tokens->nodes[i];
        while (other->node != node && in_the_way(other, begin, end, type, &token)) {
            uint64_t from = give != FTH_GIVE_REVOKE && token.begin < begin ? begin : token.begin;
            uint64_t to = give == FTH_GIVE_EXACT && token.end > end ? end : token.end;
            fth_intervals_cut(&other->held, from, to);
            conflict = true;
        }
    }
    return conflict;
}

/* How far the token may reach: to the next one of another node that would be in the way. */
static uint64_t free_end(const struct fth_lock_tokens *tokens, uint32_t node, uint64_t end,
                         enum fth_token_type type)
{
    uint64_t least = UINT64_MAX;
    struct fth_interval token;
    for (uint32_t i = 0; i < tokens->count; i++)
        if (tokens->nodes[i].node != node &&
            in_the_way(&tokens->nodes[i], end, UINT64_MAX, type, &token) && token.begin < least)
            least = token.begin;
    return least;
}

static uint64_t free_begin(const struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                           enum fth_token_type type)
{
    uint64_t greatest = 0;
    struct fth_interval token;
    for (uint32_t i = 0; i < tokens->count; i++)
        for (uint64_t at = begin;
             tokens->nodes[i].node != node &&
             fth_intervals_before(&tokens->nodes[i].held, at, &token) && token.end > greatest;
             at = token.begin)
            if (type == FTH_TOKEN_WRITE || token.state == FTH_TOKEN_WRITE)
                greatest = token.end;
    return greatest;
}

/* A token that only reads never replaces one of the same node that may write. */
static void keep(struct fth_intervals *held, uint64_t begin, uint64_t end, enum fth_token_type type)
{
    struct fth_interval stronger;
    struct fth_interval token = {.begin = begin, .end = end, .place = begin, .state = type};
    uint64_t at = begin;
    while (type == FTH_TOKEN_READ && fth_intervals_within(held, at, end, &stronger)) {
        at = stronger.end;
        if (stronger.state != FTH_TOKEN_WRITE)
            continue;
        if (token.begin < stronger.begin) {
            token.end = stronger.begin;
            fth_intervals_put(held, &token);
        }
        token = (struct fth_interval){stronger.end, end, stronger.end, 0, type};
    }
    if (token.begin < token.end)
        fth_intervals_put(held, &token);
}

enum fth_token_answer fth_lock_tokens_request(struct fth_lock_tokens *tokens, uint32_t node,
                                              uint64_t begin, uint64_t end,
                                              enum fth_token_type type, enum fth_grant grant,
                                              enum fth_give give, struct fth_interval *granted)
{
    struct fth_intervals *held = &node_of(tokens, node)->held;
    struct fth_interval token = {.begin = begin, .end = end, .place = begin, .state = type};
    enum fth_token_answer answer = FTH_TOKEN_LOCAL;
    if (!has(held, begin, end, type)) {
        answer = take_away(tokens, node, begin, end, type, give) ? FTH_TOKEN_CONFLICT
                                                                 : FTH_TOKEN_GRANTED;
        if (grant != FTH_GRANT_EXACT)
            token.end = free_end(tokens, node, end, type);
        if (grant == FTH_GRANT_EXTEND)
            token.begin = free_begin(tokens, node, begin, type);
        keep(held, token.begin, token.end, type);
    }
    if (granted)
        *granted = token;
    return answer;
}

bool fth_lock_tokens_in_the_way(const struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                                uint64_t end, enum fth_token_type type, uint32_t *at,
                                uint32_t *owner)
{
    struct fth_interval token;
    while (*at < tokens->count) {
        const struct fth_token_node *other = &tokens->nodes[(*at)++];
        *owner = other->node;
        if (other->node != node && in_the_way(other, begin, end, type, &token))
            return true;
    }
    return false;
}

bool fth_lock_tokens_has(const struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                         uint64_t end, struct fth_interval *missing)
{
    static const struct fth_intervals none;
    const struct fth_intervals *held = &none;
    struct fth_interval token = {.begin = end};
    for (uint32_t i = 0; i < tokens->count; i++)
        if (tokens->nodes[i].node == node)
            held = &tokens->nodes[i].held;
    while (begin < end && fth_intervals_within(held, begin, end, &token) && token.begin == begin) {
        begin = token.end;
        token.begin = end;
    }
    *missing = (struct fth_interval){.begin = begin, .end = token.begin};
    return begin == end;
}

void fth_lock_tokens_release(struct fth_lock_tokens *tokens, uint32_t node, uint64_t begin,
                             uint64_t end)
{
    uint32_t i = 0;
    while (i < tokens->count && tokens->nodes[i].node != node)
        i++;
    if (i == tokens->count)
        return;
    fth_intervals_cut(&tokens->nodes[i].held, begin, end);
    if (tokens->nodes[i].held.count)
        return;
    fth_intervals_free(&tokens->nodes[i].held);
    tokens->nodes[i] = tokens->nodes[--tokens->count];
}

void fth_lock_tokens_free(struct fth_lock_tokens *tokens)
{
    for (uint32_t i = 0; i < tokens->count; i++)
        fth_intervals_free(&tokens->nodes[i].held);
    free(tokens->nodes);
    *tokens = (struct fth_lock_tokens){.nodes = NULL};
}
