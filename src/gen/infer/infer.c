/* Of each file of the run: its arrays, or why they are not known. Those of one library become the
 * template. */
#include "gen/infer/infer.h"

#include "base/memory.h"
#include "gen/infer/proposal.h"
#include "trace/record/builtin.h"

#include <string.h>

enum { MOST_FILES = 32, LARGE_RUN = 1 << 20 };

/* Bytes of the shortest run of a process in the file. */
static uint64_t shortest_run(const struct fth_gen_layout *layout)
{
    uint64_t shortest = UINT64_MAX;
    for (size_t i = 0; i < layout->access_count; i++) {
        const struct fth_gen_array *array = layout->accesses[i].array;
        for (size_t j = 0; j < array->owned_count; j++) {
            uint64_t run = array->type->bytes;
            bool whole = true;
            for (unsigned k = array->dimensions; k-- > 0 && whole;) {
                run *= (uint64_t)array->owned[j].count[k];
                whole = array->owned[j].count[k] == array->length[k];
            }
            shortest = run < shortest ? run : shortest;
        }
    }
    return shortest;
}

/* The library that suits what the program did. Large runs that it writes by calls of the system
 * gain nothing by MPI-IO, nor does a program of one process. */
static enum fth_gen_library library_of(const struct fth_gen_recorded *recorded,
                                       const struct fth_gen_proposed_file *of)
{
    const struct fth_gen_recorded_file *file = of->file;
    if (!file->has_elements) {
        bool together = fth_layer_is(file->layer, FTH_LAYER_TOGETHER);
        bool large = recorded->ranks == 1 || shortest_run(&of->layout) >= LARGE_RUN;
        return large && !together ? FTH_GEN_POSIX : FTH_GEN_MPIIO;
    }
    for (int i = 0; i < FTH_GEN_LIBRARIES; i++) {
        const char *name = fth_gen_library_name((enum fth_gen_library)i);
        if (!strncmp(name, file->layer, strlen(file->layer)))
            return (enum fth_gen_library)i;
    }
    return FTH_GEN_HDF5;
}

static const char *why_space(const struct fth_gen_recorded_file *file, char **why)
{
    for (uint32_t i = 0; i < file->space_count && !*why; i++) {
        const struct fth_gen_space *space = &file->spaces[i];
        if (space->why)
            *why = fth_text_format("of its array '%s': %s", space->name ? space->name : "?",
                                   space->why);
        else if (file->has_elements && !space->rank && space->item)
            *why = fth_text_copy("it has arrays without dimensions, or of which these are not in "
                                 "the trace");
    }
    return *why;
}

/* What of the path is shown: without the folder in which the program ran. */
static const char *shown_path(const struct fth_gen_recorded *recorded, const char *path)
{
    size_t length = recorded->directory ? strlen(recorded->directory) : 0;
    bool inside = length > 1 && !strncmp(path, recorded->directory, length) && path[length] == '/';
    return inside ? path + length + 1 : path;
}

static char *stem_of(const struct fth_gen_proposed_file *files, size_t count, const char *path)
{
    const char *slash = strrchr(path, '/'), *own = slash ? slash + 1 : path;
    const char *dot = strrchr(own, '.');
    bool ends = dot && dot > own && strspn(dot + 1, "0123456789") < strlen(dot + 1);
    char *part = fth_text_part(own, ends ? (size_t)(dot - own) : strlen(own));
    char *stem = fth_gen_name_from(part);
    free(part);
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(files[i].stem, stem) != 0)
            continue;
        char *longer = fth_text_format("%s_%zu", stem, count + 1);
        free(stem);
        return longer;
    }
    return stem;
}

/* Its arrays; false: they are not known, and *why is set. */
static bool propose(const struct fth_gen_recorded *recorded,
                    const struct fth_gen_recorded_file *file, struct fth_gen_proposed_file *made,
                    char **why)
{
    const char *missing =
        recorded->lacks_calls ? "calls of the run are missing in the trace" : NULL;
    *why = missing || file->why ? fth_text_copy(missing ? missing : file->why) : NULL;
    if (*why || why_space(file, why))
        return false;
    made->rounds = fth_gen_rounds_find(recorded, file);
    if (!made->rounds.why)
        made->layout = fth_gen_layout_make(file, &made->rounds, made->stem);
    const char *found = made->rounds.why ? made->rounds.why : made->layout.why;
    if (found)
        *why = fth_text_copy(found);
    return !found;
}

static void drop(struct fth_gen_proposed_file *file)
{
    fth_gen_rounds_free(&file->rounds);
    fth_gen_layout_free(&file->layout);
    free(file->stem);
}

static void add_file(struct fth_gen_inferred *inferred, const struct fth_gen_recorded_file *file,
                     char *why)
{
    FTH_GROW(inferred->files, inferred->file_count);
    inferred->files[inferred->file_count++] = (struct fth_gen_inferred_file){
        .path = fth_text_copy(file->path), .bytes = file->bytes, .why = why};
}

static void describe(struct fth_gen_inferred_file *to, const struct fth_gen_recorded *recorded,
                     const struct fth_gen_proposed_file *of)
{
    to->variables = fth_new(of->layout.variable_count + 1, sizeof *to->variables);
    for (size_t i = 0; i < of->layout.access_count; i++)
        to->gathered |= of->rounds.rounds[of->layout.accesses[i].round].spread;
    for (uint32_t i = 0; i < of->layout.variable_count; i++) {
        size_t length;
        FILE *text = open_memstream(&to->variables[i], &length);
        if (!text)
            return fth_out_of_memory();
        fth_gen_describe(text, recorded, of, i);
        fclose(text);
        to->variable_count++;
    }
}

