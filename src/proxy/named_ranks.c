/* Names of files in which a rank has its number: see the header. */
#include "proxy/named_ranks.h"

#include "base/memory.h"

#include <string.h>

struct named {
    bool by_rank;
    int64_t constant, counted; /* the largest ones of other names; 0: none */
};

void fth_proxy_note_named(struct fth_writing *writing, const struct fth_named_number *number)
{
    if (fth_proxy_in_program(writing))
        return;
    writing->named_ranks.size = sizeof(struct named);
    char *key = fth_text_format("%u %s", (unsigned)number->place, number->name);
    struct named *named = fth_keyed_get(&writing->named_ranks, key, strlen(key));
    free(key);
    if (!number->is_constant && strstr(number->text, "rank")) {
        named->by_rank = true;
        return;
    }
    int64_t *largest = number->is_constant ? &named->constant : &named->counted;
    *largest = number->most > *largest ? number->most : *largest;
}

/* Files of other numbers than ranks have are not those of ranks. */
static bool is_of_rank(const struct fth_writing *writing, int64_t number)
{
    return number > 0 && number < writing->rank_count;
}

void fth_proxy_limit_named(struct fth_writing *writing)
{
    int64_t ranks = writing->rank_count;
    for (uint32_t i = 0; i < fth_keyed_count(&writing->named_ranks); i++) {
        const struct named *named = fth_keyed_item(&writing->named_ranks, i);
        if (!named->by_rank)
            continue;
        if (is_of_rank(writing, named->counted))
            fth_proxy_limit_ranks(writing, ranks, ranks,
                                  "a loop goes over names that have the number of a rank");
        if (!is_of_rank(writing, named->constant))
            continue;
        if (named->constant == ranks - 1)
            fth_proxy_limit_ranks(writing, ranks, ranks,
                                  "a name has the number of the last rank, and may follow how many "
                                  "there are");
        else
            fth_proxy_limit_ranks(writing, named->constant + 1, INT64_MAX,
                                  "a name has the number of one rank");
    }
}
