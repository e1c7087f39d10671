/* A list of messages ends. */
#include "analysis/survey/message_list.h"

#include <stdlib.h>

void fth_message_list_free(struct fth_message_list *list)
{
    free(list->all);
    fth_intern_free(&list->places);
    *list = (struct fth_message_list){0};
}
