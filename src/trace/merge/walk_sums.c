/* Sums of a process during a walk: by function, and by file. Asynchronous I/O of POSIX is added
 * when it starts, with the requested bytes, and corrected when the program queries the result
 * (aio.h). */
#include "trace/merge/walk_sums.h"

#include "base/memory.h"
#include "trace/state/call_path.h"
#include "trace/record/spill.h"

static struct fth_path_sum *sum_of_path(struct fth_walk *walk, uint32_t path)
{
    struct fth_part_process *process = &walk->process;
    if (path >= walk->path_limit) {
        uint32_t limit = (path + 1) * 2;
        walk->path_places = fth_resize(walk->path_places, limit, sizeof *walk->path_places);
        memset(walk->path_places + walk->path_limit, 0,
               (limit - walk->path_limit) * sizeof(uint32_t));
        walk->path_limit = limit;
    }
    if (!walk->path_places[path]) {
        FTH_GROW(process->paths, process->path_count);
        process->paths[process->path_count] = (struct fth_path_sum){.path = path};
        walk->path_places[path] = (uint32_t)++process->path_count;
    }
    return &process->paths[walk->path_places[path] - 1];
}

/* The path in a name that a handle is bound to, as a text; 0: there is none. The name is longer if
 * that is an object in the file. */
static uint32_t file_of(struct fth_walk *walk, uint32_t name)
{
    if (name < walk->file_limit && walk->files[name])
        return walk->files[name];
    size_t length;
    const char *text = fth_state_text(&walk->state, name, &length);
    size_t path_length = strnlen(text, length);
    if (!path_length)
        return 0;
    walk->files = fth_reach(walk->files, &walk->file_limit, name, sizeof *walk->files);
    walk->files[name] = path_length == length ? name : fth_walk_text(walk, text, path_length);
    return walk->files[name];
}

/* The sum of the file that a slot is bound to; NULL: there is none. */
static struct fth_path_sum *sum_of_slot(struct fth_walk *walk, int handle_class, int64_t slot)
{
    if (!fth_state_binding(&walk->state, handle_class, slot))
        return NULL;
    struct fth_binding *binding = &walk->state.bindings[handle_class].slots[slot];
    if (!binding->sum) {
        uint32_t path = file_of(walk, binding->path);
        binding->sum = path ? (uint32_t)(sum_of_path(walk, path) - walk->process.paths) + 2 : 1;
    }
    return binding->sum > 1 ? &walk->process.paths[binding->sum - 2] : NULL;
}

/* The path that a call is about, as a text; 0: that is not known. */
static uint32_t path_of(struct fth_walk *walk, const struct fth_meaning *meaning,
                        const int64_t *values)
{
    if (meaning->about.handle >= 0) {
        const struct fth_binding *binding = fth_state_binding(
            &walk->state, meaning->about.handle_class, values[meaning->about.handle]);
        return binding ? file_of(walk, binding->path) : 0;
    }
    struct fth_path_parts parts;
    if (!fth_call_path(&walk->state, meaning, values, walk->process.facts.directory, &parts))
        return 0;
    fth_path_join(&parts, &walk->path);
    return fth_walk_text(walk, walk->path.data, walk->path.length);
}

/* Else what it moves is in a buffer, or the call around it has accounted for that. */
static bool reaches_files(const struct fth_meaning *meaning, const struct fth_signature *signature)
{
    return !meaning->buffered && !(signature->flags & FTH_INSIDE_UNBUFFERED_CALL);
}

/* The other end of a copy: what is read from one is written to the other. */
static void add_to_other(struct fth_walk *walk, const struct fth_meaning *meaning,
                         const struct fth_signature *signature, const int64_t *values,
                         uint64_t bytes, uint64_t duration)
{
    const struct fth_binding *binding =
        fth_state_binding(&walk->state, meaning->about.other_class, values[meaning->about.other]);
    size_t length;
    if (!bytes || !binding || !reaches_files(meaning, signature) ||
        !*fth_state_text(&walk->state, binding->path, &length))
        return;
    struct fth_path_sum *sum = sum_of_path(walk, binding->path);
    sum->calls++;
    sum->bytes_read += meaning->writes ? bytes : 0;
    sum->bytes_written += meaning->reads ? bytes : 0;
    sum->time += signature->flags & FTH_INSIDE_FILE_CALL ? 0 : duration;
}

