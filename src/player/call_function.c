/* Calls a function with the arguments of an operation. */
#include "player/player.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

enum { ROOM = 1 << 16 };

/* What arguments point to while a call lasts. */
static _Thread_local struct {
    size_t used;
    int64_t places[FTH_SCRIPT_ARGUMENTS];
    const int64_t *last_place;
    uint64_t room[ROOM / 8];
} scratch;

static void *take(size_t bytes)
{
    size_t at = scratch.used;
    if (bytes > ROOM - at)
        fth_player_fail("an array of %zu bytes is too long", bytes);
    scratch.used = (at + bytes + 15) & ~(size_t)15;
    return (char *)scratch.room + at;
}

static int64_t handle(const struct fth_script_parameter *parameter, int64_t slot)
{
    struct fth_player *player = &fth_player;
    if (slot >= 0) {
        int64_t *value = &player->slots[parameter->handle_class][slot];
        /* Libraries free it even if they say that they failed: nobody has it from now on. */
        if (!parameter->gives_up)
            return *value;
        int64_t given_up = __atomic_exchange_n(value, 0, __ATOMIC_ACQ_REL);
        if (parameter->handle_class == player->plan->stream_class && given_up)
            fth_player_forget_stream(given_up);
        return given_up;
    }
    if (slot == FTH_SCRIPT_NO_HANDLE)
        return 0;
    int64_t blob = -1 - slot;
    if (!player->is_known[blob]) {
        const char *name = fth_player_blob(blob);
        player->known[blob] =
            strncmp(name, "H5", 2) ? fth_player_predefined(name) : fth_player_hdf5_predefined(name);
        player->is_known[blob] = true;
    }
    return player->known[blob];
}

static unsigned width_of(const struct fth_script_parameter *parameter)
{
    return parameter->width ? parameter->width : fth_player_handle_width(parameter->handle_class);
}

static int64_t vector(int64_t blob)
{
    const uint64_t *lengths = (const void *)fth_player_blob(blob);
    size_t count = fth_player_blob_length(blob) / sizeof *lengths;
    struct iovec *pieces = take(count * sizeof *pieces);
    char *at = fth_player.given;
    for (size_t i = 0; i < count; i++) {
        pieces[i] = (struct iovec){at, lengths[i]};
        at += lengths[i];
    }
    return (int64_t)(uintptr_t)pieces;
}

static int64_t cells(const struct fth_script_parameter *parameter, int64_t blob)
{
    const int64_t *numbers = (const void *)fth_player_blob(blob);
    size_t count = fth_player_blob_length(blob) / sizeof *numbers;
    unsigned width = width_of(parameter);
    char *list = take(count * width + 1);
    for (size_t i = 0; i < count; i++) {
        int64_t one = handle(parameter, numbers[i]);
        memcpy(list + i * width, &one, width);
    }
    return (int64_t)(uintptr_t)list;
}

static void put_descriptors_back(const int64_t *numbers, size_t count, const int *list)
{
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= 0)
            fth_player.slots[fth_player.plan->fd_class][numbers[i]] = list[i];
    fth_player_follow_descriptors();
}

static void put_cells_back(const struct fth_script_parameter *parameter, int64_t blob,
                           int64_t pointer)
{
    const int64_t *numbers = (const void *)fth_player_blob(blob);
    size_t count = fth_player_blob_length(blob) / sizeof *numbers;
    unsigned width = width_of(parameter);
    const char *list = (const char *)(uintptr_t)pointer;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] >= 0)
            memcpy(&fth_player.slots[parameter->handle_class][numbers[i]], list + i * width, width);
    if (parameter->handle_class == fth_player.plan->fd_class)
        put_descriptors_back(numbers, count, (const int *)(const void *)list);
}

static int64_t cell(const struct fth_script_parameter *parameter, int64_t slot)
{
    if (slot >= 0)
        return (int64_t)(uintptr_t)&fth_player.slots[parameter->handle_class][slot];
    int64_t *copy = take(sizeof *copy);
    *copy = slot == FTH_SCRIPT_NO_HANDLE ? 0 : handle(parameter, slot);
    return (int64_t)(uintptr_t)copy;
}

static int64_t buffer(const char *start, int64_t distance)
{
    if (distance == FTH_SCRIPT_IN_PLACE)
        return fth_player_in_place();
    if (distance == FTH_SCRIPT_ASIDE)
        return (int64_t)(uintptr_t)start + (int64_t)fth_player.plan->buffer_bytes;
    if (distance == FTH_SCRIPT_ABSENT)
        return 0;
    return (int64_t)(uintptr_t)start + distance;
}

/* What functions call for each of a list: nothing is done with it. */
static int64_t go_on(void)
{
    return 0;
}

/* A copy: the kernel writes into what it is asked with (F_GETLK), and the script is only read. */
static int64_t own_copy(int64_t blob)
{
    size_t length = fth_player_blob_length(blob);
    return (int64_t)(uintptr_t)memcpy(take(length), fth_player_blob(blob), length);
}

