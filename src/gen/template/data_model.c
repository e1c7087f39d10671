/* From the hints of a template to files, dimensions, variables and attributes, each linked to what
 * it names. Accesses: read_accesses.c; options: read_options.c. */
#include "gen/template/data_model.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* ---- types and dimensions ---- */

static bool is_name(const char *text)
{
    if (!*text || (*text >= '0' && *text <= '9'))
        return false;
    for (; *text; text++)
        if (!(*text == '_' || (*text >= '0' && *text <= '9') || (*text >= 'a' && *text <= 'z') ||
              (*text >= 'A' && *text <= 'Z')))
            return false;
    return true;
}

static int expect_words(struct fth_gen_model *model, const struct fth_hint_line *hint,
                        uint32_t least, const char *form, struct fth_error **error)
{
    if (hint->word_count >= least)
        return 0;
    return fth_hints_fail(model->hints, hint->place, error,
                          "the hint '%s' has %u of %u parameters: it is `%s;`", hint->name,
                          hint->word_count, least, form);
}

static int unknown_type(struct fth_gen_model *model, const struct fth_hint_word *word,
                        const char *text, struct fth_error **error)
{
    return fth_hints_fail(model->hints, word->place, error,
                          "there is no type '%s': types are %s, and those of #begin_types", text,
                          fth_gen_type_names());
}

/* "double x", "double v[3]" */
static int read_member(struct fth_gen_model *model, const struct fth_hint_word *word,
                       struct fth_gen_member *member, struct fth_error **error)
{
    char type[16] = "", name[128] = "";
    unsigned long length = 1;
    int end = 0, with_length = 0;
    int count = sscanf(word->text, "%15s %127[A-Za-z0-9_] %n[ %9lu ]%n", type, name, &end, &length,
                       &with_length);
    end = with_length ? with_length : end;
    if (count < 2 || !is_name(name) || word->text[end] || !length)
        return fth_hints_fail(model->hints, word->place, error,
                              "a member of a type is `double x` or `double x[3]`, not '%s'",
                              word->text);
    member->type = fth_gen_type_find(type);
    if (!member->type)
        return unknown_type(model, word, type, error);
    size_t size = strlen(name) + 1;
    char *copy = fth_arena_take(&model->hints->arena, size);
    memcpy(copy, name, size);
    member->name = copy;
    member->length = length;
    return 0;
}

static int read_compound(struct fth_gen_model *model, const struct fth_hint_line *hint,
                         struct fth_error **error)
{
    for (uint32_t i = 0; i < model->compound_count; i++)
        if (!strcmp(model->compounds[i]->name, hint->name))
            return fth_hints_fail(model->hints, hint->place, error,
                                  "there is a type '%s' already, of line %u: choose another name",
                                  hint->name, model->compounds[i]->place.line);
    if (fth_gen_type_find(hint->name))
        return fth_hints_fail(model->hints, hint->place, error,
                              "'%s' is a basic type: choose another name", hint->name);
    struct fth_gen_compound *compound = fth_arena_take(&model->hints->arena, sizeof *compound);
    FTH_GROW(model->compounds, model->compound_count);
    model->compounds[model->compound_count++] = compound;
    compound->name = hint->name;
    compound->place = hint->place;
    compound->member_count = hint->word_count;
    compound->members =
        fth_arena_take(&model->hints->arena, hint->word_count * sizeof *compound->members);
    for (uint32_t i = 0; i < hint->word_count; i++)
        if (read_member(model, &hint->words[i], &compound->members[i], error))
            return -1;
    return 0;
}

static int read_dimension(struct fth_gen_model *model, uint32_t file_number,
                          const struct fth_hint_line *hint, struct fth_error **error)
{
    struct fth_gen_file *file = &model->files[file_number];
    if (hint->word_count != 1)
        return fth_hints_fail(model->hints, hint->place, error,
                              "the dimension '%s' has one length: `%s: 100;`", hint->name,
                              hint->name);
    if (fth_interned_before(&file->dimensions, hint->name, strlen(hint->name)))
        return fth_hints_fail(model->hints, hint->place, error,
                              "there is a dimension '%s' of this file already: choose another name",
                              hint->name);
    struct fth_gen_dimension made = {.name = hint->name, .place = hint->place};
    /* Its own name in it is not yet a dimension: `nx: nx;` has the program's nx. */
    model->scope_file = file_number;
    made.length = fth_gen_number_read(model, &hint->words[0]);
    made.unlimited = !strcmp(made.length.text, "unlimited");
    const char *unknown;
    made.known = !made.unlimited &&
                 fth_gen_number_value(model, file_number, &made.length, -1, &made.value, &unknown);
    if (made.known && made.value < 1)
        return fth_hints_fail(model->hints, hint->words[0].place, error,
                              "the dimension '%s' is %lld long: it needs at least 1", hint->name,
                              (long long)made.value);
    file->has_unlimited |= made.unlimited;
    uint32_t number = fth_intern(&file->dimensions, hint->name, strlen(hint->name));
    FTH_GROW(file->dimension_numbers, number);
    file->dimension_numbers[number] = model->dimension_count;
    FTH_GROW(model->dimensions, model->dimension_count);
    model->dimensions[model->dimension_count++] = made;
    return 0;
}

