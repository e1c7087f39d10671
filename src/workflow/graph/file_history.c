/* Goes through all that steps did to files, in order of time. A name stands for a content, which
 * renaming gives another name, and making anew replaces. Who reads a content needs those who wrote
 * these bytes of it last. */
#include "workflow/graph/file_history.h"

#include "base/memory.h"
#include "workflow/graph/folder_renames.h"

#include <string.h>

/* At one time, names change first, then files are written, then read. */
enum moment_kind { CHANGE, WRITE, READ, READ_END };

struct moment {
    int64_t time;
    enum moment_kind kind;
    uint32_t number; /* of the change, or of the use */
};

struct writer {
    uint32_t step, use;
    uint64_t from, to, bytes;
    int64_t first, last;
};

struct reader {
    uint32_t step, use, file; /* file: the name that it read it by */
    uint64_t from, to;
};

struct version { /* of a file: a content with its writers, in order of their first writes */
    uint32_t writer_count, reader_count;
    uint32_t names;  /* that it has, as far as they were seen to be made */
    uint32_t linked; /* the file that is its name of the last link */
    int64_t renamed; /* when it got another name last; FTH_NEVER: never */
    int64_t joined;  /* when it got one more name last (link); likewise */
    uint32_t maker;  /* the use that made it without writing to it; FTH_NO_STEP: none */
    struct writer *writers;
    struct reader *readers; /* one that reads several times in a row is there once */
};

enum {
    MOST_CONFLICTS = 64, /* writers, or readers, that a change is held against: the last */
    MOST_USERS = 1024, /* writers, or readers, of a content that a step is held against: the last */
    ANY_NAME = UINT32_MAX
};

struct tracing {
    const struct fth_workflow *workflow;
    struct fth_workflow_graph *graph;
    uint32_t *contents;       /* by file: number of its content + 1; 0: none yet */
    uint32_t *namers;         /* by file: the step that gave its content this name + 1; or 0 */
    uint32_t *read_namers;    /* by use that reads: that of its file when it began; or 0 */
    struct fth_keyed folders; /* by name that was given: by which step + 1, as uint32_t; or 0 */
    bool *is_link;            /* by file: it is a symbolic link */
    struct version *versions; /* by content */
};

/* ---- contents ---- */

static uint32_t new_content(struct tracing *tracing, uint32_t file)
{
    struct fth_workflow_graph *graph = tracing->graph;
    if ((graph->content_count & (graph->content_count - 1)) == 0) {
        size_t room = graph->content_count ? (size_t)graph->content_count * 2 : 1;
        tracing->versions = fth_resize(tracing->versions, room, sizeof *tracing->versions);
    }
    FTH_GROW(graph->contents, graph->content_count);
    const char *name = fth_workflow_file(tracing->workflow, file);
    graph->contents[graph->content_count] = (struct fth_workflow_content){
        .file = file,
        .writer = FTH_NO_STEP,
        .reader = FTH_NO_STEP,
        .complete = FTH_NEVER,
        .first_read = FTH_NEVER,
        .last_read = FTH_NEVER,
        .pipe = !strncmp(name, "pipe:", 5),
    };
    tracing->versions[graph->content_count] = (struct version){
        .names = 1, .renamed = FTH_NEVER, .joined = FTH_NEVER, .maker = FTH_NO_STEP};
    tracing->namers[file] = 0;
    tracing->contents[file] = ++graph->content_count;
    return graph->content_count - 1;
}

static uint32_t content_of(struct tracing *tracing, uint32_t file)
{
    return tracing->contents[file] ? tracing->contents[file] - 1 : new_content(tracing, file);
}

static void add_flow(struct tracing *tracing, uint32_t from, uint32_t to, uint32_t content,
                     uint64_t bytes)
{
    struct fth_workflow_graph *graph = tracing->graph;
    if (from == to || from == FTH_NO_STEP)
        return;
    FTH_GROW(graph->flows, graph->flow_count);
    graph->flows[graph->flow_count++] = (struct fth_workflow_flow){from, to, content, bytes};
}

