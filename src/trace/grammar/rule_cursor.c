/* A cursor over the terminals of a grammar. */
#include "trace/grammar/rule_nodes.h"

#include "base/memory.h"

#include <string.h>

void fth_rule_cursor_open(struct fth_rule_cursor *cursor, const struct fth_rules *rules)
{
    *cursor = (struct fth_rule_cursor){.rules = rules};
    cursor->frames = fth_new((size_t)rules->rules[0].height + 1, sizeof *cursor->frames);
    cursor->places = fth_new(rules->list_count, sizeof *cursor->places);
    cursor->frames[0] = (struct fth_rule_frame){0, 0, 0};
    cursor->depth = 1;
}

void fth_rule_cursor_close(struct fth_rule_cursor *cursor)
{
    free(cursor->frames);
    free(cursor->places);
    cursor->frames = NULL;
    cursor->places = NULL;
}

struct fth_rule_cursor fth_rule_cursor_copy(const struct fth_rule_cursor *cursor)
{
    const struct fth_rules *rules = cursor->rules;
    struct fth_rule_cursor copy = *cursor;
    copy.frames = fth_new((size_t)rules->rules[0].height + 1, sizeof *copy.frames);
    copy.places = fth_new(rules->list_count, sizeof *copy.places);
    memcpy(copy.frames, cursor->frames, cursor->depth * sizeof *copy.frames);
    if (rules->list_count)
        memcpy(copy.places, cursor->places, rules->list_count * sizeof *copy.places);
    return copy;
}

uint64_t fth_rule_cursor_size(const struct fth_rule_cursor *cursor)
{
    return (uint64_t)cursor->rules->rules[0].height + cursor->rules->list_count;
}

/* How often the run comes: the next of its list, or as it says. */
static uint32_t times_of(struct fth_rule_cursor *cursor, const struct fth_rule_run *run)
{
    if (run->times)
        return run->times;
    struct fth_rule_place *place = &cursor->places[run->list];
    return fth_count_column_at(cursor->rules->lists[run->list].column, place->next++, &place->line);
}

bool fth_rule_cursor_run(struct fth_rule_cursor *cursor, uint32_t *terminal, uint32_t *times)
{
    const struct fth_rules *rules = cursor->rules;
    while (cursor->depth) {
        struct fth_rule_frame *frame = &cursor->frames[cursor->depth - 1];
        const struct fth_rule *rule = &rules->rules[frame->rule];
        if (frame->run == rule->count) {
            cursor->depth--;
            continue;
        }
        const struct fth_rule_run *run = &rules->runs[rule->first + frame->run];
        if (!(run->symbol & 1)) {
            frame->run++;
            *terminal = run->symbol >> 1;
            *times = times_of(cursor, run);
            if (*times || cursor->with_empty)
                return true;
            continue;
        }
        if (frame->left == 0 && (frame->left = times_of(cursor, run)) == 0) {
            frame->run++;
            continue;
        }
        if (--frame->left == 0)
            frame->run++;
        cursor->frames[cursor->depth++] = (struct fth_rule_frame){run->symbol >> 1, 0, 0};
    }
    return false;
}

void fth_rule_cursor_skip(struct fth_rule_cursor *cursor, uint64_t count, fth_rule_visit *visit,
                          void *context)
{
    const struct fth_rules *rules = cursor->rules;
    while (count) {
        struct fth_rule_frame *frame = cursor->depth ? &cursor->frames[cursor->depth - 1] : NULL;
        if (cursor->times) {
            uint32_t times = count < cursor->times ? (uint32_t)count : cursor->times;
            visit(context, cursor->terminal << 1, times);
            cursor->times -= times;
            count -= times;
            continue;
        }
        if (!frame)
            return;
        if (frame->run == rules->rules[frame->rule].count) {
            cursor->depth--;
            continue;
        }
        const struct fth_rule_run *run = &rules->runs[rules->rules[frame->rule].first + frame->run];
        if (!(run->symbol & 1)) {
            frame->run++;
            cursor->terminal = run->symbol >> 1;
            cursor->times = times_of(cursor, run);
            continue;
        }
        if (frame->left == 0 && (frame->left = times_of(cursor, run)) == 0) {
            frame->run++;
            continue;
        }
        const struct fth_rule *named = &rules->rules[run->symbol >> 1];
        uint64_t times = named->counted ? 0 : count / named->length;
        if (times) {
            times = times < frame->left ? times : frame->left;
            visit(context, run->symbol, times);
            count -= times * named->length;
            frame->left -= (uint32_t)times;
            frame->run += frame->left == 0;
            continue;
        }
        if (--frame->left == 0)
            frame->run++;
        cursor->frames[cursor->depth++] = (struct fth_rule_frame){run->symbol >> 1, 0, 0};
    }
}