/* ---- variables and attributes ---- */

static int read_type(struct fth_gen_model *model, const struct fth_hint_word *word,
                     struct fth_gen_variable *variable, struct fth_error **error)
{
    variable->type = fth_gen_type_find(word->text);
    if (variable->type)
        return 0;
    for (uint32_t i = 0; i < model->compound_count; i++)
        if (!strcmp(model->compounds[i]->name, word->text)) {
            variable->compound = model->compounds[i];
            if (model->language == FTH_GEN_FORTRAN &&
                model->files[variable->file].library == FTH_GEN_PNETCDF)
                return fth_hints_fail(model->hints, word->place, error,
                                      "PnetCDF has no compound types in Fortran: choose hdf5 or "
                                      "netcdf4, or a variable for each member");
            return 0;
        }
    return unknown_type(model, word, word->text, error);
}

static int read_dimensions_of(struct fth_gen_model *model, const struct fth_hint_line *hint,
                              struct fth_gen_variable *variable, struct fth_error **error)
{
    const struct fth_gen_file *file = &model->files[variable->file];
    char *end;
    unsigned long count = strtoul(hint->words[1].text, &end, 10);
    if (*end || count > FTH_GEN_MOST_DIMENSIONS)
        return fth_hints_fail(model->hints, hint->words[1].place, error,
                              "the number of dimensions is 1 to %d, not '%s'",
                              FTH_GEN_MOST_DIMENSIONS, hint->words[1].text);
    if (count != hint->word_count - 2)
        return fth_hints_fail(model->hints, hint->words[1].place, error,
                              "the variable '%s' has %lu dimensions, but %u are named: write %u",
                              hint->name, count, hint->word_count - 2, hint->word_count - 2);
    if (!count)
        return fth_hints_fail(model->hints, hint->words[1].place, error,
                              "the variable '%s' has no dimension: give it one of length 1",
                              hint->name);
    variable->dimension_count = (uint32_t)count;
    variable->dimensions =
        fth_arena_take(&model->hints->arena, (count + 1) * sizeof *variable->dimensions);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number;
        const struct fth_hint_word *word = &hint->words[2 + i];
        if (!fth_intern_find(&file->dimensions, word->text, strlen(word->text), &number))
            return fth_gen_no_such(model, word, "dimension", &file->dimensions, error);
        variable->dimensions[i] = file->dimension_numbers[number];
    }
    for (uint32_t i = 0; i < count; i++)
        if (model->dimensions[fth_gen_dimension_at(model, variable, i)].unlimited && i)
            return fth_hints_fail(model->hints, hint->place, error,
                                  "an unlimited dimension is the slowest one: put it %s",
                                  model->language == FTH_GEN_FORTRAN ? "last" : "first");
    return 0;
}

static int read_variable(struct fth_gen_model *model, uint32_t file_number,
                         const struct fth_hint_line *hint, struct fth_error **error)
{
    struct fth_gen_file *file = &model->files[file_number];
    if (expect_words(model, hint, 2, "name: type, number of dimensions, dimension, ...", error))
        return -1;
    if (fth_interned_before(&file->variables, hint->name, strlen(hint->name)))
        return fth_hints_fail(model->hints, hint->place, error,
                              "there is a variable '%s' of this file already: choose another name",
                              hint->name);
    struct fth_gen_variable made = {.name = hint->name, .place = hint->place, .file = file_number};
    if (read_type(model, &hint->words[0], &made, error) ||
        read_dimensions_of(model, hint, &made, error))
        return -1;
    uint32_t number = fth_intern(&file->variables, hint->name, strlen(hint->name));
    FTH_GROW(file->variable_numbers, number);
    file->variable_numbers[number] = model->variable_count;
    FTH_GROW(model->variables, model->variable_count);
    model->variables[model->variable_count++] = made;
    return 0;
}

