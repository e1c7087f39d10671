/* From a trace to the files of a program: reads its processes, puts those alike together, fits
 * their numbers and writes. */
#include "proxy/proxy.h"

#include "base/memory.h"
#include "model/reading/trace_functions.h"
#include "proxy/body_fit.h"
#include "proxy/proxy_files.h"

#include <errno.h>
#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

struct making {
    struct fth_trace *trace;
    const struct fth_proxy_settings *settings;
    struct fth_proxy_summary *summary;
    struct fth_proxy_process *processes; /* in order of ranks */
    size_t process_count;
    size_t others; /* processes that are not repeated */
    bool in_mpi;
    struct fth_body start; /* until the rank is known; without members: there is none */
    struct fth_body *bodies;
    size_t body_count;
    struct fth_needed_files needed;
    struct fth_writing writing;
    struct fth_program_files files;
};

void fth_proxy_summary_free(struct fth_proxy_summary *summary)
{
    free(summary->left_out);
}

/* ---- which processes ---- */

static int64_t first_world(const struct fth_trace *trace)
{
    for (size_t i = 0; i < fth_trace_process_count(trace); i++) {
        const struct fth_process *process = fth_trace_process(trace, i);
        if (process->world != FTH_NO_WORLD && process->rank != FTH_NO_RANK && process->mpi)
            return process->world;
    }
    return FTH_NO_WORLD;
}

static void add_process(struct making *making, size_t proc, int64_t rank)
{
    FTH_GROW(making->processes, making->process_count);
    making->processes[making->process_count++] =
        (struct fth_proxy_process){.proc = proc, .rank = rank};
}

static int by_rank(const void *left, const void *right)
{
    const struct fth_proxy_process *one = left, *other = right;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

/* The ranks of the first world; without MPI the process with the most calls. */
static int choose_processes(struct making *making, struct fth_error **error)
{
    int64_t world = first_world(making->trace);
    size_t best = SIZE_MAX;
    making->in_mpi = world != FTH_NO_WORLD;
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++) {
        const struct fth_process *process = fth_trace_process(making->trace, i);
        if (making->in_mpi && process->world == world && process->rank >= 0 && process->mpi)
            add_process(making, i, process->rank);
        if (!making->in_mpi && !process->launcher &&
            (best == SIZE_MAX || process->calls > fth_trace_process(making->trace, best)->calls))
            best = i;
    }
    if (best != SIZE_MAX)
        add_process(making, best, 0);
    for (size_t i = 0; i < fth_trace_process_count(making->trace); i++)
        making->others += !fth_trace_process(making->trace, i)->launcher;
    making->others -= making->process_count;
    if (!making->process_count)
        return fth_fail(error, "the trace has no process to make a program of");
    qsort(making->processes, making->process_count, sizeof *making->processes, by_rank);
    for (size_t i = 0; i < making->process_count && making->in_mpi; i++)
        if (making->processes[i].rank != (int64_t)i)
            return fth_fail(error,
                            "rank %zu is missing in the trace, or is several processes: that "
                            "cannot be made a program",
                            i);
    return 0;
}

static int check_complete(const struct making *making, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count; i++) {
        size_t proc = making->processes[i].proc;
        const struct fth_process *process = fth_trace_process(making->trace, proc);
        if (process->lost || process->missing.calls || process->missing.uncounted)
            return fth_fail(error,
                            "process %zu: calls of it are missing in the trace (see `fathom "
                            "info`): a program of it would do less than the run did",
                            proc);
        if (process->summed)
            return fth_fail(error,
                            "process %zu: some of its calls are only in sums: record without "
                            "--budget",
                            proc);
    }
    return 0;
}

/* ---- reading ---- */

static int read_processes(struct making *making, bool split, struct fth_error **error)
{
    uint64_t calls = 0;
    for (size_t i = 0; i < making->process_count; i++) {
        if (fth_proxy_read_process(&making->processes[i], making->trace, split, making->summary,
                                   error))
            return -1;
        calls += making->processes[i].calls;
    }
    making->summary->calls = calls;
    if (!calls)
        return fth_fail(error,
                        "the trace has no calls that a program could repeat: they are outermost "
                        "calls of MPI, or on files of the program's own");
    return 0;
}

/* Do all ranks do the same until they know who they are? */
static bool start_alike(const struct making *making)
{
    const struct fth_proxy_process *first = &making->processes[0];
    for (size_t i = 0; i < making->process_count; i++) {
        const struct fth_proxy_process *process = &making->processes[i];
        if (!process->rank_known ||
            !fth_sequence_is_like(first, &first->start, process, &process->start))
            return false;
        for (uint32_t k = 0; k < process->start.symbols.count; k++) {
            uint32_t count = fth_statement_form(process, &process->start, k)->form.number_count;
            if (memcmp(process->start.statements[k].first, first->start.statements[k].first,
                       count * sizeof(int64_t)))
                return false;
        }
    }
    return true;
}

