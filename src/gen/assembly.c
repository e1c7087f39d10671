/* Puts a program together. What stands in front of it depends on what the code at the hints uses,
 * so that is written first. */
#include "gen/assembly.h"

#include "base/growing_text.h"
#include "base/memory.h"
#include "gen/emit_fortran/fortran_parts.h"
#include "gen/emit/emitter.h"
#include "gen/template/name_clashes.h"
#include "gen/template/names_in_source.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const struct fth_gen_emitter *emitter_of(const struct fth_gen_model *model)
{
    static const struct fth_gen_emitter *const in_c[] = {
        &fth_gen_c_posix, &fth_gen_c_mpiio, &fth_gen_c_pnetcdf, &fth_gen_c_hdf5, &fth_gen_c_netcdf};
    static const struct fth_gen_emitter *const in_fortran[] = {
        &fth_gen_fortran_posix, &fth_gen_fortran_mpiio, &fth_gen_fortran_pnetcdf,
        &fth_gen_fortran_hdf5, &fth_gen_fortran_netcdf};
    enum fth_gen_library library = model->files[0].library;
    return model->language == FTH_GEN_FORTRAN ? in_fortran[library] : in_c[library];
}

/* ---- the code of one set, without indentation ---- */

static void write_definitions(const struct fth_gen_emitter *emitter,
                              const struct fth_gen_writing *writing, const struct fth_gen_set *set,
                              const struct fth_gen_session *session)
{
    const struct fth_gen_model *model = writing->model;
    bool raw = writing->file->library <= FTH_GEN_MPIIO;
    for (uint32_t i = set->first; i < set->first + set->count; i++) {
        enum fth_hint_kind kind = set->hints->kind;
        if (kind == FTH_HINTS_DIMENSIONS && emitter->dimension && session->creates)
            emitter->dimension(writing, &model->dimensions[i]);
        if (kind == FTH_HINTS_VARIABLES && (session->creates || raw))
            emitter->variable(writing, &model->variables[i]);
        if (kind == FTH_HINTS_ATTRIBUTES && session->creates)
            emitter->attribute(writing, &model->attributes[i]);
    }
}

/* A raw file that is opened again has its variables where they were. */
static void define_again(const struct fth_gen_emitter *emitter,
                         const struct fth_gen_writing *writing,
                         const struct fth_gen_session *session)
{
    if (writing->file->library > FTH_GEN_MPIIO || session->opening != session->first_set)
        return;
    for (uint32_t i = 0; i < writing->file->variables.count; i++)
        emitter->variable(writing, &writing->model->variables[writing->file->variable_numbers[i]]);
}

static void put_barrier(const struct fth_gen_writing *writing, const char *why)
{
    fth_gen_comment(writing, "%s", why);
    if (writing->model->language == FTH_GEN_FORTRAN)
        fth_gen_f_call(writing, "MPI_Barrier", "%s", writing->model->communicator);
    else
        fprintf(writing->to, "IO_CHECK_MPI(MPI_Barrier(%s));\n", writing->model->communicator);
}

/* Does the set write a variable that the other one writes, too? */
static bool writes_the_same(const struct fth_gen_model *model, const struct fth_gen_set *set,
                            const struct fth_gen_set *other)
{
    for (uint32_t i = set->first; i < set->first + set->count; i++)
        for (uint32_t j = other->first; j < other->first + other->count; j++)
            if (model->accesses[i].variable == model->accesses[j].variable)
                return true;
    return false;
}

/* Can a set of this kind in the same opening have been done before this one? Where the file is
 * closed by #close, the sets before may be in a loop, or in functions that are called again. */
