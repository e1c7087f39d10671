/* Where things stand in the values of a function's calls, found from its row once, and what the
 * values then say. */
#include "trace/state/call_meaning.h"

#include "base/memory.h"
#include "trace/record/builtin.h"
#include "trace/record/spill.h"

static int value_of_field(const struct fth_meaning *meaning, int field, enum fth_value_part part)
{
    for (int i = 0; i < meaning->value_count; i++)
        if (field != -3 && meaning->plan[i].field == field && meaning->plan[i].part == part)
            return i;
    return -1;
}

static int field_of_role(const struct fth_row *row, enum fth_role role)
{
    int field = fth_field_with_role(row, role);
    return field < 0 ? -3 : field;
}

static struct fth_path_meaning path_of(const struct fth_meaning *meaning, int field)
{
    const struct fth_row *row = meaning->row;
    struct fth_path_meaning path = {value_of_field(meaning, field, FTH_PART_TEXT), -1, -1};
    if (path.value < 0 || row->fields[field].at_field < 0)
        return path;
    path.directory = value_of_field(meaning, row->fields[field].at_field, FTH_PART_SLOT);
    path.directory_class = row->fields[row->fields[field].at_field].class_index;
    return path;
}

static void find_paths(struct fth_meaning *meaning)
{
    const struct fth_row *row = meaning->row;
    int field = field_of_role(row, FTH_ROLE_PATH);
    meaning->about.path = path_of(meaning, field);
    meaning->about.second_path = (struct fth_path_meaning){-1, -1, -1};
    if (meaning->about.path.value < 0)
        return;
    if (meaning->about.path.directory >= 0 &&
        meaning->about.handle == meaning->about.path.directory)
        meaning->about.handle = -1; /* openat is about the path, not about the directory */
    for (size_t i = (size_t)field + 1; i < row->field_count && meaning->about.second_path.value < 0;
         i++)
        if (row->fields[i].role == FTH_ROLE_PATH)
            meaning->about.second_path = path_of(meaning, (int)i);
}

/* A data call with two descriptors copies from one to the other. */
static void find_other(const struct fth_catalog *catalog, struct fth_meaning *meaning)
{
    const struct fth_row *row = meaning->row;
    meaning->about.other = -1;
    meaning->about.other_class = meaning->about.handle_class;
    if (meaning->about.handle < 0 || !(meaning->reads || meaning->writes) ||
        strcmp(catalog->classes[meaning->about.handle_class].name, "fd") != 0)
        return;
    for (size_t i = 0; i < row->field_count; i++)
        if ((int)i != meaning->plan[meaning->about.handle].field &&
            row->fields[i].role == FTH_ROLE_USE &&
            row->fields[i].class_index == meaning->about.handle_class)
            meaning->about.other = value_of_field(meaning, (int)i, FTH_PART_SLOT);
}

/* The last single `out` of a call that tests or probes is its flag, or how many are complete;
 * behind it stands what is so. */
static int find_completes(const struct fth_meaning *meaning)
{
    const struct fth_row *row = meaning->row;
    int found = -1;
    if (!fth_row_polls(row))
        return -1;
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].role == FTH_ROLE_OUT && !row->fields[i].array)
            found = value_of_field(meaning, (int)i, FTH_PART_INTEGER);
    return found;
}

static bool moves_cursor(enum fth_value_part part)
{
    return part == FTH_PART_OFFSET || part == FTH_PART_VIEW || part == FTH_PART_DISTANCE ||
           part == FTH_PART_POSITION || part == FTH_PART_MOVED;
}

/* The value that has these flags; -1: none. */
static int value_of_flags(const struct fth_catalog *catalog, const struct fth_meaning *meaning,
                          const char *flags)
{
    const struct fth_row *row = meaning->row;
    for (size_t i = 0; i < row->field_count; i++)
        if (row->fields[i].flags_index >= 0 &&
            strcmp(catalog->flags[row->fields[i].flags_index].name, flags) == 0)
            return value_of_field(meaning, (int)i, FTH_PART_INTEGER);
    return -1;
}

/* What is begun on control blocks, and the call that reports how it went: it has moved bytes, and
 * does not say which way. */
static void find_aio(const struct fth_catalog *catalog, struct fth_meaning *meaning)
{
    const struct fth_row *row = meaning->row;
    bool begins = row->flags & FTH_CALL_NONBLOCKING,
         has_block = fth_field_with_role(row, FTH_ROLE_AIO) >= 0;
    meaning->blocks =
        begins ? value_of_field(meaning, field_of_role(row, FTH_ROLE_AIO_LIST), FTH_PART_LIST) : -1;
    meaning->blocks_class = -1;
    for (size_t i = 0; i < catalog->class_count && meaning->blocks_class < 0; i++)
        if (strcmp(catalog->classes[i].name, "fd") == 0)
            meaning->blocks_class = (int)i;
    if (meaning->blocks_class < 0)
        meaning->blocks = -1;
    has_block = has_block && meaning->about.handle >= 0;
    meaning->aio = begins && (has_block || meaning->blocks >= 0)     ? FTH_AIO_BEGINS
                   : has_block && row->result.role == FTH_ROLE_MOVED ? FTH_AIO_ENDS
                                                                     : FTH_AIO_NONE;
}