static uint32_t last_few(uint32_t count)
{
    return count > MOST_USERS ? count - MOST_USERS : 0;
}

/* Who wrote to it last, or made it; FTH_NO_STEP: it was there before. */
static uint32_t last_writer(const struct tracing *tracing, const struct version *version)
{
    return version->writer_count           ? version->writers[version->writer_count - 1].step
           : version->maker != FTH_NO_STEP ? tracing->workflow->uses[version->maker].step
                                           : FTH_NO_STEP;
}

/* Who takes a name of a file away, or replaces what is in it, comes behind the one that wrote it
 * last, and behind those that read it by that name. */
static void come_behind_users(struct tracing *tracing, uint32_t content, uint32_t step,
                              uint32_t file)
{
    const struct version *version = &tracing->versions[content];
    add_flow(tracing, last_writer(tracing, version), step, content, 0);
    for (uint32_t i = last_few(version->reader_count); i < version->reader_count; i++)
        if (file == ANY_NAME || version->readers[i].file == file)
            add_flow(tracing, version->readers[i].step, step, content, 0);
}

/* Who changes bytes in place comes behind those that wrote or read them. Those who append to a file
 * may do so in any order. */
static void come_behind_bytes(struct tracing *tracing, uint32_t content,
                              const struct fth_workflow_use *use)
{
    const struct version *version = &tracing->versions[content];
    if (tracing->graph->contents[content].pipe)
        return;
    for (uint32_t i = version->writer_count, low = last_few(i); i-- > low;) {
        const struct writer *writer = &version->writers[i];
        if (writer->to == UINT64_MAX || use->written_to == UINT64_MAX ||
            writer->from >= use->written_to || writer->to <= use->written_from)
            continue;
        add_flow(tracing, writer->step, use->step, content, 0);
        break;
    }
    for (uint32_t i = last_few(version->reader_count); i < version->reader_count; i++) {
        const struct reader *reader = &version->readers[i];
        if (reader->from < use->written_to && reader->to > use->written_from)
            add_flow(tracing, reader->step, use->step, content, 0);
    }
}

/* A file that has no name any more is gone. */
static void take_name(struct tracing *tracing, uint32_t file, uint32_t step)
{
    uint32_t content = tracing->contents[file] - 1;
    struct version *version = &tracing->versions[content];
    version->names -= version->names > 0;
    come_behind_users(tracing, content, step, version->names ? file : ANY_NAME);
    tracing->contents[file] = tracing->namers[file] = 0;
    struct fth_workflow_content *facts = &tracing->graph->contents[content];
    facts->deleted = !version->names;
    if (version->names && facts->file == file && tracing->contents[version->linked] == content + 1)
        facts->file = version->linked;
}

/* ---- names ---- */

/* What is below a folder has its name of the step that gave the folder its own. */
static void note_folder(struct tracing *tracing, uint32_t file, uint32_t namer)
{
    const char *name = fth_workflow_file(tracing->workflow, file);
    size_t length = fth_workflow_folder_length(name);
    if (namer || fth_keyed_has(&tracing->folders, name, length))
        *(uint32_t *)fth_keyed_get(&tracing->folders, name, length) = namer;
}

/* Of the folder that is next above a file. */
static uint32_t namer_above(const struct tracing *tracing, uint32_t file)
{
    const char *name = fth_workflow_file(tracing->workflow, file), *slash;
    size_t length = strlen(name);
    uint32_t at, namer = 0;
    while (!namer && (slash = memrchr(name, '/', length))) {
        length = (size_t)(slash - name);
        if (fth_keyed_number(&tracing->folders, name, length, &at))
            namer = *(const uint32_t *)fth_keyed_item(&tracing->folders, at);
    }
    return namer;
}

/* A step that gave a file the name that it is read by is needed. What nobody was seen to write may
 * have come with its folder. */
