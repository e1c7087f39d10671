/* Texts of the template in generated code, and what is asked of MPI-IO. */
#include "gen/emit/emitter.h"

#include "base/growing_text.h"
#include "base/memory.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 8 };

bool fth_gen_is_integer(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

static bool is_operand(const char *text)
{
    for (; *text; text++)
        if (!is_word(*text) && *text != '.')
            return false;
    return true;
}

static const struct fth_gen_dimension *dimension_of(const struct fth_gen_writing *writing,
                                                    const char *name, size_t length)
{
    uint32_t number;
    if (!fth_intern_find(&writing->file->dimensions, name, length, &number))
        return NULL;
    const struct fth_gen_dimension *dimension =
        &writing->model->dimensions[writing->file->dimension_numbers[number]];
    bool own =
        strlen(dimension->length.text) == length && !memcmp(dimension->length.text, name, length);
    return own || dimension->unlimited ? NULL : dimension;
}

static void substitute(const struct fth_gen_writing *writing, FILE *to, const char *text,
                       unsigned depth)
{
    char quote = 0;
    for (const char *at = text; *at;) {
        size_t length = 0;
        while (is_word(at[length]))
            length++;
        bool member =
            at > text && (at[-1] == '.' || (at[-1] == '>' && at - 1 > text && at[-2] == '-'));
        const struct fth_gen_dimension *dimension =
            length && !quote && !member && depth < MOST_NESTED ? dimension_of(writing, at, length)
                                                               : NULL;
        if (dimension) {
            bool whole = at == text && !at[length];
            bool plain = whole || is_operand(dimension->length.text);
            fputs(plain ? "" : "(", to);
            substitute(writing, to, dimension->length.text, depth + 1);
            fputs(plain ? "" : ")", to);
        } else if (length) {
            fwrite(at, 1, length, to);
        } else {
            if (*at == '"' || *at == '\'')
                quote = quote == *at ? 0 : quote ? quote : *at;
            fputc(*at, to);
            length = 1;
        }
        at += length;
    }
}

const char *fth_gen_text(const struct fth_gen_writing *writing, const char *text)
{
    struct fth_growing_text made;
    fth_growing_text_open(&made);
    substitute(writing, made.file, text, 0);
    fth_growing_text_end(&made);
    char *copy = fth_arena_take(&writing->model->hints->arena, made.length + 1);
    memcpy(copy, made.text, made.length + 1);
    free(made.text);
    return copy;
}

const char *fth_gen_bracketed(const struct fth_gen_writing *writing, const char *text)
{
    if (is_operand(text))
        return text;
    size_t length = strlen(text);
    char *copy = fth_arena_take(&writing->model->hints->arena, length + 3);
    copy[0] = '(';
    memcpy(copy + 1, text, length);
    memcpy(copy + 1 + length, ")", 2);
    return copy;
}

const char *fth_gen_operand(const struct fth_gen_writing *writing, const char *text)
{
    return fth_gen_bracketed(writing, fth_gen_text(writing, text));
}

const char *fth_gen_length(const struct fth_gen_writing *writing, uint32_t dimension)
{
    const struct fth_gen_dimension *of = &writing->model->dimensions[dimension];
    return of->unlimited ? "0" : fth_gen_text(writing, of->length.text);
}

/* A whole length stays the text that it is in the template. */
const char *fth_gen_chunk(const struct fth_gen_writing *writing,
                          const struct fth_gen_variable *variable, uint32_t index)
{
    uint32_t number = fth_gen_dimension_at(writing->model, variable, index);
    const struct fth_gen_dimension *dimension = &writing->model->dimensions[number];
    uint64_t wanted = variable->chunk                 ? variable->chunk[index]
                      : variable->dimension_count > 1 ? 1
                                                      : 1024;
    if (index && (!variable->chunk || wanted == (uint64_t)dimension->value))
        return fth_gen_length(writing, number);
    char *text = fth_arena_take(&writing->model->hints->arena, 24);
    snprintf(text, 24, "%llu", (unsigned long long)wanted);
    return text;
}

const char *fth_gen_chunk_reason(const struct fth_gen_variable *variable)
{
    return variable->chunk_reason ? variable->chunk_reason
                                  : "Chunks are records: how large these are is not known before "
                                    "the program runs.";
}

size_t fth_gen_infos(const struct fth_gen_writing *writing, struct fth_gen_info infos[static 8])
{
    const struct fth_gen_file *file = writing->file;
    size_t used = 0;
#define ADD(name, reason, ...)                                                                     \
    do {                                                                                           \
        infos[used] = (struct fth_gen_info){.key = (name), .why = (reason)};                       \
        snprintf(infos[used++].value, sizeof infos->value, __VA_ARGS__);                           \
    } while (0)
    if (file->two_phase) {
        ADD("romio_cb_write", "runs of processes interleave", "enable");
        ADD("romio_cb_read", "the same for reading", "enable");
    }
    if (file->two_phase && writing->model->nodes)
        ADD("cb_nodes", "one aggregator on each node", "%lld", (long long)writing->model->nodes);
    if (file->buffer_bytes)
        ADD("cb_buffer_size", "the share of an aggregator in one round", "%llu",
            (unsigned long long)file->buffer_bytes);
    if (file->sieving && !file->two_phase)
        ADD("romio_ds_write", "holes between runs of a process are bridged", "enable");
    if (file->align > 1)
        ADD("striping_unit", "the alignment of the options", "%llu",
            (unsigned long long)file->align);
    return used;
#undef ADD
}

void fth_gen_comment(const struct fth_gen_writing *writing, const char *format, ...)
{
    enum { MOST_COLUMNS = 92 };
    bool fortran = writing->model->language == FTH_GEN_FORTRAN;
    va_list arguments;
    char *text = NULL, *rest = NULL;
    size_t column = 0;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        fth_out_of_memory();
    va_end(arguments);
    for (char *at = strstr(text, "*/"); at; at = strstr(at, "*/"))
        *at = ' '; /* a text of the template does not end the comment */
    fputs(fortran ? "!" : "/*", writing->to);
    for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
        size_t length = strlen(word);
        if (column && column + length > MOST_COLUMNS) {
            fputs(fortran ? "\n!" : "\n *", writing->to);
            column = 0;
        }
        fprintf(writing->to, " %s", word);
        column += length + 1;
    }
    fputs(fortran ? "\n" : " */\n", writing->to);
    free(text);
}
