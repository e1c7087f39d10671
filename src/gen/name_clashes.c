/* Names that the program and the generated code would both use: refused, as the program would not
 * compile, or would mean something else. */
#include "gen/name_clashes.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- the names of a text, without those in comments and quotes ---- */

struct names {
    const char *text, *end, *at;
    bool fortran;
    /* The name that was found last. */
    const char *name;
    size_t length;
};

static bool is_part_of_name(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

static bool starts(const struct names *names, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(names->end - names->at) >= length && !memcmp(names->at, word, length);
}

/* #include, or with blanks in it. */
static bool at_include(const struct names *names)
{
    const char *at = names->at;
    if (names->fortran || *at++ != '#')
        return false;
    while (at < names->end && (*at == ' ' || *at == '\t'))
        at++;
    return names->end - at >= 7 && !memcmp(at, "include", 7);
}

static void skip_line(struct names *names)
{
    while (names->at < names->end && *names->at != '\n')
        names->at++;
}

/* Texts of C may have a quote behind a backslash; none goes over the end of its line. */
static void skip_text(struct names *names)
{
    char quote = *names->at++;
    while (names->at < names->end && *names->at != quote && *names->at != '\n')
        names->at += *names->at == '\\' && !names->fortran && names->at + 1 < names->end ? 2 : 1;
    names->at += names->at < names->end;
}

static void skip_comment(struct names *names)
{
    names->at += 2;
    while (names->at < names->end && !starts(names, "*/"))
        names->at++;
    names->at += names->at < names->end ? 2 : 0;
}

/* Is what stands in front of a name a sign that it is a member of a structure? */
static bool is_member(const struct names *names)
{
    const char *before = names->name;
    while (before > names->text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    if (before == names->text)
        return false;
    if (names->fortran)
        return before[-1] == '%';
    return before[-1] == '.' || (before[-1] == '>' && before - 1 > names->text && before[-2] == '-');
}

static bool find_next(struct names *names)
{
    while (names->at < names->end) {
        char byte = *names->at;
        if (names->fortran ? byte == '!' : starts(names, "//") || at_include(names)) {
            skip_line(names);
        } else if (!names->fortran && starts(names, "/*")) {
            skip_comment(names);
        } else if (byte == '"' || byte == '\'') {
            skip_text(names);
        } else if (is_part_of_name(byte)) {
            names->name = names->at;
            while (names->at < names->end && is_part_of_name(*names->at))
                names->at++;
            names->length = (size_t)(names->at - names->name);
            if (!is_member(names))
                return true;
        } else {
            names->at++;
        }
    }
    return false;
}

/* Fortran does not tell capitals from other letters. false: it is too long to be one of ours. */
static bool key_of(const char *name, size_t length, bool fortran, char key[static 512],
                   size_t *key_length)
{
    *key_length = length;
    if (length >= 512)
        return false;
    for (size_t i = 0; i < length; i++)
        key[i] = fortran ? (char)tolower((unsigned char)name[i]) : name[i];
    return true;
}

static void collect(struct fth_intern *generated, const char *text, bool fortran)
{
    struct names names = {.text = text, .end = text + strlen(text), .at = text, .fortran = fortran};
    char key[512];
    size_t length;
    while (find_next(&names))
        if (key_of(names.name, names.length, fortran, key, &length) && length >= 2 &&
            !strncasecmp(key, "io", 2))
            fth_intern(generated, key, length);
}

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
    struct names names = {
        .text = text, .end = text + end, .at = text + begin, .fortran = fortran};
    char key[512];
    size_t length;
    uint32_t number;
    while (find_next(&names))
        if (key_of(names.name, names.length, fortran, key, &length) &&
            fth_intern_find(generated, key, length, &number))
            return fth_hints_fail(model->hints, place_of(text, names.name), error,
                                  "the program's name '%.*s' is one of the generated code, too: "
                                  "choose another one, which does not begin with io",
                                  (int)names.length, names.name);
    return 0;
}

int fth_gen_names_of_program_check(const struct fth_gen_model *model, const char *front,
                                   char *const *codes, struct fth_error **error)
{
    struct fth_intern generated = {0};
    bool fortran = model->language == FTH_GEN_FORTRAN;
    size_t begin = 0;
    int result = 0;
    collect(&generated, front, fortran);
    for (uint32_t i = 0; i < model->set_count; i++)
        if (codes[i])
            collect(&generated, codes[i], fortran);
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
    char name[512], key[512];
    size_t length;
    snprintf(name, sizeof name, "%s%s", first, second);
    key_of(name, strlen(name), model->language == FTH_GEN_FORTRAN, key, &length);
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
            result = note(model, &variables, variable->name, "", variable->place, "variable", error);
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
