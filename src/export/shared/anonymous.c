/* Texts of calls are few, and come again: their pseudonyms are kept. */
#include "export/shared/anonymous.h"

#include "base/memory.h"
#include "views/sentences/named_numbers.h"

#include <stdlib.h>
#include <string.h>

void fth_anonymous_forget(struct fth_anonymous *anonymous)
{
    for (uint32_t i = 0; i < anonymous->texts.count; i++)
        free(anonymous->pseudonyms[i]);
    fth_intern_free(&anonymous->texts);
    anonymous->texts = (struct fth_intern){0};
}

void fth_anonymous_free(struct fth_anonymous *anonymous)
{
    fth_anonymous_forget(anonymous);
    free(anonymous->pseudonyms);
    fth_arena_free(&anonymous->arena);
}

/* ---- texts ---- */

/* Makes what is kept of a text that was not seen before. */
typedef char *maker(const struct fth_pseudonyms *names, const char *text);

static const char *kept(struct fth_anonymous *anonymous, const char *text, maker *make)
{
    if (!text)
        return NULL;
    uint32_t before = anonymous->texts.count;
    uint32_t number = fth_intern(&anonymous->texts, text, strlen(text));
    anonymous->pseudonyms =
        fth_reach(anonymous->pseudonyms, &anonymous->limit, number, sizeof *anonymous->pseudonyms);
    if (number == before)
        anonymous->pseudonyms[number] = make(anonymous->names, text);
    return anonymous->pseudonyms[number];
}

static const char *name(struct fth_anonymous *anonymous, const char *text)
{
    return kept(anonymous, text, fth_pseudonym_of_object);
}

/* "file.c:123 function", "module+0x12ab": where in it stays. */
static char *source_of(const struct fth_pseudonyms *names, const char *text)
{
    size_t length = strcspn(text, " ");
    const char *mark = memrchr(text, ':', length);
    mark = mark ? mark : memrchr(text, '+', length);
    size_t end = mark ? (size_t)(mark - text) : length;
    char *file = fth_text_part(text, end), *hidden = fth_pseudonym(names, file);
    char *function = text[length] ? fth_pseudonym(names, text + length + 1) : NULL;
    char *made = fth_text_format("%s%.*s%s%s", hidden, (int)(length - end), text + end,
                                 function ? " " : "", function ? function : "");
    free(function);
    free(hidden);
    free(file);
    return made;
}

/* ---- values ---- */

/* "r", "wb+": what fopen takes. */
static bool is_mode(const struct fth_parameter *parameter, const char *text)
{
    return parameter && !strcmp(parameter->name, "mode") && !strcmp(parameter->role, "string") &&
           !text[strspn(text, "rwabtxcem+")];
}

/* Of a handle: a name that all runs share, or that the program gave. Paths are those of files. */
static const char *name_of_handle(struct fth_anonymous *anonymous, int64_t number, const char *text)
{
    if (number == FTH_HANDLE_NULL)
        return text;
    return text && fth_views_is_symbol(text) ? name(anonymous, text) : NULL;
}

static const char *const *names_of(struct fth_anonymous *anonymous, const struct fth_value *value)
{
    const char **texts = fth_arena_take(&anonymous->arena, (value->count + 1) * sizeof *texts);
    for (size_t i = 0; i < value->count; i++)
        texts[i] = value->type == FTH_VALUE_HANDLES
                       ? name_of_handle(anonymous, value->integers[i], value->texts[i])
                       : name(anonymous, value->texts[i]);
    return texts;
}

static struct fth_value value_of(struct fth_anonymous *anonymous, const struct fth_value *value,
                                 const struct fth_parameter *parameter)
{
    struct fth_value made = *value;
    made.identity = NULL;
    switch (value->type) {
    case FTH_VALUE_TEXT:
        if (value->text && !is_mode(parameter, value->text))
            made.text = name(anonymous, value->text);
        break;
    case FTH_VALUE_HANDLE:
        made.text = name_of_handle(anonymous, value->integer, value->text);
        break;
    case FTH_VALUE_TEXTS:
    case FTH_VALUE_HANDLES:
        if (value->texts)
            made.texts = names_of(anonymous, value);
        break;
    case FTH_VALUE_NONE: /* or names of constants */
    case FTH_VALUE_INTEGER:
    case FTH_VALUE_INTEGERS:
        break;
    }
    return made;
}

/* ---- calls ---- */

const struct fth_call *fth_anonymous_call(struct fth_anonymous *anonymous,
                                          const struct fth_call *call)
{
    struct fth_call *made = &anonymous->call;
    if (!anonymous->names)
        return call;
    fth_arena_reset(&anonymous->arena);
    size_t count = call->function->parameter_count;
    struct fth_value *arguments =
        fth_arena_take(&anonymous->arena, (count + 1) * sizeof *arguments);
    for (size_t i = 0; i < count; i++)
        arguments[i] = value_of(anonymous, &call->arguments[i], &call->function->parameters[i]);
    *made = *call;
    made->arguments = arguments;
    made->result = value_of(anonymous, &call->result, NULL);
    made->source = kept(anonymous, call->source, source_of);
    made->file = name(anonymous, call->file);
    made->object = name(anonymous, call->object);
    made->other_file = name(anonymous, call->other_file);
    return made;
}

const struct fth_access *fth_anonymous_access(struct fth_anonymous *anonymous,
                                              const struct fth_access *access)
{
    if (!anonymous->names || !access)
        return access;
    anonymous->access = *access;
    anonymous->access.second.file = name(anonymous, access->second.file);
    return &anonymous->access;
}

/* ---- processes ---- */

void fth_anonymous_process(struct fth_process *to, const struct fth_process *process,
                           const struct fth_pseudonyms *names)
{
    char **arguments = fth_new(process->argument_count + 1, sizeof *arguments);
    for (size_t i = 0; i < process->argument_count; i++)
        arguments[i] = fth_pseudonym(names, process->arguments[i]);
    *to = *process;
    to->host = fth_pseudonym(names, process->host);
    to->executable = fth_pseudonym(names, process->executable);
    to->directory = fth_pseudonym(names, process->directory);
    to->arguments = (const char *const *)arguments;
    to->mpi = process->mpi_abi; /* a description may say who built it, and where */
}

void fth_anonymous_process_free(struct fth_process *process)
{
    for (size_t i = 0; i < process->argument_count; i++)
        free((char *)(uintptr_t)process->arguments[i]);
    free((void *)(uintptr_t)process->arguments);
    free((char *)(uintptr_t)process->host);
    free((char *)(uintptr_t)process->executable);
    free((char *)(uintptr_t)process->directory);
}
