/* Names that the program and the generated code would both use: refused, as the program would not
 * compile, or would mean something else. */
#include "gen/template/name_clashes.h"
#include "gen/template/names_in_source.h"

#include <stdio.h>
#include <string.h>

/* ---- the template ---- */

static struct fth_hint_place place_of(const char *text, const char *at)
{
    struct fth_hint_place place = {1, 1};
    for (; text < at; text++) {
        place.column = *text == '\n' ? 1 : place.column + 1;
        place.line += *text == '\n';
    }
    return place;
}

static int check_part(const struct fth_gen_model *model, const struct fth_intern *generated,
                      size_t begin, size_t end, struct fth_error **error)
{
    const char *text = model->hints->text;
    bool fortran = model->language == FTH_GEN_FORTRAN;
    struct fth_source_names names = {
        .text = text, .end = text + end, .at = text + begin, .fortran = fortran};
    char key[FTH_SOURCE_MOST_NAME];
    uint32_t number;
    while (fth_source_names_next(&names)) {
        size_t length = fth_source_name_key(names.name, names.length, fortran, key);
        if (length >= 2 && !strncasecmp(key, "io", 2) &&
            fth_intern_find(generated, key, length, &number))
            return fth_hints_fail(model->hints, place_of(text, names.name), error,
                                  "the program's name '%.*s' is one of the generated code, too: "
                                  "choose another one, which does not begin with io",
                                  (int)names.length, names.name);
    }
    return 0;
}

int fth_gen_names_of_program_check(const struct fth_gen_model *model, const char *front,
                                   char *const *codes, struct fth_error **error)
{
    struct fth_intern generated = {0};
    bool fortran = model->language == FTH_GEN_FORTRAN;
    size_t begin = 0;
    int result = 0;
    fth_source_names_collect(&generated, front, fortran);
    for (uint32_t i = 0; i < model->set_count; i++)
        if (codes[i])
            fth_source_names_collect(&generated, codes[i], fortran);
    for (uint32_t i = 0; i < model->set_count && !result; i++) {
        const struct fth_hint_set *set = model->sets[i].hints;
        result = check_part(model, &generated, begin, set->begin, error);
        begin = set->end;
    }
    if (!result)
        result = check_part(model, &generated, begin, model->hints->length, error);
    fth_intern_free(&generated);
    return result;
}

/* ---- names of hints ---- */

/* Notes a name of a file; -1: there is the same one already. */
static int note(const struct fth_gen_model *model, struct fth_intern *names, const char *first,
                const char *second, struct fth_hint_place place, const char *what,
                struct fth_error **error)
{
    char name[FTH_SOURCE_MOST_NAME], key[FTH_SOURCE_MOST_NAME];
    snprintf(name, sizeof name, "%s%s", first, second);
    size_t length =
        fth_source_name_key(name, strlen(name), model->language == FTH_GEN_FORTRAN, key);
    if (fth_interned_before(names, key, length))
        return fth_hints_fail(model->hints, place, error,
                              "the %s '%s' would be in the file or the code twice%s: rename one of "
                              "the two",
                              what, name,
                              model->language == FTH_GEN_FORTRAN
                                  ? ", as Fortran does not tell capitals from other letters"
                                  : "");
    fth_intern(names, key, length);
    return 0;
}

/* PnetCDF has a variable for each member of a structure, and a dimension for each array in it. */
static int note_members(const struct fth_gen_model *model, const struct fth_gen_variable *variable,
                        struct fth_intern *dimensions, struct fth_intern *variables,
                        struct fth_error **error)
{
    for (uint32_t i = 0; i < variable->compound->member_count; i++) {
        const struct fth_gen_member *member = &variable->compound->members[i];
        char name[512], end[512];
        snprintf(name, sizeof name, "%s_", variable->name);
        snprintf(end, sizeof end, "%s_length", member->name);
        if (note(model, variables, name, member->name, variable->place, "variable", error) ||
            (member->length > 1 &&
             note(model, dimensions, name, end, variable->place, "dimension", error)))
            return -1;
    }
    return 0;
}

static int check_file(const struct fth_gen_model *model, const struct fth_gen_file *file,
                      struct fth_error **error)
{
    struct fth_intern dimensions = {0}, variables = {0};
    int result = 0;
    for (uint32_t i = 0; i < file->dimensions.count && !result; i++) {
        const struct fth_gen_dimension *dimension = &model->dimensions[file->dimension_numbers[i]];
        result =
            note(model, &dimensions, dimension->name, "", dimension->place, "dimension", error);
    }
    for (uint32_t i = 0; i < file->variables.count && !result; i++) {
        const struct fth_gen_variable *variable = &model->variables[file->variable_numbers[i]];
        if (variable->compound && file->library == FTH_GEN_PNETCDF)
            result = note_members(model, variable, &dimensions, &variables, error);
        else
            result =
                note(model, &variables, variable->name, "", variable->place, "variable", error);
    }
    fth_intern_free(&dimensions);
    fth_intern_free(&variables);
    return result;
}

/* The text beside a raw file is called as the file, with this behind. */
static bool is_layout_of(const char *path, const char *file)
{
    static const char ending[] = ".layout";
    size_t length = strlen(file), own = sizeof ending - 1;
    return (*file == '"' || *file == '\'') && strlen(path) == length + own && length > 1 &&
           !memcmp(path + 1, file + 1, length - 2) && !memcmp(path + length - 1, ending, own);
}

int fth_gen_names_of_hints_check(const struct fth_gen_model *model, struct fth_error **error)
{
    for (uint32_t i = 0; i < model->file_count; i++) {
        const struct fth_gen_file *file = &model->files[i];
        for (uint32_t j = 0; j < model->file_count; j++)
            if (file->library <= FTH_GEN_MPIIO && is_layout_of(file->path, model->files[j].path))
                return fth_hints_fail(model->hints, file->place, error,
                                      "the file %s is the text that is written beside %s of line "
                                      "%u: choose another name",
                                      file->path, model->files[j].path, model->files[j].place.line);
        if (check_file(model, file, error))
            return -1;
    }
    return 0;
}