static int see_files(struct making *making, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count; i++) {
        struct fth_proxy_calls kept;
        int more =
            fth_kept_calls_open(&kept, making->trace, making->processes[i].proc, NULL, error);
        if (more < 0)
            return -1;
        while ((more = fth_kept_calls_next(&kept, error)) == 1)
            fth_needed_files_see(&making->needed, &kept);
        fth_kept_calls_close(&kept);
        if (more < 0)
            return -1;
    }
    return 0;
}

/* ---- bodies ---- */

static void add_member(struct fth_body *body, struct fth_proxy_process *process)
{
    FTH_GROW(body->members, body->member_count);
    body->members[body->member_count++] = process;
}

static void group(struct making *making, struct fth_proxy_process *process)
{
    if (!process->rest.grammar)
        return;
    for (size_t i = 0; i < making->body_count; i++) {
        const struct fth_proxy_process *other = making->bodies[i].members[0];
        if (fth_sequence_is_like(other, &other->rest, process, &process->rest)) {
            add_member(&making->bodies[i], process);
            return;
        }
    }
    FTH_GROW(making->bodies, making->body_count);
    making->bodies[making->body_count] = (struct fth_body){0};
    add_member(&making->bodies[making->body_count++], process);
}

static int make_body(struct making *making, struct fth_body *body, struct fth_error **error)
{
    if (fth_body_build(body, error) || fth_body_fit(body, making->trace, error))
        return -1;
    making->summary->statements += fth_body_sequence(body, 0)->symbols.count;
    return 0;
}

static int make_bodies(struct making *making, bool has_start, struct fth_error **error)
{
    for (size_t i = 0; i < making->process_count; i++) {
        if (has_start)
            add_member(&making->start, &making->processes[i]);
        group(making, &making->processes[i]);
    }
    making->start.is_start = true;
    if (has_start && make_body(making, &making->start, error))
        return -1;
    for (size_t i = 0; i < making->body_count; i++)
        if (make_body(making, &making->bodies[i], error))
            return -1;
    making->summary->groups = making->body_count;
    making->summary->processes = making->process_count;
    making->summary->others = making->others;
    return 0;
}

/* ---- what the program declares ---- */

static void declare_field(struct fth_writing *writing, const struct fth_field *field)
{
    if (field->class_index < 0)
        return;
    writing->classes = fth_reach(writing->classes, &writing->class_limit,
                                 (uint32_t)field->class_index, sizeof *writing->classes);
    struct fth_written_class *of = &writing->classes[field->class_index];
    if (of->type)
        return;
    fth_form_class(field, of->name);
    const char *type = field->type;
    if (!strncmp(type, "const ", 6))
        type += 6;
    size_t length = strlen(type);
    bool is_pointer = length && type[length - 1] == '*' && !field->array;
    bool is_opaque = !strncmp(type, "FILE", 4) || !strncmp(type, "DIR", 3);
    if (is_pointer && !is_opaque)
        length--;
    while (length && type[length - 1] == ' ')
        length--;
    of->type = fth_text_part(type, length);
}

static void declare(struct making *making)
{
    struct fth_writing *writing = &making->writing;
    for (size_t i = 0; i < making->process_count; i++) {
        const struct fth_proxy_process *process = &making->processes[i];
        for (uint32_t k = 0; k < process->forms.count; k++) {
            const struct fth_row *row = process->known[k].form.row;
            fth_intern(&writing->used, row->layer, strlen(row->layer));
            fth_intern(&writing->used, row->kind, strlen(row->kind));
            for (size_t field = 0; field < row->field_count; field++)
                declare_field(writing, &row->fields[field]);
            declare_field(writing, &row->result);
        }
        for (uint32_t k = 0; k < process->variable_classes && k < writing->class_limit; k++)
            if (process->variables[k].most > writing->classes[k].most)
                writing->classes[k].most = process->variables[k].most;
        if (process->bytes > writing->buffer_bytes)
            writing->buffer_bytes = process->bytes;
        if (making->in_mpi && process->rank >= writing->rank_count)
            writing->rank_count = process->rank + 1;
    }
    if (writing->buffer_bytes < 4096)
        writing->buffer_bytes = 4096;
}

/* ---- the main function ---- */

static bool is_range(const struct fth_body *body)
{
    int64_t first = body->members[0]->rank;
    return body->members[body->member_count - 1]->rank - first + 1 == (int64_t)body->member_count;
}