static void begin_reading(struct tracing *tracing, uint32_t of_use)
{
    uint32_t file = tracing->workflow->uses[of_use].file;
    bool is_new = !tracing->contents[file];
    tracing->graph->moved[of_use].read = content_of(tracing, file);
    if (is_new && fth_keyed_count(&tracing->folders))
        tracing->namers[file] = namer_above(tracing, file);
    tracing->read_namers[of_use] = tracing->namers[file];
}

/* A symbolic link goes with its name. Was it one before? */
static bool move_link(struct tracing *tracing, const struct fth_workflow_change *change)
{
    bool was_link = tracing->is_link[change->file];
    tracing->is_link[change->file] =
        change->kind == FTH_CHANGE_POINT || (was_link && change->kind == FTH_CHANGE_LINK);
    if (fth_workflow_has_other(change->kind))
        tracing->is_link[change->other] = was_link;
    if (was_link && fth_workflow_has_other(change->kind) && tracing->contents[change->other])
        take_name(tracing, change->other, change->step);
    return was_link;
}

/* Who gives a file another name needs whoever wrote it last, and is needed by who reads it by that
 * name. */
static void give_name(struct tracing *tracing, const struct fth_workflow_change *change)
{
    uint32_t content = content_of(tracing, change->file);
    if (tracing->contents[change->other] == content + 1)
        return; /* two names of one file: nothing happens */
    if (tracing->contents[change->other])
        take_name(tracing, change->other, change->step);
    struct version *version = &tracing->versions[content];
    add_flow(tracing, last_writer(tracing, version), change->step, content, 0);
    if (tracing->namers[change->file])
        add_flow(tracing, tracing->namers[change->file] - 1, change->step, content, 0);
    tracing->contents[change->other] = content + 1;
    tracing->namers[change->other] = change->step + 1;
    if (change->kind == FTH_CHANGE_RENAME) {
        version->renamed = change->time;
        tracing->graph->contents[content].file = change->other;
        tracing->contents[change->file] = tracing->namers[change->file] = 0;
        return;
    }
    version->joined = change->time;
    version->names++;
    version->linked = change->other;
}

static void change_name(struct tracing *tracing, const struct fth_workflow_change *change)
{
    if (change->of_folder && !tracing->contents[change->file] && !tracing->is_link[change->file])
        return;
    if (change->kind == FTH_CHANGE_RENAME && !change->of_folder)
        note_folder(tracing, change->other, change->step + 1);
    if (change->kind != FTH_CHANGE_LINK)
        note_folder(tracing, change->file, 0);
    if (move_link(tracing, change) || change->kind == FTH_CHANGE_POINT)
        return;
    if (change->kind != FTH_CHANGE_DELETE) {
        give_name(tracing, change);
        return;
    }
    content_of(tracing, change->file);
    take_name(tracing, change->file, change->step);
}

static bool others_wrote(const struct tracing *tracing, const struct version *version,
                         uint32_t step)
{
    if (version->maker != FTH_NO_STEP && tracing->workflow->uses[version->maker].step != step)
        return true;
    for (uint32_t i = 0; i < version->writer_count; i++)
        if (version->writers[i].step != step)
            return true;
    return false;
}

static void add_conflict(struct tracing *tracing, enum fth_workflow_hazard hazard, uint32_t first,
                         uint32_t second, uint32_t content)
{
    struct fth_workflow_graph *graph = tracing->graph;
    const struct fth_workflow_use *uses = tracing->workflow->uses;
    if (uses[first].step == uses[second].step || graph->contents[content].pipe)
        return;
    FTH_GROW(graph->passings, graph->passing_count);
    graph->passings[graph->passing_count++] =
        (struct fth_workflow_passing){hazard, first, second, content, 0, false, false};
}