static int read_attribute(struct fth_gen_model *model, uint32_t file,
                          const struct fth_hint_line *hint, struct fth_error **error)
{
    struct fth_gen_attribute made = {.name = hint->name, .place = hint->place, .variable = -1};
    if (expect_words(model, hint, 3, "name: variable, type, value", error))
        return -1;
    if (strcmp(hint->words[0].text, "*") != 0) {
        made.variable = fth_gen_variable_find(model, file, &hint->words[0], error);
        if (made.variable < 0)
            return -1;
    }
    made.type = fth_gen_type_find(hint->words[1].text);
    if (!made.type)
        return unknown_type(model, &hint->words[1], hint->words[1].text, error);
    made.value_count = hint->word_count - 2;
    const char *first = hint->words[2].text;
    bool is_text = *first == '"' || *first == '\'', wants_text = !strcmp(made.type->name, "char");
    if (is_text != wants_text || (is_text && made.value_count > 1))
        return fth_hints_fail(model->hints, hint->words[2].place, error,
                              "an attribute of type char is one text in quotes, and one of another "
                              "type is numbers");
    made.values = fth_arena_take(&model->hints->arena, made.value_count * sizeof *made.values);
    for (uint32_t i = 0; i < made.value_count; i++)
        made.values[i] = hint->words[2 + i].text;
    FTH_GROW(model->attributes, model->attribute_count);
    model->attributes[model->attribute_count++] = made;
    return 0;
}

/* ---- sets ---- */

static uint32_t *count_of(struct fth_gen_model *model, enum fth_hint_kind kind)
{
    switch (kind) {
    case FTH_HINTS_TYPES:
        return &model->compound_count;
    case FTH_HINTS_DIMENSIONS:
        return &model->dimension_count;
    case FTH_HINTS_VARIABLES:
        return &model->variable_count;
    case FTH_HINTS_ATTRIBUTES:
        return &model->attribute_count;
    default:
        return &model->access_count;
    }
}

static int read_hint_of(struct fth_gen_model *model, uint32_t session,
                        const struct fth_hint_set *set, const struct fth_hint_line *hint,
                        struct fth_error **error)
{
    uint32_t file = session == UINT32_MAX ? 0 : model->sessions[session].file;
    switch (set->kind) {
    case FTH_HINTS_TYPES:
        return read_compound(model, hint, error);
    case FTH_HINTS_DIMENSIONS:
        return read_dimension(model, file, hint, error);
    case FTH_HINTS_VARIABLES:
        return read_variable(model, file, hint, error);
    case FTH_HINTS_ATTRIBUTES:
        return read_attribute(model, file, hint, error);
    case FTH_HINTS_WRITE:
    case FTH_HINTS_READ:
        return fth_gen_access_read(model, session, set, hint, error);
    default:
        return 0;
    }
}

static bool defines(enum fth_hint_kind kind)
{
    return kind >= FTH_HINTS_DIMENSIONS && kind <= FTH_HINTS_ATTRIBUTES;
}
static bool accesses(enum fth_hint_kind kind)
{
    return kind == FTH_HINTS_WRITE || kind == FTH_HINTS_READ;
}

/* What a set is for its session: where it opens, ends its definitions, closes. */
static int place_in_session(struct fth_gen_model *model, uint32_t number, uint32_t session_number,
                            struct fth_error **error)
{
    const struct fth_hint_set *set = &model->hints->sets[number];
    struct fth_gen_session *session = &model->sessions[session_number];
    if (session->closing != UINT32_MAX)
        return fth_hints_fail(model->hints, set->place, error,
                              "the file is closed by #close of line %u: begin it again with a set "
                              "of options before",
                              model->hints->sets[session->closing].place.line);
    if (defines(set->kind) && (session->reads || session->writes))
        return fth_hints_fail(model->hints, set->place, error,
                              "a file is defined before its first access: put this set before "
                              "that of its first access");
    if (defines(set->kind) && session->opening == UINT32_MAX)
        session->opening = number;
    if (defines(set->kind))
        session->defined = number;
    session->last_set = number;
    session->writes |= set->kind == FTH_HINTS_WRITE;
    session->reads |= set->kind == FTH_HINTS_READ;
    if (set->kind == FTH_HINTS_CLOSE)
        session->closing = number;
    return 0;
}

