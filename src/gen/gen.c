/* From the text of a template to the text of a program. */
#include "gen/gen.h"

#include "base/memory.h"
#include "gen/choose/choose.h"
#include "gen/template/name_clashes.h"
#include "gen/assembly.h"

#include <string.h>
#include <strings.h>

static enum fth_gen_language language_of(const char *path)
{
    static const char *const fortran[] = {".f90", ".f", ".f95", ".f03", ".f08", ".for"};
    static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".c++", ".hpp"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof fortran / sizeof *fortran; i++)
        if (!strcasecmp(dot, fortran[i]))
            return FTH_GEN_FORTRAN;
    for (size_t i = 0; dot && i < sizeof cxx / sizeof *cxx; i++)
        if (!strcasecmp(dot, cxx[i]))
            return FTH_GEN_CXX;
    return FTH_GEN_C;
}

const char *fth_gen_language_of(const char *path)
{
    return fth_gen_language_name(language_of(path));
}

static int choose_settings(const char *path, const struct fth_gen_options *options,
                           struct fth_gen_settings *settings, struct fth_error **error)
{
    *settings = (struct fth_gen_settings){-1, -1, options->processes, options->nodes};
    for (int i = 0; i < FTH_GEN_LIBRARIES && options->library; i++)
        if (!strcmp(options->library, fth_gen_library_name((enum fth_gen_library)i)))
            settings->library = i;
    enum fth_gen_language named =
        options->language ? fth_gen_language_named(options->language) : FTH_GEN_LANGUAGES;
    if (named != FTH_GEN_LANGUAGES)
        settings->language = (int)named;
    if (options->library && settings->library < 0)
        return fth_fail(error,
                        "there is no library '%s': there are posix, mpiio, pnetcdf, hdf5, "
                        "netcdf4",
                        options->library);
    if (options->language && settings->language < 0)
        return fth_fail(error, "there is no language '%s': there are c, c++, fortran",
                        options->language);
    if (settings->language < 0 && language_of(path) != FTH_GEN_C)
        settings->language = (int)language_of(path);
    return 0;
}

/* Their functions have the same names. */
static int check_one_library(const struct fth_gen_model *model, struct fth_error **error)
{
    for (uint32_t i = 1; i < model->file_count; i++)
        if (model->files[i].library != model->files[0].library)
            return fth_hints_fail(
                model->hints, model->files[i].place, error,
                "this file is written by %s, and that of line %u by %s: all files "
                "of a template have one library",
                fth_gen_library_name(model->files[i].library), model->files[0].place.line,
                fth_gen_library_name(model->files[0].library));
    return 0;
}

static void explain(const struct fth_gen_model *model, struct fth_gen_program *program)
{
    program->language = fth_gen_language_name(model->language);
    program->library = model->file_count ? fth_gen_library_name(model->files[0].library) : NULL;
    program->explained_count = model->access_count;
    program->explained = fth_new(model->access_count + 1, sizeof *program->explained);
    for (uint32_t i = 0; i < model->access_count; i++) {
        const struct fth_gen_access *access = &model->accesses[i];
        const struct fth_gen_choice *choice = &access->choice;
        program->explained[i] = (struct fth_gen_explained){
            .line = access->place.line,
            .column = access->place.column,
            .variable = fth_text_copy(model->variables[access->variable].name),
            .reason = fth_text_copy(choice->reason),
            .weighed = fth_text_copy(choice->weighed),
            .writes = access->writes,
            .collective = choice->collective,
            .two_phase = choice->two_phase,
            .nonblocking = choice->nonblocking};
    }
    for (uint32_t i = 0; i < model->set_count; i++)
        for (size_t j = model->sets[i].hints->begin; j < model->sets[i].hints->end; j++)
            program->hint_lines += model->hints->text[j] == '\n';
}

int fth_gen_make(const char *path, const char *text, size_t length,
                 const struct fth_gen_options *options, struct fth_gen_program *program,
                 struct fth_error **error)
{
    struct fth_hints hints = {.path = path, .text = text, .length = length};
    struct fth_gen_settings settings;
    struct fth_gen_model model = {0};
    struct fth_gen_clusters clusters = {0};
    *program = (struct fth_gen_program){0};
    if (choose_settings(path, options, &settings, error))
        return -1;
    hints.fortran = settings.language == FTH_GEN_FORTRAN;
    int result = fth_hints_parse(&hints, error);
    if (!result)
        result = fth_gen_model_make(&model, &hints, &settings, error);
    if (!result)
        result = check_one_library(&model, error);
    if (!result)
        result = fth_gen_names_of_hints_check(&model, error);
    if (!result)
        result = fth_gen_names_of_dimensions_check(&model, error);
    if (!result && options->on)
        result = fth_gen_clusters_open(&clusters, options->on, error);
    if (!result)
        result = fth_gen_choose(&model, &clusters, error);
    if (!result) {
        program->text = fth_gen_assembly_text(&model, program, error);
        result = program->text ? 0 : -1;
    }
    if (!result)
        explain(&model, program);
    fth_gen_clusters_close(&clusters);
    fth_gen_model_free(&model);
    fth_hints_free(&hints);
    return result;
}

void fth_gen_program_free(struct fth_gen_program *program)
{
    for (size_t i = 0; i < program->explained_count; i++) {
        free(program->explained[i].variable);
        free(program->explained[i].reason);
        free(program->explained[i].weighed);
    }
    free(program->explained);
    free(program->parts);
    free(program->text);
    *program = (struct fth_gen_program){0};
}