/* To those that read a file, any change may matter: where it ends is read, too. */
static void add_conflicts(struct tracing *tracing, uint32_t content, uint32_t of_use)
{
    const struct version *version = &tracing->versions[content];
    const struct fth_workflow_use *use = &tracing->workflow->uses[of_use];
    uint32_t writer = version->writer_count, reader = version->reader_count;
    if (writer > MOST_CONFLICTS || reader > MOST_CONFLICTS)
        tracing->graph->contents[content].crowded = true;
    writer = writer > MOST_CONFLICTS ? writer - MOST_CONFLICTS : 0;
    reader = reader > MOST_CONFLICTS ? reader - MOST_CONFLICTS : 0;
    for (uint32_t i = writer; i < version->writer_count; i++)
        if (use->fresh || (version->writers[i].from < use->written_to &&
                           version->writers[i].to > use->written_from))
            add_conflict(tracing, FTH_PASSING_OVERWRITE, version->writers[i].use, of_use, content);
    for (uint32_t i = reader; i < version->reader_count; i++)
        add_conflict(tracing, FTH_PASSING_CHANGE, version->readers[i].use, of_use, content);
}

/* In another order, what was written to the old content would be in the new one. */
static void add_old_writers(struct tracing *tracing, uint32_t old, uint32_t content,
                            uint32_t of_use)
{
    const struct version *version = &tracing->versions[old];
    uint32_t count = version->writer_count;
    tracing->graph->contents[content].crowded = count > MOST_CONFLICTS;
    for (uint32_t i = count > MOST_CONFLICTS ? count - MOST_CONFLICTS : 0; i < count; i++)
        add_conflict(tracing, FTH_PASSING_OVERWRITE, version->writers[i].use, of_use, content);
}

/* A shell opens a file for its children: it is they who write to it. */
static bool only_makes(const struct fth_workflow_use *use)
{
    return use->fresh && !use->written && !use->written_to;
}

/* Nobody wrote to what was made: its maker is all there is. */
static void count_maker(struct tracing *tracing, uint32_t number)
{
    struct fth_workflow_content *content = &tracing->graph->contents[number];
    uint32_t maker = tracing->versions[number].maker;
    if (maker == FTH_NO_STEP || content->writers)
        return;
    content->writers = 1;
    content->writer = tracing->workflow->uses[maker].step;
    content->complete = tracing->workflow->uses[maker].last_write;
    tracing->graph->moved[maker].written = number;
    tracing->graph->moved[maker].written_version = 1;
}

static void write_to(struct tracing *tracing, uint32_t of_use)
{
    const struct fth_workflow_use *use = &tracing->workflow->uses[of_use];
    struct fth_workflow_moved *moved = &tracing->graph->moved[of_use];
    if (tracing->is_link[use->file])
        return; /* an open that led elsewhere */
    uint32_t number = content_of(tracing, use->file);
    bool was_read = tracing->graph->contents[number].readers > 0;
    add_conflicts(tracing, number, of_use);
    if (!use->fresh) {
        come_behind_bytes(tracing, number, use);
    } else if (was_read || others_wrote(tracing, &tracing->versions[number], use->step)) {
        come_behind_users(tracing, number, use->step, ANY_NAME);
        uint32_t old = number;
        number = new_content(tracing, use->file);
        add_old_writers(tracing, old, number, of_use);
    }
    struct fth_workflow_content *content = &tracing->graph->contents[number];
    struct version *version = &tracing->versions[number];
    if (only_makes(use) && !version->writer_count) {
        version->maker = of_use;
        return;
    }
    bool same =
        version->writer_count && version->writers[version->writer_count - 1].step == use->step;
    content->writers += !same;
    if (content->writer == FTH_NO_STEP)
        content->writer = use->step;
    moved->written = number;
    moved->written_version = content->writers;
    content->written += use->written;
    if (use->last_write > content->complete)
        content->complete = use->last_write;
    FTH_GROW(version->writers, version->writer_count);
    version->writers[version->writer_count++] =
        (struct writer){use->step,    of_use,           use->written_from, use->written_to,
                        use->written, use->first_write, use->last_write};
}

/* ---- reading ---- */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Numbers of pipes come again after a restart of a node: steps of two traces had the same pipe only
 * if they ran at the same time. */
