/* The class of a handle, from the words of the catalogue. */
#include "proxy/handle_class.h"

#include <stdio.h>
#include <string.h>

const char *fth_form_class(const struct fth_field *field, char text[static 32])
{
    const char *word = strchr(field->role_words, ' ');
    size_t length = word ? strcspn(word + 1, " [") : 0;
    snprintf(text, 32, "%.*s", (int)length, word ? word + 1 : "");
    return text;
}