static bool comes_behind(const struct fth_gen_model *model, const struct fth_gen_set *set,
                         enum fth_hint_kind kind)
{
    const struct fth_gen_session *session = &model->sessions[set->session];
    bool again = model->sets[session->closing].hints->kind == FTH_HINTS_CLOSE;
    const struct fth_gen_set *end = again ? model->sets + session->last_set + 1 : set;
    for (const struct fth_gen_set *i = model->sets + session->first_set; i < end; i++)
        if (i != set && i->hints->kind == kind &&
            (kind == FTH_HINTS_READ || set->hints->kind == FTH_HINTS_READ ||
             (i < set && writes_the_same(model, set, i))))
            return true;
    return false;
}

static bool is_access(const struct fth_gen_set *set)
{
    return set->hints->kind == FTH_HINTS_WRITE || set->hints->kind == FTH_HINTS_READ;
}

static void write_accesses(const struct fth_gen_emitter *emitter,
                           const struct fth_gen_writing *writing, const struct fth_gen_set *set)
{
    if (!writing->after_writes && set->hints->kind == FTH_HINTS_WRITE &&
        comes_behind(writing->model, set, FTH_HINTS_READ))
        put_barrier(writing, "All have read what was there before one writes again.");
    if (emitter->begin)
        emitter->begin(writing, set);
    for (uint32_t i = 0; i < set->count; i++)
        emitter->access(writing, &writing->model->accesses[set->first + i], i);
    if (emitter->end)
        emitter->end(writing, set);
}

/* The set's code; NULL: none. */
static char *code_of(const struct fth_gen_emitter *emitter, struct fth_gen_model *model,
                     const struct fth_gen_set *set)
{
    if (set->session == UINT32_MAX)
        return NULL;
    const struct fth_gen_session *session = &model->sessions[set->session];
    struct fth_growing_text text;
    fth_growing_text_open(&text);
    const struct fth_gen_writing writing = {text.file, model, &model->files[session->file],
                                            is_access(set) &&
                                                comes_behind(model, set, FTH_HINTS_WRITE)};
    if (set->opens) {
        emitter->open(&writing, session);
        define_again(emitter, &writing, session);
    }
    if (is_access(set))
        write_accesses(emitter, &writing, set);
    else
        write_definitions(emitter, &writing, set, session);
    if (set->ends_definition)
        emitter->defined(&writing, session);
    if (set->closes)
        emitter->close(&writing, session);
    /* Other libraries close a file together. */
    if (set->closes && session->writes &&
        (writing.file->opened_again || writing.file->library == FTH_GEN_POSIX))
        put_barrier(&writing, "All have closed the file before one opens it again.");
    fth_growing_text_end(&text);
    return text.text;
}

/* ---- indentation ---- */

static bool begins_with(const char *line, const char *word)
{
    return !strncasecmp(line, word, strlen(word));
}
static bool ends_with(const char *line, size_t length, const char *word)
{
    size_t own = strlen(word);
    return length >= own && !strncasecmp(line + length - own, word, own);
}

/* How much deeper what follows a line is, and the line itself. */
static int step_of(const char *line, size_t length, bool fortran, int *own)
{
    *own = 0;
    if (!fortran) {
        *own = *line == '}' ? -1 : 0;
        return *own + (length && line[length - 1] == '{');
    }
    if (begins_with(line, "end ")) {
        *own = -1;
        return -1;
    }
    if (begins_with(line, "else")) {
        *own = -1;
        return 0;
    }
    return begins_with(line, "block") || begins_with(line, "do ") ||
           ends_with(line, length, "then");
}

enum { MOST_COLUMNS = 110 };

/* A line of Fortran, continued where it is long. */
static void put_fortran(FILE *to, const char *indent, int columns, const char *line, size_t length)
{
    size_t room = MOST_COLUMNS - (size_t)columns;
    bool first = true;
    while (length > room && *line != '!') {
        size_t cut = 0;
        char quote = 0;
        for (size_t i = 0; i + 1 < length && (i < room || !cut); i++) {
            if (quote ? line[i] == quote : line[i] == '"' || line[i] == '\'')
                quote = quote ? 0 : line[i];
            if (!quote && line[i] == ',' && line[i + 1] == ' ')
                cut = i + 2;
        }
        if (!cut)
            break;
        fprintf(to, "%s%*s%s%.*s&\n", indent, columns, "", first ? "" : "    ", (int)cut, line);
        first = false;
        line += cut;
        length -= cut;
    }
    fprintf(to, "%s%*s%s%.*s\n", indent, columns, "", first ? "" : "    ", (int)length, line);
}