static void find_meaning(const struct fth_catalog *catalog, const struct fth_row *row,
                         struct fth_meaning *meaning)
{
    meaning->row = row;
    meaning->value_count = fth_plan_values(catalog, row, meaning->plan);
    if (meaning->value_count < 0)
        meaning->value_count = 0;
    bool ours = fth_layer_is(row->layer, FTH_LAYER_NOTES);
    meaning->note.binds =
        ours && strcmp(row->name, "fathom_bind") == 0 && meaning->value_count == 4;
    meaning->note.cwd = ours && strcmp(row->name, "fathom_cwd") == 0 && meaning->value_count == 1;
    bool is_contents =
        ours && strcmp(row->name, "fathom_contents") == 0 && meaning->value_count == 2;
    meaning->note.stood =
        ours && strcmp(row->name, "fathom_stood") == 0 && meaning->value_count == 1;
    meaning->note.any =
        meaning->note.binds || meaning->note.cwd || meaning->note.stood || is_contents;
    meaning->reads = fth_kind_reads(row->kind);
    meaning->writes = fth_kind_writes(row->kind);
    meaning->buffered = fth_row_is_buffered(catalog, row);
    /* fdopen makes a handle of a file that is open already */
    meaning->opens = strcmp(row->kind, "open") == 0 && fth_field_with_role(row, FTH_ROLE_PATH) >= 0;
    meaning->advances = fth_field_with_role(row, FTH_ROLE_OFFSET) < 0;
    meaning->asked.one_byte = row->result.role == FTH_ROLE_BYTE;
    meaning->about.handle = fth_plan_handle(catalog, row, meaning->plan, meaning->value_count,
                                            &meaning->about.handle_class);
    meaning->steppable = fth_plan_steps(catalog, row, meaning->plan, meaning->value_count);
    find_paths(meaning);
    find_other(catalog, meaning);
    meaning->asked.bytes =
        value_of_field(meaning, field_of_role(row, FTH_ROLE_BYTES), FTH_PART_INTEGER);
    meaning->asked.size =
        value_of_field(meaning, field_of_role(row, FTH_ROLE_SIZE), FTH_PART_INTEGER);
    meaning->asked.items =
        value_of_field(meaning, field_of_role(row, FTH_ROLE_ITEMS), FTH_PART_INTEGER);
    if (meaning->asked.bytes < 0)
        meaning->asked.bytes =
            value_of_field(meaning, field_of_role(row, FTH_ROLE_IOV), FTH_PART_INTEGER);
    meaning->starts = (meaning->reads || meaning->writes) && (row->flags & FTH_CALL_NONBLOCKING);
    meaning->begins = (row->flags & FTH_CALL_BEGIN) != 0;
    if (meaning->starts && meaning->asked.bytes < 0)
        meaning->asked.bytes =
            value_of_field(meaning, field_of_role(row, FTH_ROLE_AIO), FTH_PART_INTEGER);
    find_aio(catalog, meaning);
    int count = field_of_role(row, FTH_ROLE_COUNT);
    meaning->asked.count = value_of_field(meaning, count, FTH_PART_INTEGER);
    meaning->asked.element = value_of_field(meaning, count, FTH_PART_ELEMENT);
    int whence = field_of_role(row, FTH_ROLE_WHENCE);
    meaning->whence = value_of_field(meaning, whence, FTH_PART_INTEGER);
    bool maps = strcmp(row->kind, "map") == 0;
    meaning->mapping = maps ? value_of_flags(catalog, meaning, "map") : -1;
    meaning->protection = maps ? value_of_flags(catalog, meaning, "prot") : -1;
    meaning->moved = meaning->result = meaning->view = -1;
    for (int i = 0; i < meaning->value_count; i++) {
        if (meaning->plan[i].part == FTH_PART_MOVED)
            meaning->moved = i;
        if (meaning->plan[i].part == FTH_PART_VIEW)
            meaning->view = i;
        if (meaning->plan[i].field == FTH_RESULT && meaning->result < 0)
            meaning->result = i;
    }
    for (int i = 0; i < meaning->value_count; i++) {
        if (moves_cursor(meaning->plan[i].part))
            meaning->steps[meaning->step_count++] = (uint8_t)i;
        if (fth_is_name(meaning->plan[i].part))
            meaning->names[meaning->name_count++] = (uint8_t)i;
    }
    meaning->completes = find_completes(meaning);
    meaning->ready = true;
}

