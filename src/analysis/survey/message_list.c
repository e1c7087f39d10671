/* A list of messages ends. */
#include "analysis/survey/message_list.h"

#include <stdlib.h>

void fth_message_list_free(struct fth_message_list *list)
{
    free(list->all);
    fth_intern_free(&list->places);
    fth_link_list_free(&list->links);
    *list = (struct fth_message_list){0};
}