static int64_t argument(const struct fth_player_thread *thread, unsigned number,
                        const struct fth_script_parameter *parameter, int64_t value)
{
    switch ((enum fth_script_form)parameter->form) {
    case FTH_SCRIPT_TEXT:
    case FTH_SCRIPT_NUMBERS:
        return value < 0 ? 0 : (int64_t)(uintptr_t)fth_player_blob(value);
    case FTH_SCRIPT_WORDS:
        return value < 0 ? 0 : (int64_t)(uintptr_t)(fth_player.words_end - value);
    case FTH_SCRIPT_VECTOR:
        return value < 0 ? 0 : vector(value);
    case FTH_SCRIPT_HANDLE:
        return handle(parameter, value);
    case FTH_SCRIPT_CELL:
        return cell(parameter, value);
    case FTH_SCRIPT_CELLS:
        return value < 0 ? 0 : cells(parameter, value);
    case FTH_SCRIPT_GIVEN:
        return buffer(fth_player.given, value);
    case FTH_SCRIPT_TAKEN:
        return buffer(thread->taken, value);
    case FTH_SCRIPT_PLACE:
        if (value == FTH_SCRIPT_NOWHERE)
            return 0;
        scratch.places[number] = value;
        scratch.last_place = &scratch.places[number];
        return (int64_t)(uintptr_t)&scratch.places[number];
    case FTH_SCRIPT_EITHER:
        return value < 0 ? own_copy(-1 - value) : value;
    case FTH_SCRIPT_NULL:
        return 0;
    case FTH_SCRIPT_CALLBACK:
        return (int64_t)(uintptr_t)go_on;
    case FTH_SCRIPT_INTEGER:
    case FTH_SCRIPT_REAL:
        break;
    }
    return value;
}

/* Arguments that a function does not have do no harm: the caller takes them away. */
static int64_t call(void *address, const int64_t *a, unsigned count)
{
    typedef int64_t few(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
    typedef int64_t many(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                         int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
    if (count <= 6)
        return ((few *)address)(a[0], a[1], a[2], a[3], a[4], a[5]);
    return ((many *)address)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
                             a[11], a[12], a[13]);
}

/* Numbers with a fraction have registers of their own: `a` lacks it, wherever it stood. */
static int64_t call_with_real(void *address, const int64_t *a, double real)
{
    typedef int64_t few(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, double);
    return ((few *)address)(a[0], a[1], a[2], a[3], a[4], a[5], real);
}

static int64_t call_it(const struct fth_script_function *function, void *address, int64_t *a,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        double real;
        if (function->parameters[i].form != FTH_SCRIPT_REAL)
            continue;
        memcpy(&real, &a[i], sizeof real);
        memmove(&a[i], &a[i + 1], (count - i - 1) * sizeof *a);
        return call_with_real(address, a, real);
    }
    return call(address, a, count);
}

/* A handle that is not there, because the call that makes it failed here and had not: functions
 * would follow the pointer. */
static bool lacks_handle(const struct fth_script_function *function, unsigned number, int64_t value)
{
    const struct fth_script_parameter *parameter = &function->parameters[number];
    bool is_pointer = function->is_mpi || parameter->handle_class == fth_player.plan->comm_class ||
                      parameter->handle_class == fth_player.plan->stream_class ||
                      parameter->handle_class == fth_player.plan->dir_class;
    return parameter->form == FTH_SCRIPT_HANDLE && is_pointer && !value;
}

int64_t fth_player_call(struct fth_player_thread *thread, const struct fth_script_op *op,
                        int *error)
{
    const struct fth_script_function *function = &fth_player.functions[op->function];
    int64_t arguments[FTH_SCRIPT_ARGUMENTS];
    bool has_cells = false;
    scratch.used = 0;
    for (unsigned i = 0; i < op->count; i++) {
        const struct fth_script_parameter *parameter = &function->parameters[i];
        arguments[i] = parameter->form == FTH_SCRIPT_INTEGER
                           ? op->arguments[i]
                           : argument(thread, i, parameter, op->arguments[i]);
        has_cells |= parameter->form == FTH_SCRIPT_CELLS;
        if (lacks_handle(function, i, arguments[i])) {
            *error = EBADF;
            return function->result == FTH_SCRIPT_POINTER ? 0 : -1;
        }
    }
    errno = 0;
    void *address = fth_player.addresses[op->function];
    int64_t result = function->has_real ? call_it(function, address, arguments, op->count)
                                        : call(address, arguments, op->count);
    *error = errno;
    for (unsigned i = 0; has_cells && i < op->count; i++)
        if (function->parameters[i].form == FTH_SCRIPT_CELLS && op->arguments[i] >= 0)
            put_cells_back(&function->parameters[i], op->arguments[i], arguments[i]);
    return function->narrow ? (int32_t)result : result;
}

bool fth_player_flag(void)
{
    return scratch.last_place && (int32_t)*scratch.last_place != 0;
}