struct fth_meaning *fth_meanings_new(const struct fth_catalog *catalog)
{
    struct fth_meaning *meanings = fth_new(catalog->row_count, sizeof *meanings);
    for (size_t i = 0; i < catalog->row_count; i++)
        if (catalog->rows[i].name)
            find_meaning(catalog, &catalog->rows[i], &meanings[i]);
    return meanings;
}

struct fth_meaning *fth_builtin_meanings_new(void)
{
    return fth_new(fth_builtin_catalog()->row_count, sizeof(struct fth_meaning));
}

struct fth_meaning *fth_builtin_meanings(void)
{
    static struct fth_meaning *meanings;
    if (!meanings)
        meanings = fth_builtin_meanings_new();
    return meanings;
}

const struct fth_meaning *fth_builtin_meaning_in(struct fth_meaning *meanings, uint32_t function)
{
    struct fth_meaning *meaning = &meanings[function];
    if (!meaning->ready)
        find_meaning(fth_builtin_catalog(), &fth_builtin_catalog()->rows[function], meaning);
    return meaning;
}

const struct fth_meaning *fth_builtin_meaning(uint32_t function)
{
    return fth_builtin_meaning_in(fth_builtin_meanings(), function);
}

/* ---- what the values of a call say ---- */

bool fth_call_failed(const struct fth_meaning *meaning, const int64_t *values)
{
    if (meaning->result >= 0 && FTH_IS_FAILURE(values[meaning->result]))
        return values[meaning->result] != FTH_ENDED;
    return meaning->row->result.role == FTH_ROLE_CODE && meaning->result >= 0 &&
           values[meaning->result] != 0;
}

bool fth_call_waits(const struct fth_meaning *meaning, const struct fth_signature *signature)
{
    int flag = meaning->completes;
    return flag >= 0 && !((signature->mask | signature->steps) >> flag & 1) &&
           signature->values[flag] == 0;
}

/* Without arrays, and without a handle that comes of it, what differs is the flag and the
 * status. */
bool fth_call_would_wait(const struct fth_meaning *meaning, const struct fth_signature *signature,
                         struct fth_signature *waiting)
{
    int flag = meaning->completes;
    if (flag < 0 || meaning->name_count || fth_field_with_role(meaning->row, FTH_ROLE_NEW) >= 0 ||
        (signature->mask | signature->steps) >> flag & 1 || signature->values[flag] == 0 ||
        fth_call_failed(meaning, signature->values))
        return false;
    *waiting = *signature;
    waiting->values[flag] = 0;
    for (unsigned i = 0; i < signature->count; i++)
        if ((meaning->plan[i].part == FTH_PART_SOURCE || meaning->plan[i].part == FTH_PART_TAG) &&
            !((signature->mask | signature->steps) >> i & 1))
            waiting->values[i] = FTH_ABSENT;
    return true;
}

uint64_t fth_call_bytes(const struct fth_meaning *meaning, const int64_t *values)
{
    if (!(meaning->reads || meaning->writes) || fth_call_failed(meaning, values))
        return 0;
    if (meaning->moved < 0 && !meaning->starts)
        return 0;
    int64_t moved = meaning->moved >= 0 ? values[meaning->moved] : fth_bytes_asked(meaning, values);
    return moved > 0 && !FTH_IS_FAILURE(moved) ? (uint64_t)moved : 0;
}

bool fth_bytes_asked_are_known(const struct fth_meaning *meaning, const int64_t *values)
{
    bool of_unknown_type = meaning->asked.count >= 0 && meaning->asked.element >= 0 &&
                           values[meaning->asked.count] > 0 && values[meaning->asked.element] <= 0;
    bool says =
        meaning->asked.bytes >= 0 || (meaning->asked.size >= 0 && meaning->asked.items >= 0) ||
        (meaning->asked.count >= 0 && meaning->asked.element >= 0) || meaning->asked.one_byte;
    return says && !of_unknown_type && fth_bytes_asked(meaning, values) >= 0;
}

bool fth_call_bytes_are_known(const struct fth_meaning *meaning, const int64_t *values)
{
    if (!(meaning->reads || meaning->writes) || meaning->begins)
        return false;
    if (meaning->moved >= 0 || fth_call_failed(meaning, values))
        return true;
    bool unknown_type = meaning->asked.count >= 0 && values[meaning->asked.count] > 0 &&
                        values[meaning->asked.element] <= 0;
    return meaning->starts && !unknown_type;
}