static bool may_share_pipe(const struct fth_workflow *workflow, uint32_t one, uint32_t other)
{
    const struct fth_workflow_step *a = &workflow->steps[one], *b = &workflow->steps[other];
    return !strcmp(a->trace, b->trace) || (a->start <= b->end && b->start <= a->end);
}

static void add_passing(struct tracing *tracing, const struct writer *writer, uint32_t of_use,
                        uint32_t content, uint64_t bytes)
{
    struct fth_workflow_graph *graph = tracing->graph;
    const struct fth_workflow_use *use = &tracing->workflow->uses[of_use];
    int64_t from = writer->last, to = use->first_read;
    const struct version *version = &tracing->versions[content];
    bool other_name = tracing->workflow->uses[writer->use].file != use->file;
    if (writer->step == use->step || graph->contents[content].pipe)
        return;
    FTH_GROW(graph->passings, graph->passing_count);
    graph->passings[graph->passing_count++] = (struct fth_workflow_passing){
        FTH_PASSING_READ,
        writer->use,
        of_use,
        content,
        bytes,
        version->renamed >= from && version->renamed <= to,
        other_name && version->joined >= from && version->joined <= to};
}

/* Takes from the last writer to the first what each of them wrote of what is read. */
static void hold_against_writers(struct tracing *tracing, uint32_t of_use, uint32_t content)
{
    const struct fth_workflow_use *use = &tracing->workflow->uses[of_use];
    const struct version *version = &tracing->versions[content];
    uint64_t from = use->read_from, to = use->read_to;
    uint32_t lowest = last_few(version->writer_count);
    for (uint32_t i = version->writer_count; i-- > lowest && from < to;) {
        const struct writer *writer = &version->writers[i];
        if (tracing->graph->contents[content].pipe &&
            !may_share_pipe(tracing->workflow, writer->step, use->step))
            continue;
        bool own = writer->step == use->step;
        uint64_t begin = writer->from > from ? writer->from : from, end = least(writer->to, to);
        if (begin >= end || (own && writer->first > use->first_read))
            continue;
        uint64_t bytes = least(end - begin, least(use->read, writer->bytes));
        add_flow(tracing, writer->step, use->step, content, bytes);
        add_passing(tracing, writer, of_use, content, bytes);
        bool vague = writer->to == UINT64_MAX; /* not all of that, maybe */
        if (!vague && begin == from)
            from = end;
        else if (!vague && end == to)
            to = begin;
    }
}

/* Is it another step than the last one that read it? */
static bool add_reader(const struct tracing *tracing, struct version *version, uint32_t of_use)
{
    const struct fth_workflow_use *use = &tracing->workflow->uses[of_use];
    struct reader *last =
        version->reader_count ? &version->readers[version->reader_count - 1] : NULL;
    bool same = last && last->step == use->step;
    if (same && last->file == use->file &&
        tracing->workflow->uses[last->use].process == use->process) {
        last->use = of_use;
        last->from = least(last->from, use->read_from);
        last->to = last->to > use->read_to ? last->to : use->read_to;
        return false;
    }
    FTH_GROW(version->readers, version->reader_count);
    version->readers[version->reader_count++] =
        (struct reader){use->step, of_use, use->file, use->read_from, use->read_to};
    return !same;
}

static void read_from(struct tracing *tracing, uint32_t number)
{
    const struct fth_workflow_use *use = &tracing->workflow->uses[number];
    uint32_t at = tracing->graph->moved[number].read;
    struct fth_workflow_content *content = &tracing->graph->contents[at];
    struct version *version = &tracing->versions[at];
    if (use->runs && !version->writer_count)
        return; /* a program that was there before */
    content->readers += add_reader(tracing, version, number);
    if (content->reader == FTH_NO_STEP)
        content->reader = use->step;
    tracing->graph->moved[number].read_version = content->writers;
    content->read += use->read;
    if (content->first_read == FTH_NEVER || use->first_read < content->first_read)
        content->first_read = use->first_read;
    if (use->last_read > content->last_read)
        content->last_read = use->last_read;
    hold_against_writers(tracing, number, at);
    if (tracing->read_namers[number])
        add_flow(tracing, tracing->read_namers[number] - 1, use->step, at, 0);
}

