/* A list of links fills up to a bound, and ends. */
#include "analysis/survey/link_list.h"

#include "base/memory.h"

#include <stdlib.h>

void fth_link_list_add(struct fth_link_list *list, enum fth_link_kind kind,
                       const struct fth_call_link *link)
{
    if (list->kinds[kind].count == FTH_MOST_LINKS) {
        list->kinds[kind].too_many++;
        return;
    }
    FTH_GROW(list->kinds[kind].all, list->kinds[kind].count);
    list->kinds[kind].all[list->kinds[kind].count++] = *link;
}

void fth_link_list_free(struct fth_link_list *list)
{
    for (int kind = 0; kind < FTH_LINK_KINDS; kind++)
        free(list->kinds[kind].all);
    *list = (struct fth_link_list){0};
}