/* The library of most bytes of files whose arrays are known. */
static enum fth_gen_library most_used(const struct fth_gen_recorded *recorded,
                                      const struct fth_gen_proposed_file *files, size_t count)
{
    uint64_t bytes[FTH_GEN_LIBRARIES] = {0};
    enum fth_gen_library most = FTH_GEN_POSIX;
    for (size_t i = 0; i < count; i++)
        bytes[library_of(recorded, &files[i])] += files[i].file->bytes;
    for (int i = 0; i < FTH_GEN_LIBRARIES; i++)
        if (bytes[i] > bytes[most])
            most = (enum fth_gen_library)i;
    return most;
}

static void write_text(struct fth_gen_inferred *inferred, const struct fth_gen_recorded *recorded,
                       enum fth_gen_language language, const struct fth_gen_proposed_file *files,
                       size_t count, const struct fth_gen_expectation *expectations,
                       size_t expectation_count)
{
    FILE *text = open_memstream(&inferred->text, &inferred->length);
    if (!text)
        return fth_out_of_memory();
    fth_gen_template_write(text, recorded, inferred->library, language, files, count, expectations,
                           expectation_count);
    fclose(text);
}

/* Generated programs write a text beside each raw file, which is not theirs to choose. */
static bool is_beside(const struct fth_gen_proposed_file *files, size_t count, const char *path)
{
    static const char ending[] = ".layout";
    size_t length = strlen(path), own = sizeof ending - 1;
    for (size_t i = 0; length > own && i < count; i++)
        if (strlen(files[i].file->path) == length - own && !strcmp(path + length - own, ending) &&
            !strncmp(files[i].file->path, path, length - own))
            return true;
    return false;
}

/* Keeps those of one library, as a template has only one, and not too many. */
static size_t keep(struct fth_gen_inferred *inferred, const struct fth_gen_recorded *recorded,
                   struct fth_gen_proposed_file *files, size_t count, enum fth_gen_library library)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const char *why =
            library_of(recorded, &files[i]) != library
                ? "all files of a template have one library, and others have more bytes"
            : is_beside(files, count, files[i].file->path)
                ? "generated programs write such a text themselves, beside the file"
            : kept == MOST_FILES ? "a template has 32 files, and it comes behind those"
                                 : NULL;
        if (why)
            add_file(inferred, files[i].file, fth_text_copy(why));
        else
            files[i].kept = true;
        kept += !why;
    }
    kept = 0;
    for (size_t i = 0; i < count; i++)
        if (files[i].kept)
            files[kept++] = files[i];
        else
            drop(&files[i]);
    return kept;
}

int fth_gen_infer(struct fth_trace *trace, const char *library, const char *language,
                  const struct fth_gen_expectation *expectations, size_t expectation_count,
                  struct fth_gen_inferred *inferred, struct fth_error **error)
{
    struct fth_gen_recorded recorded;
    struct fth_gen_inferred left_out = {0};
    struct fth_gen_proposed_file *files = NULL;
    size_t count = 0;
    *inferred = (struct fth_gen_inferred){0};
    int result = fth_gen_recorded_read(trace, &recorded, error);
    for (size_t i = 0; !result && i < recorded.file_count; i++) {
        const struct fth_gen_recorded_file *file = &recorded.files[i];
        char *why;
        if (!file->reads && !file->writes && !file->why)
            continue;
        FTH_GROW(files, count);
        files[count] = (struct fth_gen_proposed_file){.file = file,
                                                      .shown = shown_path(&recorded, file->path),
                                                      .stem = stem_of(files, count, file->path)};
        if (propose(&recorded, file, &files[count], &why)) {
            count++;
            continue;
        }
        drop(&files[count]);
        add_file(&left_out, file, why);
    }
    enum fth_gen_library used = most_used(&recorded, files, count);
    count = keep(&left_out, &recorded, files, count, used);
    inferred->processes = recorded.ranks;
    inferred->library = library ? library : fth_gen_library_name(used);
    for (size_t i = 0; i < count; i++) {
        add_file(inferred, files[i].file, NULL);
        describe(&inferred->files[i], &recorded, &files[i]);
    }
    if (count)
        write_text(inferred, &recorded, fth_gen_language_named(language), files, count,
                   expectations, expectation_count);
    for (size_t i = 0; i < left_out.file_count; i++) {
        FTH_GROW(inferred->files, inferred->file_count);
        inferred->files[inferred->file_count++] = left_out.files[i];
    }
    free(left_out.files);
    for (size_t i = 0; i < count; i++)
        drop(&files[i]);
    free(files);
    fth_gen_recorded_free(&recorded);
    return result;
}

void fth_gen_inferred_remark(struct fth_gen_inferred *inferred, const char *language,
                             const char *text)
{
    char *longer = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&longer, &length);
    if (!to)
        return fth_out_of_memory();
    fth_gen_remark(to, text, fth_gen_language_named(language) == FTH_GEN_FORTRAN);
    fwrite(inferred->text, 1, inferred->length, to);
    fclose(to);
    free(inferred->text);
    inferred->text = longer;
    inferred->length = length;
}

void fth_gen_inferred_free(struct fth_gen_inferred *inferred)
{
    for (size_t i = 0; i < inferred->file_count; i++) {
        struct fth_gen_inferred_file *file = &inferred->files[i];
        for (size_t j = 0; j < file->variable_count; j++)
            free(file->variables[j]);
        free(file->variables);
        free(file->path);
        free(file->why);
    }
    free(inferred->files);
    free(inferred->text);
    *inferred = (struct fth_gen_inferred){0};
}