static void add_to_path(struct fth_walk *walk, const struct fth_meaning *meaning,
                        const struct fth_signature *signature, const int64_t *values,
                        uint64_t bytes, bool failed, uint64_t duration)
{
    uint32_t path = path_of(walk, meaning, values);
    if (!path)
        return;
    struct fth_path_sum *sum = sum_of_path(walk, path);
    sum->calls++;
    if (fth_maps_to_store(meaning, signature, values))
        fth_mapped_add(&walk->mapped, path, (uint64_t)fth_bytes_asked(meaning, values));
    if (reaches_files(meaning, signature)) {
        sum->bytes_read += meaning->reads ? bytes : 0;
        sum->bytes_written += meaning->writes ? bytes : 0;
    }
    if (signature->flags & FTH_INSIDE_FILE_CALL)
        return; /* the open below MPI_File_open is not another one */
    if (meaning->opens && !failed)
        sum->opens++;
    sum->time += duration;
}

static struct fth_sum *sum_of_function(struct fth_walk *walk, uint32_t function, uint32_t flags)
{
    struct fth_part_process *process = &walk->process;
    uint32_t *place = &walk->sum_places[function * FTH_INSIDE_ALL + flags];
    if (!*place) {
        FTH_GROW(process->sums, process->sum_count);
        process->sums[process->sum_count] = (struct fth_sum){.function = function, .flags = flags};
        *place = (uint32_t)++process->sum_count;
    }
    return &process->sums[*place - 1];
}

static struct fth_sum *sum_of(struct fth_walk *walk, const struct fth_signature *signature)
{
    return sum_of_function(walk, signature->function, signature->flags % FTH_INSIDE_ALL);
}

/* ---- what was added up before ---- */

void fth_walk_add_sum(struct fth_walk *walk, const struct fth_sum *more)
{
    struct fth_sum *sum = sum_of_function(walk, more->function, more->flags);
    if (!sum->calls || more->shortest < sum->shortest)
        sum->shortest = more->shortest;
    if (more->longest > sum->longest)
        sum->longest = more->longest;
    sum->calls += more->calls;
    sum->errors += more->errors;
    sum->bytes_read += more->bytes_read;
    sum->bytes_written += more->bytes_written;
    sum->time += more->time;
    walk->process.calls += more->calls;
}

void fth_walk_add_path_sum(struct fth_walk *walk, const struct fth_path_sum *more)
{
    struct fth_path_sum *sum = sum_of_path(walk, more->path);
    walk->keeps_path_times = true;
    sum->opens += more->opens;
    sum->calls += more->calls;
    sum->bytes_read += more->bytes_read;
    sum->bytes_written += more->bytes_written;
    sum->time += more->time;
}

/* ---- asynchronous I/O ---- */

/* What was counted as asked for, and turned out to be less. */
static void take_back(struct fth_walk *walk, const struct fth_aio_owner *owner, uint64_t bytes)
{
    struct fth_sum *sum = &walk->process.sums[owner->sum];
    sum->bytes_read -= owner->reads ? bytes : 0;
    sum->bytes_written -= owner->writes ? bytes : 0;
    if (owner->path == FTH_AIO_NO_PATH)
        return;
    struct fth_path_sum *path = &walk->process.paths[owner->path];
    path->bytes_read -= owner->reads ? bytes : 0;
    path->bytes_written -= owner->writes ? bytes : 0;
}

static void begin_block(struct fth_walk *walk, const struct fth_aio_block *block, uint64_t exit,
                        const struct fth_aio_owner *owner)
{
    uint64_t moved;
    if (fth_aio_begin(&walk->aio, block, exit, owner, &moved))
        take_back(walk, owner, (uint64_t)block->bytes - moved);
}

static void block_of(const struct fth_walk *walk, const struct fth_meaning *meaning,
                     const int64_t *values, struct fth_aio_block *block)
{
    const struct fth_binding *binding =
        fth_state_binding(&walk->state, meaning->about.handle_class, values[meaning->about.handle]);
    fth_aio_block_of(meaning, values, block);
    block->file = binding ? (uint64_t)binding->path : 0;
}

