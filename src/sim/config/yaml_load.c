/* From a file to a document of YAML. libyaml needs a time that grows with the square of how deep
 * things are nested, how many anchors there are and how many keys a mapping has; so the file is
 * gone through once before, event by event, until there is too much of something. */
#ifdef FATHOM_LIBYAML

#include "sim/config/yaml.h"

#include "base/memory.h"

#include <string.h>

enum {
    MOST_BYTES = 4 << 20,
    MOST_DEEP = 64,
    MOST_ANCHORS = 1000,
    MOST_IN_ONE = 10000, /* keys with values, or items */
};

struct text {
    unsigned char *bytes;
    size_t length;
};

static int fail_at(struct fth_error **error, yaml_mark_t mark, const char *what)
{
    return fth_fail(error, "line %zu, column %zu: %s", mark.line + 1, mark.column + 1, what);
}

static int fail_parser(struct fth_error **error, const yaml_parser_t *parser)
{
    bool is_reader = parser->error == YAML_READER_ERROR; /* it knows no lines */
    const char *problem = parser->problem ? parser->problem : "cannot be read";
    return is_reader ? fth_fail(error, "byte %zu: %s", parser->problem_offset, problem)
                     : fail_at(error, parser->problem_mark, problem);
}

static int read_text(FILE *file, struct text *text, struct fth_error **error)
{
    text->bytes = fth_new(MOST_BYTES + 1, 1);
    text->length = fread(text->bytes, 1, MOST_BYTES + 1, file);
    if (ferror(file))
        return fth_fail_errno(error, "cannot read it");
    return text->length > MOST_BYTES ? fth_fail(error, "it is longer than 4 MiB") : 0;
}

/* How far the events have come. */
struct depths {
    uint32_t depth, anchors, documents;
    uint32_t inside[MOST_DEEP + 1]; /* nodes so far, in what is open */
};

/* What there is too much of, NULL: nothing. */
static const char *count(struct depths *depths, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return ++depths->documents > 1 ? "a second document begins here" : NULL;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        depths->depth--;
        return NULL;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        break;
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        break;
    case YAML_ALIAS_EVENT:
        break;
    default:
        return NULL;
    }
    if (++depths->inside[depths->depth] > 2 * MOST_IN_ONE)
        return "there are too many keys or items here";
    if (anchor && ++depths->anchors > MOST_ANCHORS)
        return "there are more than 1000 anchors";
    if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT) {
        if (depths->depth == MOST_DEEP)
            return "this is nested too deeply";
        depths->inside[++depths->depth] = 0;
    }
    return NULL;
}

static int begin(yaml_parser_t *parser, const struct text *text, struct fth_error **error)
{
    if (!yaml_parser_initialize(parser))
        return fth_fail(error, "no memory");
    yaml_parser_set_input_string(parser, text->bytes, text->length);
    return 0;
}

static int check(const struct text *text, struct fth_error **error)
{
    yaml_parser_t parser;
    yaml_event_t event;
    struct depths depths = {0};
    int result = begin(&parser, text, error);
    if (result)
        return -1;
    for (bool ended = false; !ended && !result;) {
        if (!yaml_parser_parse(&parser, &event)) {
            result = fail_parser(error, &parser);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        const char *what = count(&depths, &event);
        if (what)
            result = fail_at(error, event.start_mark, what);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return result;
}

static int load(const struct text *text, yaml_document_t *document, struct fth_error **error)
{
    yaml_parser_t parser;
    int result = begin(&parser, text, error);
    if (result)
        return -1;
    if (!yaml_parser_load(&parser, document))
        result = fail_parser(error, &parser);
    yaml_parser_delete(&parser);
    return result;
}

int fth_yaml_load(FILE *file, yaml_document_t *document, struct fth_error **error)
{
    struct text text = {0};
    int result = read_text(file, &text, error);
    if (!result)
        result = check(&text, error);
    if (!result)
        result = load(&text, document, error);
    free(text.bytes);
    return result;
}

#endif
