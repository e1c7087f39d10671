/* Names, lists and arguments of control commands of a call. */
#include "proxy/decoding.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/reading/moved_places.h"
#include "repeat/what/asked_lock.h"

#include <fcntl.h>
#include <string.h>

/* Does a relative name begin in the folder of the process, and not in one that is open (openat)? */
static bool begins_in_folder(const struct fth_decoding *decoding, size_t i)
{
    const char *words = decoding->row->fields[i].role_words, *at = strstr(words, " at ");
    for (size_t k = 0; at && k < decoding->row->field_count; k++)
        if (!strcmp(decoding->row->fields[k].name, at + 4))
            return decoding->call->arguments[k].type != FTH_VALUE_HANDLE ||
                   decoding->call->arguments[k].integer == AT_FDCWD;
    return true;
}

static char *name_of_path(const struct fth_decoding *decoding, size_t i, const char *path)
{
    const struct fth_name_folders *folders = &decoding->context->folders;
    return *path == '/' || begins_in_folder(decoding, i)
               ? fth_name_from_folder(path, folders)
               : fth_name_of_path(path, folders->directory);
}

void fth_decoding_name(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    const struct fth_field *field = &decoding->row->fields[i];
    if (field->role == FTH_ROLE_PATH && fth_text_begins(field->type, "char") &&
        !strcmp(decoding->row->kind, "stat"))
        fth_decoding_leave_out(decoding, "it only makes up a name");
    argument->written = FTH_WRITTEN_NAME;
    argument->null = value->type != FTH_VALUE_TEXT || !value->text;
    if (argument->null)
        return;
    int64_t numbers[8];
    char *own = field->role == FTH_ROLE_PATH ? name_of_path(decoding, i, value->text)
                                             : fth_text_copy(value->text);
    size_t count = fth_name_parse(own, &argument->text, numbers, argument->widths);
    free(own);
    for (size_t k = 0; k < count; k++) {
        fth_decoding_number(decoding, i, numbers[k]);
        decoding->reading->widths[decoding->reading->number_count - 1] =
            (uint8_t)argument->widths[k];
    }
}

void fth_decoding_list(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_argument *argument = fth_decoding_argument(decoding, i);
    argument->written = FTH_WRITTEN_LIST;
    argument->null = value->type != FTH_VALUE_INTEGERS;
    if (argument->null)
        return;
    if (value->count >= FTH_MOST_INTEGERS)
        fth_decoding_leave_out(decoding, "its list is too long to be in the trace");
    if (value->count > FTH_FORM_LIST) {
        argument->written = FTH_WRITTEN_TABLE;
        argument->table = fth_new(value->count, sizeof *argument->table);
        memcpy(argument->table, value->integers, value->count * sizeof *value->integers);
        argument->count = (uint32_t)value->count;
        return;
    }
    bool is_moved = fth_is_moved_place(decoding->call, value);
    for (size_t k = 0; k < value->count; k++)
        fth_decoding_number(decoding, i,
                            is_moved ? fth_place_before(decoding->call, value->integers[k])
                                     : value->integers[k]);
}

void fth_decoding_command(struct fth_decoding *decoding, size_t i, const struct fth_value *value)
{
    struct fth_value asked = *value;
    int64_t lock[FTH_FORM_LIST];
    if (value->type == FTH_VALUE_INTEGERS && value->count > 1 && value->count <= FTH_FORM_LIST) {
        memcpy(lock, value->integers, value->count * sizeof *lock);
        lock[0] = fth_repeat_asked_lock(decoding->context->trace, decoding->call, lock[0]);
        asked.integers = lock;
    }
    fth_decoding_list(decoding, i, &asked);
    fth_decoding_argument(decoding, i)->written = FTH_WRITTEN_COMMAND;
}
