/* The Python code that a thread executes, as lines in files.
 *
 * Nothing of Python is called that needs the GIL, allocates, or counts references: its functions
 * say which state this thread has and which line an instruction belongs to; the rest is read. A
 * thread that has released the GIL has its frames as it left them, and they hold their code. A
 * thread that has the GIL has them, too, unless a signal handler makes the call: that may have
 * interrupted Python where it enters or leaves a frame. So where a handler may make the call,
 * nothing is believed of its frames. Threads whose frames the end of the interpreter frees are not
 * looked at.
 *
 * Code comes and goes, and new code stands where old code was: what is remembered is remembered of
 * contents, not of addresses. */
#include "capture/record/python_lines.h"

#include "capture/process/process.h"
#include "capture/record/python_layouts.h"
#include "capture/record/python_texts.h"
#include "interpose/own/readable.h"
#include "interpose/own/put.h"
#include "interpose/reach/load.h"
#include "interpose/reach/recognize.h"

#include <dlfcn.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    MOST_FRAMES = 100,         /* looked at for a call */
    MOST_FRAMES_EVER = 100000, /* of a thread, when they are looked at first */
    /* bytes that are read of these */
    FRAME = 112,
    CODE = 200,
    TEXT = 40,
    BYTES = 32,
    LONGEST_TABLE = 16 << 20,
    LONGEST_NAME = 400,
    PAGE_BITS = 12,
};

bool fth_python_is_known;

static struct {
    const struct fth_python_layout *layout;
    void *(*own_thread)(void);     /* the state of this thread, with the GIL or without */
    void *(*current_thread)(void); /* the one that has the GIL */
    int (*is_ending)(void);
    int (*line_of)(const void *code, int at);
    const void *code_type, *text_type, *bytes_type;
} python;

/* ---- reading what may not be there ---- */

/* A look at one thread's frames. */
struct glance {
    bool is_in_doubt;
    unsigned count;
    uintptr_t pages[8]; /* that can be read */
};

static bool page_is_readable(struct glance *glance, uintptr_t page)
{
    unsigned known = glance->count < 8 ? glance->count : 8;
    for (unsigned i = 0; i < known; i++)
        if (glance->pages[i] == page)
            return true;
    if (!fth_is_readable((const void *)(page << PAGE_BITS), 1))
        return false;
    glance->pages[glance->count++ % 8] = page;
    return true;
}

static bool can_read(struct glance *glance, const void *at, size_t bytes)
{
    if (FTH_LIKELY(!glance->is_in_doubt))
        return true;
    uintptr_t first = (uintptr_t)at, last = first + bytes - 1;
    if (!at || last < first)
        return false;
    for (uintptr_t page = first >> PAGE_BITS; page <= last >> PAGE_BITS; page++)
        if (!page_is_readable(glance, page))
            return false;
    return true;
}

static const char *pointer_at(const char *structure, unsigned offset)
{
    const char *pointer;
    memcpy(&pointer, structure + offset, sizeof pointer);
    return pointer;
}

static int64_t length_of(const char *object)
{
    int64_t length;
    memcpy(&length, object + FTH_PYTHON_LENGTH, sizeof length);
    return length;
}

static int integer_at(const char *structure, unsigned offset)
{
    int integer;
    memcpy(&integer, structure + offset, sizeof integer);
    return integer;
}

/* ---- strings ---- */

static bool read_text(struct glance *glance, const char *object, struct fth_python_text *text)
{
    if (!can_read(glance, object, TEXT) || pointer_at(object, FTH_PYTHON_TYPE) != python.text_type)
        return false;
    int64_t length = length_of(object);
    unsigned state = (unsigned)integer_at(object, FTH_PYTHON_TEXT_STATE);
    unsigned width = state >> 2 & 7, is_compact = state >> 5 & 1, is_ascii = state >> 6 & 1;
    if (!is_compact || length < 0 || length >= FTH_LONGEST_PATH ||
        (width != 1 && width != 2 && width != 4))
        return false;
    text->at =
        (const uint8_t *)object + (is_ascii ? python.layout->ascii_at : python.layout->other_at);
    text->length = (uint32_t)length;
    text->width = width;
    return can_read(glance, text->at, (size_t)(length + 1) * width);
}

