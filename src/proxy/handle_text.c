/* Handles as variables of C, and lists of them. */
#include "proxy/handle_class.h"
#include "proxy/written_call.h"

#include <string.h>

static FILE *out(struct fth_written_call *call)
{
    return call->text.file;
}
void fth_proxy_put_variable(struct fth_written_call *call, uint32_t handle_class, uint32_t variable)
{
    struct fth_written_class *of = &call->writing->classes[handle_class];
    bool shared = variable & FTH_SHARED_VARIABLE;
    fprintf(out(call), "%s%s", shared ? "shared_" : "", of->name);
    if ((shared ? of->most_shared : of->most) > 1)
        fprintf(out(call), "[%u]", (unsigned)(variable & ~FTH_SHARED_VARIABLE));
}

static void put_handle(struct fth_written_call *call, const struct fth_field *field,
                       const struct fth_argument *argument, uint32_t i)
{
    if (argument->variables[i] == FTH_NO_VARIABLE)
        fputs(argument->names[i], out(call));
    else
        fth_proxy_put_variable(call, (uint32_t)field->class_index, argument->variables[i]);
}

static bool is_contiguous(const struct fth_argument *argument)
{
    for (uint32_t i = 0; i < argument->handle_count; i++)
        if (argument->variables[i] == FTH_NO_VARIABLE ||
            argument->variables[i] != argument->variables[0] + i)
            return false;
    return true;
}

const char *fth_proxy_element_type(const struct fth_field *field, char type[static 64])
{
    const char *from = field->type;
    if (!strncmp(from, "const ", 6))
        from += 6;
    snprintf(type, 64, "%s", from);
    size_t length = strlen(type);
    if (length && type[length - 1] == '*' && !field->array)
        length--;
    while (length && type[length - 1] == ' ')
        length--;
    type[length] = '\0';
    return type;
}

/* No handle: no descriptor is -1; constants of HDF5 are 0 and have names. */
const char *fth_proxy_no_handle(const struct fth_field *field)
{
    if (strchr(field->type, '*') || field->array)
        return "NULL";
    if (strcmp(field->type, "hid_t") != 0) {
        char name[32];
        bool is_descriptor = (field->role == FTH_ROLE_USE || field->role == FTH_ROLE_CLOSE) &&
                             !strcmp(fth_form_class(field, name), "fd");
        return is_descriptor ? "-1" : "0";
    }
    return strstr(field->name, "pl_id") || strstr(field->name, "plist") ? "H5P_DEFAULT"
           : strstr(field->name, "space")                               ? "H5S_ALL"
                                                                        : "0";
}

void fth_proxy_put_handles(struct fth_written_call *call, size_t i)
{
    const struct fth_field *field = &call->form->row->fields[i];
    const struct fth_argument *argument = &call->form->arguments[i];
    char type[64];
    bool pointer = strchr(field->type, '*') && !field->array &&
                   strncmp(field->type, "FILE", 4) != 0 && strncmp(field->type, "DIR", 3) != 0;
    if (argument->null || !argument->handle_count) {
        fputs(fth_proxy_no_handle(field), out(call));
    } else if (!field->array && !pointer) {
        put_handle(call, field, argument, 0);
    } else if (is_contiguous(argument)) {
        fputc('&', out(call));
        put_handle(call, field, argument, 0);
    } else {
        fprintf(out(call), "(%s[]){", fth_proxy_element_type(field, type));
        for (uint32_t k = 0; k < argument->handle_count; k++) {
            fputs(k ? ", " : "", out(call));
            put_handle(call, field, argument, k);
        }
        fputc('}', out(call));
    }
}