/* ---- all moments ---- */

static int by_time(const void *one, const void *other)
{
    const struct moment *a = one, *b = other;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    return (a->number > b->number) - (a->number < b->number);
}

static struct moment *all_moments(const struct fth_workflow *workflow, size_t *count)
{
    struct moment *moments = fth_new(
        (size_t)workflow->change_count + 3 * (size_t)workflow->use_count + 1, sizeof *moments);
    size_t made = 0;
    for (uint32_t i = 0; i < workflow->change_count; i++)
        moments[made++] = (struct moment){workflow->changes[i].time, CHANGE, i};
    for (uint32_t i = 0; i < workflow->use_count; i++) {
        const struct fth_workflow_use *use = &workflow->uses[i];
        if (use->first_write != FTH_NEVER)
            moments[made++] = (struct moment){use->first_write, WRITE, i};
        if (use->first_read != FTH_NEVER) {
            moments[made++] = (struct moment){use->first_read, READ, i};
            moments[made++] = (struct moment){use->last_read, READ_END, i};
        }
    }
    qsort(moments, made, sizeof *moments, by_time);
    *count = made;
    return moments;
}

static void go_through(struct tracing *tracing, const struct moment *moment)
{
    const struct fth_workflow *workflow = tracing->workflow;
    switch (moment->kind) {
    case CHANGE:
        change_name(tracing, &workflow->changes[moment->number]);
        break;
    case WRITE:
        write_to(tracing, moment->number);
        break;
    case READ:
        begin_reading(tracing, moment->number);
        break;
    case READ_END:
        read_from(tracing, moment->number);
        break;
    }
}

/* Who found the end of a pipe waited for those that could have written to it, though nothing was
 * written. One that went on for long had closed it. */
static void add_holders(struct tracing *tracing)
{
    const struct fth_workflow *workflow = tracing->workflow;
    for (uint32_t i = 0; i < workflow->hold_count; i++) {
        const struct fth_workflow_hold *hold = &workflow->holds[i];
        if (fth_workflow_ends_behind(&workflow->steps[hold->reader],
                                     &workflow->steps[hold->holder]))
            add_flow(tracing, hold->holder, hold->reader, content_of(tracing, hold->file), 0);
    }
}

void fth_workflow_follow_files(struct fth_workflow_graph *graph)
{
    const struct fth_workflow *workflow = graph->workflow;
    size_t count;
    struct moment *moments = all_moments(workflow, &count);
    graph->moved = fth_new((size_t)workflow->use_count + 1, sizeof *graph->moved);
    for (uint32_t i = 0; i < workflow->use_count; i++)
        graph->moved[i] = (struct fth_workflow_moved){FTH_NO_STEP, 0, FTH_NO_STEP, 0};
    struct tracing tracing = {
        .workflow = workflow,
        .graph = graph,
        .contents = fth_new((size_t)workflow->files.count + 1, sizeof *tracing.contents),
        .namers = fth_new((size_t)workflow->files.count + 1, sizeof *tracing.namers),
        .read_namers = fth_new((size_t)workflow->use_count + 1, sizeof *tracing.read_namers),
        .folders = {.size = sizeof(uint32_t)},
        .is_link = fth_new((size_t)workflow->files.count + 1, sizeof *tracing.is_link),
    };
    for (size_t i = 0; i < count; i++)
        go_through(&tracing, &moments[i]);
    add_holders(&tracing);
    for (uint32_t i = 0; i < graph->content_count; i++) {
        count_maker(&tracing, i);
        free(tracing.versions[i].writers);
        free(tracing.versions[i].readers);
    }
    free(tracing.versions);
    free(tracing.contents);
    free(tracing.is_link);
    free(tracing.namers);
    free(tracing.read_namers);
    fth_keyed_free(&tracing.folders);
    free(moments);
}