static void put_indented(FILE *to, const char *code, const char *indent, bool fortran,
                         uint32_t *lines)
{
    int depth = 0;
    unsigned width = fortran ? 2 : 4;
    for (const char *line = code; line && *line;) {
        const char *end = strchrnul(line, '\n');
        int own, step = step_of(line, (size_t)(end - line), fortran, &own);
        int columns = (depth + own) * (int)width;
        if (end > line && fortran)
            put_fortran(to, indent, columns > 0 ? columns : 0, line, (size_t)(end - line));
        else if (end > line)
            fprintf(to, "%s%*s%.*s\n", indent, columns > 0 ? columns : 0, "", (int)(end - line),
                    line);
        depth += step;
        ++*lines;
        line = *end ? end + 1 : end;
    }
}

/* ---- what stands in front ---- */

static char *states(const struct fth_gen_emitter *emitter, struct fth_gen_model *model)
{
    struct fth_growing_text text;
    fth_growing_text_open(&text);
    for (uint32_t i = 0; i < model->file_count; i++) {
        const struct fth_gen_writing writing = {text.file, model, &model->files[i], false};
        emitter->state(&writing);
    }
    fth_growing_text_end(&text);
    return text.text;
}

/* Which helpers the program needs: those whose names are in the code of its sets, or in helpers
 * that it needs, as whole names. Names in texts and comments do not count. */
static void choose_helpers(const struct fth_gen_emitter *emitter, char *const *codes, size_t count,
                           const char *state, bool fortran, bool *used)
{
    struct fth_intern names = {0};
    char key[FTH_SOURCE_MOST_NAME];
    uint32_t number;
    fth_source_names_collect(&names, state, fortran);
    for (size_t i = 0; i < count; i++)
        if (codes[i])
            fth_source_names_collect(&names, codes[i], fortran);
    for (size_t i = emitter->helper_count; i-- > 0;) {
        const struct fth_gen_helper *helper = &emitter->helpers[i];
        size_t length = fth_source_name_key(helper->name, strlen(helper->name), fortran, key);
        used[i] = fth_intern_find(&names, key, length, &number);
        if (used[i])
            fth_source_names_collect(&names, helper->text, fortran);
    }
    fth_intern_free(&names);
}

/* Includes, and interfaces of Fortran, stand before functions. */
static bool stands_before(const struct fth_gen_helper *helper)
{
    return !strncmp(helper->text, "#include", 8) || !strncmp(helper->text, "  interface", 11);
}

static void write_front(FILE *to, const struct fth_gen_emitter *emitter,
                        struct fth_gen_model *model, char *const *codes, size_t count)
{
    bool fortran = model->language == FTH_GEN_FORTRAN;
    char *state = states(emitter, model);
    bool *used = fth_new(emitter->helper_count + 1, sizeof *used);
    choose_helpers(emitter, codes, count, state, fortran, used);
    const char *title = fth_gen_library_title(model->files[0].library);
    if (fortran)
        fprintf(to, "! I/O by %s, made from hints by fathom generate.\nmodule fathom_io\n", title);
    else
        fprintf(to, "\n/* I/O by %s, made from hints by fathom generate. */\n", title);
    fputs(emitter->head, to);
    for (size_t i = 0; i < emitter->helper_count; i++)
        if (used[i] && stands_before(&emitter->helpers[i]))
            fputs(emitter->helpers[i].text, to);
    if (fortran) {
        fputs(state, to);
        fputs("contains\n", to);
    }
    for (size_t i = 0; i < emitter->helper_count; i++)
        if (used[i] && !stands_before(&emitter->helpers[i]))
            fprintf(to, "\n%s", emitter->helpers[i].text);
    if (fortran)
        fputs("end module fathom_io\n\n", to);
    else
        fprintf(to, "\n/* The state of %s. */\n%s\n",
                model->file_count > 1 ? "the files" : "the file", state);
    free(used);
    free(state);
}

