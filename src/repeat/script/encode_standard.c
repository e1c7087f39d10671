/* Standard streams in scripts: see the header. */
#include "repeat/script/encode_standard.h"

enum { LAST_STANDARD = 2 /* stderr */ };

static int64_t descriptor_of(const struct fth_encoder *encoder, int64_t slot)
{
    return fth_repeat_places_descriptor(encoder->places, encoder->proc, slot);
}

bool fth_encoder_is_cut_off(const struct fth_encoder *encoder, int64_t slot)
{
    int64_t descriptor = descriptor_of(encoder, slot);
    return descriptor >= 0 && fth_alive_is_gone(&encoder->now, encoder->recipes->fd, descriptor);
}

bool fth_encoder_has_stream(const struct fth_encoder *encoder, int64_t slot)
{
    return fth_alive_has(&encoder->now, encoder->recipes->stream, slot) &&
           !fth_encoder_is_cut_off(encoder, slot);
}

static void put(struct fth_encoder *encoder, const struct fth_call *call, enum fth_script_what what,
                const int64_t *arguments, uint8_t count)
{
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = (uint8_t)what,
                                     .count = count,
                                     .flags = FTH_SCRIPT_SILENT};
    fth_encoder_put(encoder, call->thread, call->start, &op, arguments, NULL, -1);
}

bool fth_encode_standard_stream(struct fth_encoder *encoder, const struct fth_call *call,
                                int64_t slot, int64_t descriptor)
{
    const int64_t arguments[] = {slot, descriptor};
    if (!fth_alive_set(encoder, encoder->recipes->stream, slot, true))
        return false;
    put(encoder, call, FTH_SCRIPT_STREAM, arguments, 2);
    return true;
}

static void cut_off(struct fth_encoder *encoder, const struct fth_call *call, int64_t descriptor,
                    bool is_open)
{
    const int64_t arguments[] = {-1, descriptor, is_open};
    if (descriptor >= 0 && descriptor <= LAST_STANDARD &&
        fth_alive_has(&encoder->now, encoder->recipes->fd, descriptor))
        put(encoder, call, FTH_SCRIPT_COPY, arguments, 3);
}

void fth_encode_standard_cut_off(struct fth_encoder *encoder, const struct fth_call *call,
                                 const struct fth_recipe *recipe, bool is_encoded)
{
    bool makes = recipe->script.result_class == encoder->recipes->fd &&
                 call->result.type == FTH_VALUE_HANDLE;
    if (call->error_number)
        return;
    if (makes && !is_encoded)
        cut_off(encoder, call, call->result.integer, true);
    for (size_t i = 0; i < recipe->row->field_count; i++) {
        const struct fth_field *field = &recipe->row->fields[i];
        const struct fth_value *value = &call->arguments[i];
        if (field->role == FTH_ROLE_CLOSE && value->type == FTH_VALUE_HANDLE &&
            recipe->way->how != FTH_REPEAT_DUPLICATE &&
            fth_recipe_class(encoder->recipes, field) == encoder->recipes->fd)
            cut_off(encoder, call, value->integer, false);
    }
}