static uint64_t hash_of(const struct fth_python_text *text)
{
    return XXH3_64bits(text->at, (size_t)text->length * text->width);
}

/* ---- what is known of contents ---- */

/* Tables of what is known of contents with this hash: its upper bits, and what is known below. */
enum { KNOWN = 1024, LINE_BITS = 24 };

static uint64_t look_up(const uint64_t *known, uint64_t hash, unsigned bits)
{
    uint64_t entry = __atomic_load_n(&known[hash % KNOWN], __ATOMIC_RELAXED);
    return (entry ^ hash) >> bits ? 0 : entry & ((UINT64_C(1) << bits) - 1);
}

static void keep(uint64_t *known, uint64_t hash, unsigned bits, uint64_t value)
{
    __atomic_store_n(&known[hash % KNOWN], hash >> bits << bits | value, __ATOMIC_RELAXED);
}

static enum fth_python_whose whose_code(const struct fth_python_text *file, uint64_t hash)
{
    static uint64_t known[KNOWN];
    enum { BITS = 2 };
    enum fth_python_whose whose = (enum fth_python_whose)look_up(known, hash, BITS);
    if (FTH_UNLIKELY(!whose)) {
        whose = fth_python_text_whose(file);
        keep(known, hash, BITS, whose);
    }
    return whose;
}

/* ---- frames ---- */

struct scope {
    const char *code; /* NULL: the frame is nobody's */
    struct fth_python_text file;
    uint64_t hash; /* of the file's name */
    enum fth_python_whose whose;
};

/* The code of a frame. False: it cannot be known. */
static bool read_scope(struct glance *glance, const char *frame, struct scope *scope)
{
    const struct fth_python_layout *layout = python.layout;
    *scope = (struct scope){.whose = FTH_PYTHON_IMPORTS};
    if (layout->owner != FTH_PYTHON_NOWHERE && frame[layout->owner] == FTH_PYTHON_OWNER_NOBODY)
        return true;
    scope->code = pointer_at(frame, layout->code);
    if (!can_read(glance, scope->code, CODE) ||
        pointer_at(scope->code, FTH_PYTHON_TYPE) != python.code_type ||
        !read_text(glance, pointer_at(scope->code, layout->file), &scope->file))
        return false;
    scope->hash = hash_of(&scope->file);
    scope->whose = whose_code(&scope->file, scope->hash);
    return true;
}

/* Which instruction of its code a frame is at, in bytes. */
static int64_t instruction_of(const char *frame, const char *code)
{
    const struct fth_python_layout *layout = python.layout;
    if (layout->at_unit)
        return (int64_t)integer_at(frame, layout->at) * layout->at_unit;
    return pointer_at(frame, layout->at) - (code + layout->instructions);
}

/* Its line: depends on its table, on its first line, and on the instruction. 0: it has none. */
static int line_of(struct glance *glance, const char *frame, const char *code)
{
    static uint64_t known[KNOWN];
    const char *table = pointer_at(code, python.layout->line_table);
    int64_t at = instruction_of(frame, code);
    if (!can_read(glance, table, BYTES) ||
        pointer_at(table, FTH_PYTHON_TYPE) != python.bytes_type || at < 0 || at > INT32_MAX)
        return 0;
    int64_t length = length_of(table);
    if (length < 0 || length > LONGEST_TABLE ||
        !can_read(glance, table + FTH_PYTHON_BYTES_AT, (size_t)length + 1))
        return 0;
    uint64_t first = (uint32_t)integer_at(code, python.layout->first_line);
    uint64_t hash = XXH3_64bits(table + FTH_PYTHON_BYTES_AT, (size_t)length) +
                    (first << 32 | (uint64_t)at) * 0x9E3779B97F4A7C15u;
    int line = (int)look_up(known, hash, LINE_BITS);
    if (line)
        return line;
    line = python.line_of(code, (int)at);
    if (line <= 0 || line >> LINE_BITS)
        return 0;
    keep(known, hash, LINE_BITS, (uint64_t)line);
    return line;
}