static int read_set(struct fth_gen_model *model, uint32_t number, uint32_t session,
                    struct fth_error **error)
{
    const struct fth_hint_set *hints = &model->hints->sets[number];
    struct fth_gen_set *set = &model->sets[number];
    uint32_t *count = count_of(model, hints->kind);
    bool of_file = defines(hints->kind) || accesses(hints->kind) || hints->kind == FTH_HINTS_CLOSE;
    if (of_file && session == UINT32_MAX)
        return fth_hints_fail(model->hints, hints->place, error,
                              "no file is named before this set: add `#begin_options file: "
                              "\"out.nc\"; #end_options`");
    *set = (struct fth_gen_set){.hints = hints, .session = session, .first = *count};
    if (of_file && place_in_session(model, number, session, error))
        return -1;
    for (uint32_t i = 0; i < hints->hint_count; i++)
        if (read_hint_of(model, session, hints, &hints->hints[i], error))
            return -1;
    set->count = *count - set->first;
    return 0;
}

static int read_sets(struct fth_gen_model *model, struct fth_error **error)
{
    uint32_t session = UINT32_MAX;
    for (uint32_t i = 0; i < model->set_count; i++) {
        uint32_t next = session == UINT32_MAX ? 0 : session + 1;
        if (next < model->session_count && model->sessions[next].first_set == i)
            session = next;
        if (read_set(model, i, session, error))
            return -1;
    }
    return 0;
}

/* Without #close a file is closed behind its last access, which must not come again. */
static int end_session(struct fth_gen_model *model, struct fth_gen_session *session,
                       struct fth_error **error)
{
    const struct fth_hint_set *sets = model->hints->sets;
    struct fth_gen_file *file = &model->files[session->file];
    if (!session->reads && !session->writes)
        return fth_hints_fail(model->hints, sets[session->first_set].place, error,
                              "nothing of this file is written or read: add #begin_write");
    session->creates &= session->writes;
    file->creates |= session->creates;
    if (session->opening == UINT32_MAX)
        session->opening = session->first_set;
    if (session->defined == UINT32_MAX)
        session->defined = session->opening;
    if (session->closing == UINT32_MAX &&
        sets[session->last_set].depth > sets[session->opening].depth)
        return fth_hints_fail(model->hints, sets[session->last_set].place, error,
                              "this access is in a block that the file is opened before, so it "
                              "may come again: put #close where the file is to be closed");
    if (session->closing == UINT32_MAX)
        session->closing = session->last_set;
    model->sets[session->opening].opens = true;
    model->sets[session->defined].ends_definition = true;
    model->sets[session->closing].closes = true;
    return 0;
}

static void prepare(struct fth_gen_model *model, struct fth_hints *hints,
                    const struct fth_gen_settings *settings)
{
    *model = (struct fth_gen_model){.hints = hints,
                                    .settings = *settings,
                                    .communicator = "MPI_COMM_WORLD",
                                    .set_count = hints->set_count,
                                    .scope_file = UINT32_MAX,
                                    .rank = -1};
    model->language = settings->language >= 0 ? (enum fth_gen_language)settings->language
                      : hints->fortran        ? FTH_GEN_FORTRAN
                                              : FTH_GEN_C;
    model->scope = fth_gen_scope(model);
    model->sets = fth_new(hints->set_count + 1, sizeof *model->sets);
}

int fth_gen_model_make(struct fth_gen_model *model, struct fth_hints *hints,
                       const struct fth_gen_settings *settings, struct fth_error **error)
{
    prepare(model, hints, settings);
    if (fth_gen_options_read(model, error))
        return -1;
    if (settings->processes)
        model->processes = settings->processes;
    if (settings->nodes)
        model->nodes = settings->nodes;
    for (uint32_t i = 0; i < model->assumption_count; i++) {
        const struct fth_gen_number *value = &model->assumptions[i].value;
        const struct fth_hint_word word = {.place = value->place, .text = value->text};
        model->assumptions[i].value = fth_gen_number_read(model, &word);
    }
    if (read_sets(model, error))
        return -1;
    for (uint32_t i = 0; i < model->session_count; i++)
        if (end_session(model, &model->sessions[i], error))
            return -1;
    return 0;
}

void fth_gen_model_free(struct fth_gen_model *model)
{
    for (uint32_t i = 0; i < model->access_count; i++) {
        free(model->accesses[i].choice.reason);
        free(model->accesses[i].choice.weighed);
        free(model->accesses[i].pieces);
    }
    for (uint32_t i = 0; i < model->file_count; i++) {
        fth_intern_free(&model->files[i].dimensions);
        fth_intern_free(&model->files[i].variables);
        free(model->files[i].dimension_numbers);
        free(model->files[i].variable_numbers);
    }
    fth_intern_free(&model->assumed);
    free(model->compounds);
    free(model->dimensions);
    free(model->variables);
    free(model->attributes);
    free(model->accesses);
    free(model->files);
    free(model->sessions);
    free(model->sets);
    free(model->assumptions);
}
