/* Bytes that came to a stream without a call: see the header. */
#include "repeat/script/encode_unseen.h"

#include "repeat/script/encode_standard.h"
#include "repeat/what/whole_pipes.h"

/* Is it a write of a stream that no call of the program did? */
static bool is_by_stream(const struct fth_encoder *encoder, const struct fth_call *call)
{
    const struct fth_recipe *recipe = fth_recipe_of(encoder->recipes, call->function);
    return recipe && recipe->is_step;
}

/* Nobody reads what goes into it in a replay. */
static bool is_half_pipe(const struct fth_encoder *encoder, const struct fth_call *call)
{
    const struct fth_pipe_bytes *pipe =
        fth_pipes_find(fth_repeat_places_pipes(encoder->places), call->file);
    return pipe && !fth_pipe_bytes_is_whole(pipe);
}

static void put(struct fth_encoder *encoder, const struct fth_call *call,
                const struct fth_unseen_bytes *unseen)
{
    const struct fth_script_op op = {.function = (uint16_t)encoder->recipes->count,
                                     .what = FTH_SCRIPT_WRITE,
                                     .count = 3,
                                     .flags = FTH_SCRIPT_SILENT};
    const int64_t arguments[] = {encoder->recipes->stream, unseen->stream, (int64_t)unseen->bytes};
    if (!unseen->bytes || fth_encoder_needs(encoder, unseen->bytes))
        return;
    fth_encoder_put(encoder, call->thread, call->start, &op, arguments, NULL, -1);
    encoder->summary->unseen_bytes += unseen->bytes;
}

bool fth_encode_unseen(struct fth_encoder *encoder, const struct fth_call *call)
{
    const struct fth_unseen_list *list = fth_repeat_places_unseen(encoder->places, encoder->proc);
    size_t count;
    const struct fth_unseen_bytes *unseen = fth_unseen_before(list, call, &count);
    bool is_all = count > 0 && is_by_stream(encoder, call);
    for (size_t i = 0; i < count; i++) {
        bool is_there =
            fth_encoder_has_stream(encoder, unseen[i].stream) && !is_half_pipe(encoder, call);
        if (is_there)
            put(encoder, call, &unseen[i]);
        is_all &= is_there;
    }
    return is_all;
}