static bool take_spot(struct glance *glance, const char *frame, const struct scope *scope,
                      struct fth_python_spot *spot, uint64_t *hashes)
{
    struct fth_python_text name;
    spot->line = line_of(glance, frame, scope->code);
    spot->file = pointer_at(scope->code, python.layout->file);
    spot->name = pointer_at(scope->code, python.layout->name);
    if (!spot->line || !read_text(glance, spot->name, &name))
        return false;
    hashes[0] = scope->hash;
    hashes[1] = hash_of(&name);
    hashes[2] = (uint64_t)spot->line;
    return true;
}

static const char *inner_frame(const char *thread)
{
    const char *frame = pointer_at(thread, python.layout->thread_frame);
    unsigned inner = python.layout->inner_frame;
    return inner == FTH_PYTHON_NOWHERE ? frame : pointer_at(frame, inner);
}

/* The innermost code, and if that is a library's, the innermost of the program around it. */
static uint64_t find_place(struct glance *glance, const char *thread,
                           struct fth_python_place *place)
{
    uint64_t hashes[6] = {0};
    const char *frame = inner_frame(thread);
    *place = (struct fth_python_place){0};
    for (int i = 0; frame && i < MOST_FRAMES; i++) {
        struct scope scope;
        if (!can_read(glance, frame, FRAME) || !read_scope(glance, frame, &scope))
            break;
        bool is_programs = scope.whose == FTH_PYTHON_PROGRAMS;
        if (scope.whose != FTH_PYTHON_IMPORTS && !place->inner.line) {
            if (!take_spot(glance, frame, &scope, &place->inner, hashes))
                return 0;
        } else if (is_programs && !take_spot(glance, frame, &scope, &place->outer, hashes + 3)) {
            place->outer.line = 0;
        }
        if (is_programs)
            break;
        frame = pointer_at(frame, python.layout->caller);
    }
    return place->inner.line ? XXH3_64bits(hashes, sizeof hashes) : 0;
}

/* ---- are the structures those that we know? ---- */

enum { UNTRIED, FITS, FITS_NOT };
static int trial;

static void give_up(const char *why)
{
    fth_process_note("unseen=", why);
    fth_python_is_known = false;
}

/* All frames of a thread: each is of code or of nobody, down to the last. */
static bool all_frames_fit(const char *frame)
{
    struct glance glance = {.is_in_doubt = true};
    bool has_line = false;
    for (int i = 0; frame && i < MOST_FRAMES_EVER; i++) {
        struct scope scope;
        struct fth_python_text name;
        if (!can_read(&glance, frame, FRAME) || !read_scope(&glance, frame, &scope))
            return false;
        if (scope.code && !read_text(&glance, pointer_at(scope.code, python.layout->name), &name))
            return false;
        has_line = has_line || (scope.code && line_of(&glance, frame, scope.code));
        frame = pointer_at(frame, python.layout->caller);
    }
    return !frame && has_line;
}