static char *front_of(const struct fth_gen_emitter *emitter, struct fth_gen_model *model,
                      char *const *codes)
{
    struct fth_growing_text text;
    fth_growing_text_open(&text);
    write_front(text.file, emitter, model, codes, model->set_count);
    fth_growing_text_end(&text);
    return text.text;
}

/* Behind the last #include in front of all hints that no #if is around, or at the beginning. */
static size_t front_of_c(const struct fth_gen_model *model)
{
    const struct fth_hints *hints = model->hints;
    size_t end = hints->sets[0].begin, found = 0;
    unsigned depth = 0;
    for (size_t at = 0; at < end;) {
        const char *line = hints->text + at;
        const char *stop = memchr(line, '\n', hints->length - at);
        size_t next = stop ? (size_t)(stop - hints->text) + 1 : hints->length;
        const char *word = line;
        while (word < hints->text + next && (*word == '#' || *word == ' ' || *word == '\t'))
            word++;
        bool directive = *line == '#';
        size_t left = (size_t)(hints->text + next - word);
        if (directive && left > 2 && !strncmp(word, "if", 2))
            depth++;
        else if (directive && left > 5 && !strncmp(word, "endif", 5) && depth)
            depth--;
        else if (directive && left > 7 && !strncmp(word, "include", 7) && !depth)
            found = next;
        at = next;
    }
    return found;
}

/* ---- Fortran: the module is used in the unit that hints stand in ---- */

static bool begins_unit(const char *line, const char *end)
{
    static const char *const words[] = {"program", "subroutine", "function", "module"};
    char copy[256];
    size_t length = 0;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    for (; line < end && length < sizeof copy - 1 && *line != '!'; line++)
        copy[length++] = (char)tolower((unsigned char)*line);
    copy[length] = '\0';
    if (!strncmp(copy, "end", 3) || strchr(copy, '=') || !strncmp(copy, "module procedure", 16) ||
        !strncmp(copy, "call", 4) || strchr(copy, '"') || strchr(copy, '\''))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *found = strstr(copy, words[i]);
        size_t own = strlen(words[i]);
        if (found && (found == copy || found[-1] == ' ') && found[own] == ' ' &&
            isalpha((unsigned char)found[own + 1]))
            return true;
    }
    return false;
}

/* Where `use` has to stand: behind the statement that begins the unit of a set. */
static size_t unit_of(const struct fth_hints *hints, size_t before)
{
    size_t found = 0;
    bool continues = false;
    for (size_t at = 0; at < before;) {
        const char *line = hints->text + at;
        const char *stop = memchr(line, '\n', hints->length - at);
        size_t next = stop ? (size_t)(stop - hints->text) + 1 : hints->length;
        const char *last = hints->text + next;
        while (last > line && isspace((unsigned char)last[-1]))
            last--;
        bool goes_on = last > line && last[-1] == '&';
        if (begins_unit(line, hints->text + next) || (continues && found == at))
            found = next;
        continues = goes_on && found == next;
        at = next;
    }
    return found;
}

/* ---- the whole ---- */

struct assembly {
    FILE *to;
    struct fth_gen_model *model;
    const struct fth_gen_emitter *emitter;
    char **codes;
    size_t at, front, *uses; /* uses: of each set */
    uint32_t lines;
    size_t last_use;
    struct fth_gen_program *program;
};