static void put_condition(struct making *making, const struct fth_body *body, size_t number)
{
    FILE *to = making->writing.main.file;
    int64_t first = body->members[0]->rank, last = body->members[body->member_count - 1]->rank;
    if (body->member_count == 1)
        fprintf(to, "rank == %" PRId64, first);
    else if (is_range(body) && !first)
        fprintf(to, "rank <= %" PRId64, last);
    else if (is_range(body))
        fprintf(to, "rank >= %" PRId64 " && rank <= %" PRId64, first, last);
    else {
        making->writing.needs |= FTH_NEEDS_RANKS;
        fprintf(to, "group_of[rank] == %zu", number);
    }
}

/* A table says which group a rank is in, where ranges do not. */
static void put_groups(struct making *making)
{
    bool ranges = true;
    for (size_t i = 0; i < making->body_count; i++)
        ranges = ranges && is_range(&making->bodies[i]);
    if (ranges)
        return;
    FILE *to = making->writing.tables.file;
    fputs("static const int group_of[] = {", to);
    for (size_t i = 0, rank = 0; i < making->process_count; i++, rank++) {
        size_t of = 0;
        for (size_t k = 0; k < making->body_count; k++)
            for (size_t m = 0; m < making->bodies[k].member_count; m++)
                if (making->bodies[k].members[m] == &making->processes[i])
                    of = k;
        fprintf(to, "%s%zu", rank ? ", " : "", of);
    }
    fputs("};\n", to);
}

/* The largest group is that of all other ranks, so that there may be more of them. */
static size_t largest_group(const struct making *making)
{
    size_t largest = 0;
    for (size_t i = 1; i < making->body_count; i++)
        if (making->bodies[i].member_count >= making->bodies[largest].member_count)
            largest = i;
    return largest;
}

static void put_bodies(struct making *making)
{
    struct fth_writing *writing = &making->writing;
    FILE *to = writing->main.file;
    size_t last = largest_group(making);
    if (making->body_count == 1) {
        fth_proxy_write_body(writing, &making->bodies[0], to, 1);
        return;
    }
    for (size_t i = 0; i < making->body_count; i++) {
        const struct fth_body *body = &making->bodies[i];
        struct fth_growing_text text;
        fth_growing_text_open(&text);
        fth_proxy_write_body(writing, body, text.file, 1);
        fth_growing_text_end(&text);
        fprintf(writing->functions.file, "\nstatic void run_as_rank_%" PRId64 "(void)\n{\n%s}\n",
                body->members[0]->rank, text.text);
        free(text.text);
    }
    const char *before = "    ";
    put_groups(making);
    for (size_t i = 0; i < making->body_count; i++) {
        if (i == last)
            continue;
        fprintf(to, "%sif (", before);
        put_condition(making, &making->bodies[i], i);
        fprintf(to, ")\n        run_as_rank_%" PRId64 "();\n", making->bodies[i].members[0]->rank);
        before = "    else ";
    }
    fprintf(to, "    else\n        run_as_rank_%" PRId64 "();\n",
            making->bodies[last].members[0]->rank);
}

/* The loop of the program itself in which most calls are made. */
static uint64_t weigh(const struct fth_body *body, const struct fth_item *item)
{
    uint64_t weight = 0;
    if (item->kind == FTH_ITEM_STATEMENT)
        weight = 1;
    const struct fth_item *block =
        item->kind == FTH_ITEM_CALL ? &body->functions[item->number].root : item;
    for (uint32_t i = 0; i < block->item_count; i++)
        weight += weigh(body, &block->items[i]);
    return weight > UINT64_MAX / item->times ? UINT64_MAX : weight * item->times;
}

static void find_steps(struct making *making)
{
    uint64_t most = 0;
    for (size_t i = 0; i < making->body_count; i++) {
        const struct fth_body *body = &making->bodies[i];
        const struct fth_item *root = &body->functions[0].root;
        for (uint32_t k = 0; k < root->item_count; k++) {
            uint64_t weight = weigh(body, &root->items[k]);
            if (root->items[k].times > 1 && weight > most) {
                most = weight;
                making->writing.steps = root->items[k].times;
            }
        }
    }
}

static void mark_rank(struct making *making)
{
    struct fth_proxy_process *process = making->start.members[0];
    for (uint32_t i = 0; i < process->forms.count; i++)
        if (fth_form_asks_rank(&process->known[i].form))
            process->known[i].form.arguments[1].written = FTH_WRITTEN_RANK;
}