static __attribute__((noinline)) bool try_first(const char *thread)
{
    struct glance glance = {.is_in_doubt = true};
    int64_t code_bytes;
    bool is_there = can_read(&glance, pointer_at(thread, python.layout->thread_frame), 16);
    const char *frame = is_there ? inner_frame(thread) : NULL;
    if (!frame)
        return false; /* nothing runs yet */
    memcpy(&code_bytes, (const char *)python.code_type + FTH_PYTHON_TYPE_BYTES, sizeof code_bytes);
    bool fits = code_bytes == python.layout->code_bytes && all_frames_fit(frame);
    int untried = UNTRIED;
    if (!__atomic_compare_exchange_n(&trial, &untried, fits ? FITS : FITS_NOT, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return untried == FITS;
    if (!fits)
        give_up("the lines of Python: this build keeps its frames in another way");
    return fits;
}

uint64_t fth_python_place(struct fth_python_place *place, bool may_interrupt)
{
    const char *thread = python.own_thread();
    if (!thread || python.is_ending() ||
        (FTH_UNLIKELY(__atomic_load_n(&trial, __ATOMIC_ACQUIRE) != FITS) && !try_first(thread)))
        return 0;
    struct glance glance = {.is_in_doubt = may_interrupt && python.current_thread() == thread};
    return find_place(&glance, thread, place);
}

/* ---- as text ---- */

static char *put_spot(char *to, const struct fth_python_spot *spot)
{
    struct glance glance = {0};
    struct fth_python_text file, name;
    if (!read_text(&glance, spot->file, &file) || !read_text(&glance, spot->name, &name))
        return to;
    to = fth_put_text(fth_python_text_put_file(to, &file, LONGEST_NAME), ":");
    to = fth_put_text(fth_put_decimal(to, (uint64_t)spot->line), " ");
    return fth_python_text_put(to, &name, LONGEST_NAME);
}

size_t fth_python_place_text(const struct fth_python_place *place, char *to)
{
    struct glance glance = {0};
    struct fth_python_text file;
    char *at = to;
    if (read_text(&glance, place->inner.file, &file))
        at = fth_python_text_put(at, &file, FTH_LONGEST_PATH);
    *at++ = 0;
    at = put_spot(fth_put_text(at, FTH_PYTHON_PLACE), &place->inner);
    if (place->outer.line)
        at = put_spot(fth_put_text(at, ", from "), &place->outer);
    return (size_t)(at - to);
}

/* ---- the interpreter ---- */

static void *find(void *handle, const char *name, const char *other)
{
    void *symbol = fth_real_dlsym(handle, name);
    return symbol || !other ? symbol : fth_real_dlsym(handle, other);
}

static bool find_functions(void *handle)
{
    python.own_thread = find(handle, "PyGILState_GetThisThreadState", NULL);
    python.current_thread =
        find(handle, "_PyThreadState_UncheckedGet", "PyThreadState_GetUnchecked");
    python.is_ending = find(handle, "_Py_IsFinalizing", "Py_IsFinalizing");
    python.line_of = find(handle, "PyCode_Addr2Line", NULL);
    python.code_type = find(handle, "PyCode_Type", NULL);
    python.text_type = find(handle, "PyUnicode_Type", NULL);
    python.bytes_type = find(handle, "PyBytes_Type", NULL);
    return python.own_thread && python.current_thread && python.is_ending && python.line_of &&
           python.code_type && python.text_type && python.bytes_type;
}

/* The version of the interpreter behind the handle, "3.11.2 ..."; NULL: there is none. */
static const char *version(void *handle)
{
    const char *(*ask)(void) = find(handle, "Py_GetVersion", NULL);
    return ask && find(handle, "PyGILState_GetThisThreadState", NULL) ? ask() : NULL;
}

static void take_interpreter(void *handle)
{
    const char *of = version(handle);
    char text[128] = "the lines of Python: its version is not known: ";
    unsigned minor = 0;
    for (const char *at = of + 2; *at >= '0' && *at <= '9' && minor < 1000; at++)
        minor = 10 * minor + (unsigned)(*at - '0');
    python.layout = of[0] == '3' ? fth_python_layout(minor) : NULL;
    size_t used = strlen(text), length = strcspn(of, " ");
    if (python.layout && find_functions(handle)) {
        __atomic_store_n(&fth_python_is_known, true, __ATOMIC_RELEASE);
        return;
    }
    memcpy(text + used, of, length < 40 ? length : 40);
    give_up(text);
}

void fth_python_look(const struct fth_objects *objects)
{
    static const char *const names[] = {"PyGILState_GetThisThreadState", NULL};
    static bool is_found;
    if (is_found)
        return;
    void *handle = RTLD_DEFAULT;
    is_found = version(handle);
    for (unsigned i = 0; !is_found && i < objects->count; i++) {
        handle = fth_recognize(&objects->list[i], "libpython3", names);
        is_found = handle && version(handle);
    }
    if (is_found)
        take_interpreter(handle);
}
