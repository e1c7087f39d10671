/* The recorded metadata. Nothing is required to be there: a trace of a program that died early may
 * lack any of it. */
#include "views/meta.h"

#include "views/words.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>

static json_t *load(const struct fth_trace_info *info)
{
    json_t *meta =
        info->meta_json ? json_loads(info->meta_json, JSON_REJECT_DUPLICATES, NULL) : NULL;
    if (json_is_object(meta))
        return meta;
    json_decref(meta);
    return NULL;
}

/* A value in words: texts as they are, lists with spaces between (quoted as for a shell, for some
 * are commands). */
static void put_value(struct fth_sink *sink, const json_t *value)
{
    size_t i;
    const char *key;
    json_t *item;
    if (json_is_string(value)) {
        fth_sink_text(sink, json_string_value(value));
    } else if (json_is_boolean(value)) {
        fth_sink_text(sink, json_is_true(value) ? "yes" : "no");
    } else if (json_is_array(value)) {
        json_array_foreach(value, i, item)
        {
            fth_sink_text(sink, i ? " " : "");
            if (json_is_string(item))
                fth_views_put_argument(sink, json_string_value(item));
            else
                put_value(sink, item);
        }
    } else if (json_is_object(value)) {
        i = 0;
        json_object_foreach((json_t *)value, key, item)
        {
            fth_sink_text(sink, i++ ? ", " : "");
            fth_sink_text(sink, key);
            fth_sink_char(sink, ' ');
            put_value(sink, item);
        }
    } else {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
        fth_sink_text(sink, text ? text : "");
        free(text);
    }
}

/* The value as it is safe to show, in at most `width` columns; 0: all of it. */
static void put_shown(struct fth_output *output, const json_t *value, size_t width)
{
    struct fth_sink words;
    fth_sink_open_memory(&words);
    put_value(&words, value);
    fth_sink_char(&words, 0);
    if (!words.failed)
        fth_views_put_text(&output->sink, words.bytes, width, FTH_CUT_END, output->style.unicode);
    fth_sink_close_memory(&words);
}

void fth_views_put_command(struct fth_output *output, const struct fth_trace_info *info,
                           const char *before)
{
    json_t *meta = load(info);
    const json_t *command = json_object_get(meta, "command");
    if (command) {
        fth_sink_text(&output->sink, before);
        put_shown(output, command, output->style.width ? output->style.width / 2 : 0);
    }
    json_decref(meta);
}

static bool is_empty(const json_t *value)
{
    return json_is_null(value) || (json_is_string(value) && !*json_string_value(value)) ||
           (json_is_array(value) && !json_array_size(value)) ||
           (json_is_object(value) && !json_object_size(value));
}

/* "mpi" as "MPI", "mpi_library" as "Mpi library". */
static void put_title(struct fth_output *output, const char *key, size_t pad)
{
    size_t length = strlen(key);
    fth_views_paint(output, FTH_PAINT_QUIET);
    for (size_t i = 0; i < length; i++) {
        char letter = key[i] == '_' ? ' ' : key[i];
        bool upper = !i || length <= 3;
        fth_sink_char(&output->sink, upper ? (char)toupper((unsigned char)letter) : letter);
    }
    fth_views_paint(output, FTH_PAINT_PLAIN);
    fth_sink_fill(&output->sink, ' ', length < pad ? pad - length : 1);
}

void fth_views_put_meta(struct fth_output *output, const struct fth_trace_info *info, size_t pad)
{
    json_t *meta = load(info), *value;
    const char *key;
    size_t width = output->style.width;
    json_object_foreach(meta, key, value)
    {
        /* Blind spots have a section of their own, in `info`. */
        if (is_empty(value) || !strcmp(key, "blind_spots"))
            continue;
        put_title(output, key, pad);
        put_shown(output, value, width > pad + 20 ? width - pad : 0);
        fth_sink_char(&output->sink, '\n');
    }
    json_decref(meta);
}

char *fth_views_meta_json(const struct fth_trace_info *info)
{
    json_t *meta = load(info);
    char *text = meta ? json_dumps(meta, JSON_COMPACT) : NULL;
    json_decref(meta);
    return text;
}