static void end_block(struct fth_walk *walk, const struct fth_meaning *meaning,
                      const int64_t *values, uint64_t exit)
{
    struct fth_aio_block block;
    struct fth_aio_owner owner;
    uint64_t moved;
    block_of(walk, meaning, values, &block);
    if (fth_aio_end(&walk->aio, &block, exit, fth_aio_moved(meaning, values), &owner, &moved))
        take_back(walk, &owner, (uint64_t)block.bytes - moved);
}

/* The call and its time are those of the first file. */
static void add_list(struct fth_walk *walk, const struct fth_meaning *meaning,
                     const struct fth_signature *signature, const int64_t *values, uint64_t exit,
                     uint64_t duration)
{
    struct fth_sum *sum = sum_of(walk, signature);
    size_t length;
    bool is_first = true, failed = fth_call_failed(meaning, values);
    const char *text = fth_state_text(&walk->state, values[meaning->blocks], &length);
    struct fth_view list = fth_view_of(text, length);
    struct fth_aio_block block;
    enum fth_aio_operation operation;
    while (fth_aio_next(&list, &block, &operation)) {
        const struct fth_binding *binding =
            fth_state_binding(&walk->state, meaning->blocks_class, block.slot);
        block.file = binding ? (uint64_t)binding->path : 0;
        bool is_known = binding && *fth_state_text(&walk->state, binding->path, &length);
        struct fth_path_sum *path = is_known ? sum_of_path(walk, binding->path) : NULL;
        struct fth_aio_owner owner = {.sum = (uint32_t)(sum - walk->process.sums),
                                      .path = FTH_AIO_NO_PATH,
                                      .reads = operation == FTH_AIO_READ,
                                      .writes = operation == FTH_AIO_WRITE};
        if (path && is_first) {
            path->calls++;
            path->time += signature->flags & FTH_INSIDE_FILE_CALL ? 0 : duration;
        }
        is_first = is_first && !path;
        if (failed || operation == FTH_AIO_NOTHING)
            continue;
        sum->bytes_read += owner.reads ? (uint64_t)block.bytes : 0;
        sum->bytes_written += owner.writes ? (uint64_t)block.bytes : 0;
        if (path && reaches_files(meaning, signature)) {
            owner.path = (uint32_t)(path - walk->process.paths);
            path->bytes_read += owner.reads ? (uint64_t)block.bytes : 0;
            path->bytes_written += owner.writes ? (uint64_t)block.bytes : 0;
        }
        begin_block(walk, &block, exit, &owner);
    }
}

/* A call with one control block: what it moves was added up as what it asks for. */
static void begin_call(struct fth_walk *walk, const struct fth_meaning *meaning,
                       const struct fth_signature *signature, const int64_t *values, uint64_t exit)
{
    const struct fth_binding *binding =
        fth_state_binding(&walk->state, meaning->about.handle_class, values[meaning->about.handle]);
    struct fth_aio_owner owner = {
        .sum = (uint32_t)(sum_of(walk, signature) - walk->process.sums),
        .path = FTH_AIO_NO_PATH,
        .reads = meaning->reads,
        .writes = meaning->writes,
    };
    struct fth_aio_block block;
    size_t length;
    if (binding && reaches_files(meaning, signature) &&
        *fth_state_text(&walk->state, binding->path, &length))
        owner.path = (uint32_t)(sum_of_path(walk, binding->path) - walk->process.paths);
    block_of(walk, meaning, values, &block);
    begin_block(walk, &block, exit, &owner);
}

static void add_aio(struct fth_walk *walk, const struct fth_meaning *meaning,
                    const struct fth_signature *signature, const int64_t *values, uint64_t exit,
                    uint64_t duration)
{
    if (meaning->blocks >= 0)
        add_list(walk, meaning, signature, values, exit, duration);
    else if (meaning->aio == FTH_AIO_ENDS)
        end_block(walk, meaning, values, exit);
    else if (!fth_call_failed(meaning, values))
        begin_call(walk, meaning, signature, values, exit);
}