static void write_texts(struct making *making)
{
    struct fth_writing *writing = &making->writing;
    writing->trace = making->trace;
    writing->settings = making->settings;
    fth_growing_text_open(&writing->functions);
    fth_growing_text_open(&writing->main);
    fth_growing_text_open(&writing->tables);
    fth_growing_text_open(&writing->declarations);
    declare(making);
    find_steps(making);
    if (making->start.member_count) {
        mark_rank(making);
        fth_proxy_write_body(writing, &making->start, writing->main.file, 1);
        fputs("    rank = own_rank;\n", writing->main.file);
    }
    size_t before = (size_t)ftell(writing->main.file);
    put_bodies(making);
    fth_growing_text_end(&writing->functions);
    fth_growing_text_end(&writing->main);
    fth_growing_text_end(&writing->tables);
    fth_growing_text_end(&writing->declarations);
    if (writing->needs & FTH_NEEDS_RANKS && before) {
        char *text = fth_text_format(
            "%.*s    CHECK(rank < %" PRId64 " && \"tables.h has no numbers for more ranks\");\n%s",
            (int)before, writing->main.text, writing->rank_count, writing->main.text + before);
        free(writing->main.text);
        writing->main.text = text;
        writing->needs |= FTH_NEEDS_CHECK;
    }
    fth_proxy_write_files(writing, &making->needed,
                          fth_trace_process(making->trace, making->processes[0].proc)->directory,
                          making->summary, &making->files);
}

/* ---- files ---- */

static int make_folder(const char *path, struct fth_error **error)
{
    if (mkdir(path, 0777) == 0)
        return 0;
    if (errno != EEXIST)
        return fth_fail_errno(error, "cannot make the folder '%s'", path);
    DIR *folder = opendir(path);
    if (!folder)
        return fth_fail_errno(error, "cannot open the folder '%s'", path);
    bool empty = true;
    for (struct dirent *entry; (entry = readdir(folder));)
        empty = empty && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."));
    closedir(folder);
    return empty ? 0
                 : fth_fail(error,
                            "the folder '%s' is not empty: nothing in it is replaced; name "
                            "another one",
                            path);
}

static int write_file(const char *folder, const char *name, const char *text, mode_t mode,
                      struct fth_error **error)
{
    if (!text)
        return 0;
    char *path = fth_text_format("%s/%s", folder, name);
    FILE *file = fopen(path, "wx");
    bool wrong = !file || fputs(text, file) < 0;
    if (file)
        wrong = fclose(file) != 0 || wrong;
    if (!wrong && mode)
        wrong = chmod(path, mode) != 0;
    int result = wrong ? fth_fail_errno(error, "cannot write '%s'", path) : 0;
    free(path);
    return result;
}

static int write_files(struct making *making, struct fth_error **error)
{
    const struct fth_program_files *files = &making->files;
    const char *folder = making->settings->folder;
    if (make_folder(folder, error) || write_file(folder, "proxy.c", files->source, 0, error) ||
        write_file(folder, "tables.h", files->tables, 0, error) ||
        write_file(folder, "CMakeLists.txt", files->cmake, 0, error) ||
        write_file(folder, "prepare.sh", files->prepare, 0755, error))
        return -1;
    for (const char *at = files->source; (at = strchr(at, '\n')); at++)
        making->summary->lines++;
    making->summary->prepares = files->prepare != NULL;
    making->summary->with_mpi = making->in_mpi;
    return 0;
}

static int make(struct making *making, struct fth_error **error)
{
    if (choose_processes(making, error) || check_complete(making, error) ||
        read_processes(making, making->in_mpi, error))
        return -1;
    bool has_start = making->in_mpi && start_alike(making);
    if (making->in_mpi && !has_start)
        return fth_fail(error, "the ranks do not ask for their rank in MPI_COMM_WORLD at the "
                               "beginning, all alike: that cannot be made a program yet");
    if (see_files(making, error) || make_bodies(making, has_start, error))
        return -1;
    write_texts(making);
    return write_files(making, error);
}

static void free_making(struct making *making)
{
    for (size_t i = 0; i < making->process_count; i++)
        fth_proxy_process_free(&making->processes[i]);
    free(making->processes);
    fth_body_free(&making->start);
    for (size_t i = 0; i < making->body_count; i++)
        fth_body_free(&making->bodies[i]);
    free(making->bodies);
    fth_needed_files_free(&making->needed);
    struct fth_writing *writing = &making->writing;
    free(writing->functions.text);
    free(writing->main.text);
    free(writing->tables.text);
    free(writing->declarations.text);
    for (uint32_t i = 0; i < writing->class_limit; i++)
        free(writing->classes[i].type);
    free(writing->classes);
    fth_intern_free(&writing->anonymous);
    fth_intern_free(&writing->used);
    free(making->files.source);
    free(making->files.tables);
    free(making->files.cmake);
    free(making->files.prepare);
}

int fth_proxy_write(struct fth_trace *trace, const struct fth_proxy_settings *settings,
                    struct fth_proxy_summary *summary, struct fth_error **error)
{
    struct making making = {.trace = trace, .settings = settings, .summary = summary};
    *summary = (struct fth_proxy_summary){0};
    int result = make(&making, error);
    free_making(&making);
    return result;
}