/* What follows takes the place of the template up to `end`. */
static void begin_part(struct assembly *assembly, size_t end)
{
    struct fth_gen_program *program = assembly->program;
    FTH_GROW(program->parts, program->part_count);
    program->parts[program->part_count++] = (struct fth_gen_part){
        .template_begin = assembly->at, .template_end = end, .begin = (size_t)ftello(assembly->to)};
}

static void end_part(struct assembly *assembly)
{
    struct fth_gen_part *part = &assembly->program->parts[assembly->program->part_count - 1];
    part->end = (size_t)ftello(assembly->to);
    assembly->at = part->template_end;
}

/* The template up to `until`, with what has to be put into it on the way. */
static void put_template(struct assembly *assembly, size_t until, uint32_t next_set)
{
    const char *text = assembly->model->hints->text;
    for (uint32_t i = next_set; assembly->uses && i < assembly->model->set_count; i++) {
        size_t use = assembly->uses[i];
        if (!assembly->codes[i] || !*assembly->codes[i] || use < assembly->at || use > until ||
            (use == assembly->last_use && use))
            continue;
        fwrite(text + assembly->at, 1, use - assembly->at, assembly->to);
        fputs("  use fathom_io\n", assembly->to);
        assembly->at = assembly->last_use = use;
        assembly->lines++;
    }
    fwrite(text + assembly->at, 1, until - assembly->at, assembly->to);
    assembly->at = until;
}

static void put_all(struct assembly *assembly, const char *front)
{
    struct fth_gen_model *model = assembly->model;
    bool fortran = model->language == FTH_GEN_FORTRAN;
    put_template(assembly, assembly->front, UINT32_MAX);
    begin_part(assembly, assembly->at);
    fputs(front, assembly->to);
    end_part(assembly);
    for (uint32_t i = 0; i < model->set_count; i++) {
        const struct fth_hint_set *set = model->sets[i].hints;
        put_template(assembly, set->begin, i);
        begin_part(assembly, set->end);
        put_indented(assembly->to, assembly->codes[i], set->indent, fortran, &assembly->lines);
        end_part(assembly);
    }
    put_template(assembly, model->hints->length, UINT32_MAX);
}

char *fth_gen_assembly_text(struct fth_gen_model *model, struct fth_gen_program *program,
                            struct fth_error **error)
{
    const struct fth_hints *hints = model->hints;
    if (!model->session_count) { /* no file: nothing to do */
        char *copy = fth_new(hints->length + 1, 1);
        memcpy(copy, hints->text, hints->length);
        program->length = hints->length;
        return copy;
    }
    struct fth_growing_text text;
    struct assembly assembly = {.model = model, .emitter = emitter_of(model), .program = program};
    assembly.codes = fth_new(model->set_count + 1, sizeof *assembly.codes);
    for (uint32_t i = 0; i < model->set_count; i++)
        assembly.codes[i] = code_of(assembly.emitter, model, &model->sets[i]);
    if (model->language == FTH_GEN_FORTRAN) {
        assembly.uses = fth_new(model->set_count + 1, sizeof *assembly.uses);
        for (uint32_t i = 0; i < model->set_count; i++)
            assembly.uses[i] = unit_of(hints, model->sets[i].hints->begin);
    } else {
        assembly.front = front_of_c(model);
    }
    char *front = front_of(assembly.emitter, model, assembly.codes);
    fth_growing_text_open(&text);
    assembly.to = text.file;
    bool clashes = fth_gen_names_of_program_check(model, front, assembly.codes, error) != 0;
    if (!clashes)
        put_all(&assembly, front);
    fth_growing_text_end(&text);
    free(front);
    for (uint32_t i = 0; i < model->set_count; i++)
        free(assembly.codes[i]);
    free(assembly.codes);
    free(assembly.uses);
    if (clashes) {
        free(text.text);
        return NULL;
    }
    program->length = text.length;
    program->generated_lines = assembly.lines;
    return text.text;
}