/* ---- a call ---- */

/* What a call does to a cursor says nothing about sums: a result that is kept by what was asked
 * for has that in its signature, too. */
static void know_sum(struct fth_walk *walk, const struct fth_meaning *meaning,
                     struct fth_call_kind *kind, const int64_t *values)
{
    const struct fth_signature *signature = &kind->signature;
    int handle = meaning->about.handle;
    bool failed = fth_call_failed(meaning, values);
    uint64_t bytes = fth_call_bytes(meaning, values);
    kind->sum =
        (struct fth_kind_sum){.place = (uint32_t)(sum_of(walk, signature) - walk->process.sums) + 1,
                              .is_constant = !signature->mask && !signature->steps,
                              .failed = failed,
                              .bytes = bytes};
    struct fth_kind_sum *known = &kind->sum;
    known->is_plain = fth_cursor_motion_of(meaning, signature, &known->motion) &&
                      !meaning->name_count && !meaning->aio && meaning->mapping < 0 &&
                      meaning->about.other < 0 && meaning->about.path.value < 0 &&
                      (handle < 0 || (uint64_t)values[handle] < FTH_SLOT_LIMIT);
    known->opens = meaning->opens && !failed;
    known->has_time = !(signature->flags & FTH_INSIDE_FILE_CALL);
    known->is_raw = reaches_files(meaning, signature);
    known->handle_class = (int16_t)(handle < 0 ? -1 : meaning->about.handle_class);
    known->slot = handle < 0 ? 0 : (int32_t)values[handle];
    known->moves_cursor = known->handle_class >= 0 && (known->motion.end || known->motion.view);
    known->reads = meaning->reads;
    known->writes = meaning->writes;
}

static inline void add_times(struct fth_sum *sum, uint64_t duration)
{
    if (!sum->calls++ || duration < sum->shortest)
        sum->shortest = duration;
    if (duration > sum->longest)
        sum->longest = duration;
    sum->time += duration;
}

void fth_walk_add_plain(struct fth_walk *walk, const struct fth_kind_sum *known, uint64_t duration)
{
    struct fth_sum *sum = &walk->process.sums[known->place - 1];
    add_times(sum, duration);
    sum->errors += known->failed;
    sum->bytes_read += known->reads ? known->bytes : 0;
    sum->bytes_written += known->writes ? known->bytes : 0;
    if (known->handle_class < 0)
        return;
    struct fth_path_sum *path = sum_of_slot(walk, known->handle_class, known->slot);
    if (!path)
        return;
    path->calls++;
    path->bytes_read += known->is_raw && known->reads ? known->bytes : 0;
    path->bytes_written += known->is_raw && known->writes ? known->bytes : 0;
    path->opens += known->opens && known->has_time; /* else it is below another opening */
    path->time += known->has_time ? duration : 0;
}

void fth_walk_add_to_sums(struct fth_walk *walk, const struct fth_meaning *meaning,
                          struct fth_call_kind *kind, const int64_t *values, uint64_t exit,
                          uint64_t duration)
{
    const struct fth_signature *signature = &kind->signature;
    const struct fth_kind_sum *known = &kind->sum;
    if (!known->place)
        know_sum(walk, meaning, kind, values);
    struct fth_sum *sum = &walk->process.sums[known->place - 1];
    bool failed = known->is_constant ? known->failed : fth_call_failed(meaning, values);
    uint64_t bytes = known->is_constant ? known->bytes : fth_call_bytes(meaning, values);
    add_times(sum, duration);
    sum->errors += failed;
    bool copies = meaning->about.other >= 0;
    sum->bytes_read += meaning->reads || copies ? bytes : 0;
    sum->bytes_written += meaning->writes || copies ? bytes : 0;
    if (meaning->about.handle >= 0 || meaning->about.path.value >= 0)
        add_to_path(walk, meaning, signature, values, bytes, failed, duration);
    walk->keeps_path_times |= copies || meaning->aio;
    if (copies)
        add_to_other(walk, meaning, signature, values, bytes, duration);
    if (meaning->aio)
        add_aio(walk, meaning, signature, values, exit, duration);
}
