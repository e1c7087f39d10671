/* What a run could not see, between the command, which notes it in run.json and says it at the end,
 * and the merge, which puts it into the trace. */
#include "base/memory.h"
#include "cmd/run/run.h"
#include "views/output/display_text.h"

#include <string.h>

void fth_run_add_spot(const struct fth_cmd_run *run, const char *sentence)
{
    json_array_append_new(run->blind_spots, fth_run_text(sentence));
}

static json_t *text_or_null(const char *text)
{
    return text ? fth_run_text(text) : json_null();
}

static json_t *bytes_or_null(int64_t bytes)
{
    return bytes >= 0 ? json_integer((json_int_t)bytes) : json_null();
}

static json_t *object_of(const struct fth_blind_spot *spot)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "kind",
                     fth_unseen_word(spot->kind), "sentence", fth_run_text(spot->sentence),
                     "program", text_or_null(spot->program), "file", text_or_null(spot->path),
                     "image", (json_int_t)spot->image, "since", (json_int_t)spot->since,
                     "bytes_read", bytes_or_null(spot->bytes_read), "bytes_written",
                     bytes_or_null(spot->bytes_written));
}

void fth_run_add_program_spot(const struct fth_cmd_run *run, const char *program,
                              const char *sentence)
{
    const struct fth_blind_spot spot = {.kind = FTH_UNSEEN_PROGRAM,
                                        .sentence = (char *)sentence,
                                        .program = (char *)program,
                                        .bytes_read = FTH_UNSEEN_UNKNOWN,
                                        .bytes_written = FTH_UNSEEN_UNKNOWN};
    json_array_append_new(run->blind_spots, object_of(&spot));
}

/* ---- for the merge, and back ---- */

static enum fth_unseen_kind kind_of(const char *word)
{
    for (unsigned kind = 0; word && kind < FTH_UNSEEN_KINDS; kind++)
        if (strcmp(fth_unseen_word(kind), word) == 0)
            return kind;
    return FTH_UNSEEN_OTHER;
}

static char *copy_of(const json_t *spot, const char *key)
{
    const char *text = json_string_value(json_object_get(spot, key));
    return text && *text ? fth_text_copy(text) : NULL;
}

static int64_t bytes_of(const json_t *spot, const char *key)
{
    const json_t *bytes = json_object_get(spot, key);
    return json_is_integer(bytes) ? json_integer_value(bytes) : FTH_UNSEEN_UNKNOWN;
}

static const char *sentence_of(const json_t *spot)
{
    return json_string_value(json_is_object(spot) ? json_object_get(spot, "sentence") : spot);
}

void fth_run_spots_of(const struct fth_cmd_run *run, struct fth_blind_spots *spots)
{
    for (size_t i = 0; i < json_array_size(run->blind_spots); i++) {
        const json_t *from = json_array_get(run->blind_spots, i);
        const char *sentence = sentence_of(from);
        struct fth_blind_spot *spot =
            fth_blind_spots_add(spots, FTH_UNSEEN_OTHER, sentence ? fth_text_copy(sentence) : NULL);
        if (!spot || !json_is_object(from) || spot->program || spot->path)
            continue;
        spot->kind = kind_of(json_string_value(json_object_get(from, "kind")));
        spot->program = copy_of(from, "program");
        spot->path = copy_of(from, "file");
        spot->image = (uint64_t)json_integer_value(json_object_get(from, "image"));
        spot->since = json_integer_value(json_object_get(from, "since"));
        spot->bytes_read = bytes_of(from, "bytes_read");
        spot->bytes_written = bytes_of(from, "bytes_written");
    }
}

void fth_run_take_spots(const struct fth_cmd_run *run, const struct fth_blind_spots *spots)
{
    json_array_clear(run->blind_spots);
    for (size_t i = 0; i < spots->count; i++)
        json_array_append_new(run->blind_spots, object_of(&spots->list[i]));
}

/* ---- what is said ---- */

json_t *fth_run_spot_sentences(const struct fth_cmd_run *run)
{
    json_t *sentences = json_array();
    for (size_t i = 0; i < json_array_size(run->blind_spots); i++) {
        const char *sentence = sentence_of(json_array_get(run->blind_spots, i));
        if (sentence)
            json_array_append_new(sentences, fth_run_text(sentence));
    }
    return sentences;
}
