/* Handles of MPI as slots. A handle becomes known when a recorded call makes it; predefined ones
 * when they are met. What is not known is never given to MPI: arguments that MPI ignores may hold
 * anything.
 *
 * A communicator or datatype is made once and freed once. Groups, infos and error handlers are
 * counted by MPI, and requests that are complete at once share one handle: for these the slot
 * counts how often it was made, and is given up with the last one. */
#include "calls.h"
#include "capture/mpi/profiling_interface.h"
#include "capture/mpi/mpi_requests.h"
#include "catalog/values.h"
#include "interpose/own/own_memory.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SLOTS = 16384,
    MOST_PREDEFINED = 256,
    LEAST_ADDRESS = 4096, /* what is below is MPI_STATUS_IGNORE and its like */
    UNDEFINED = -32766,   /* MPI_UNDEFINED, in all three ABIs */
};

static int64_t sizes[SLOTS];    /* of datatypes */
static uint8_t requests[SLOTS]; /* enum fth_mpi_request */
static int32_t counts[FTH_MPI_CLASSES][SLOTS];

static bool is_slot(int32_t slot)
{
    return slot >= 0 && slot < SLOTS;
}

static bool is_address(const void *pointer)
{
    return (uintptr_t)pointer >= LEAST_ADDRESS;
}

/* ---- values ---- */

static uint64_t narrow(uint32_t handle_class, uint64_t bits)
{
    return fth_mpi_abi.width[handle_class] == 4 ? (uint32_t)bits : bits;
}

uint64_t fth_mpi_value(uint32_t handle_class, uintptr_t parameter)
{
    return narrow(handle_class, parameter);
}

static uint64_t element(uint32_t handle_class, const void *handles, int64_t i)
{
    uint32_t narrow;
    uint64_t wide;
    if (fth_mpi_abi.width[handle_class] == 4) {
        memcpy(&narrow, (const char *)handles + i * 4, 4);
        return narrow;
    }
    memcpy(&wide, (const char *)handles + i * 8, 8);
    return wide;
}

uint64_t fth_mpi_at(uint32_t handle_class, const void *pointer)
{
    return is_address(pointer) ? element(handle_class, pointer, 0) : 0;
}

static bool is_null(uint32_t handle_class, uint64_t handle)
{
    return !handle || handle == fth_mpi_abi.null[handle_class];
}

/* ---- datatypes ---- */

static int64_t ask_size(uint64_t datatype)
{
    MPI_Count size = 0;
    int narrow_size = 0;
    int64_t known = fth_mpi_size_in_handle(datatype);
    if (known >= 0)
        return known;
    if (!fth_mpi_is_up())
        return 0;
    if (fth_pmpi.Type_size_x)
        return fth_pmpi.Type_size_x(fth_mpi_handle(datatype), &size) == 0 && size > 0 ? size : 0;
    return fth_pmpi.Type_size(fth_mpi_handle(datatype), &narrow_size) == 0 && narrow_size > 0
               ? narrow_size
               : 0;
}

int64_t fth_mpi_size(int32_t slot)
{
    return is_slot(slot) ? __atomic_load_n(&sizes[slot], __ATOMIC_RELAXED) : 0;
}

/* ---- how many processes share a communicator or file ---- */

static int32_t *members[2]; /* by slot: of communicators, of files; NULL: nobody has asked */

static int32_t **members_of(uint32_t handle_class)
{
    return handle_class == FTH_CLASS_comm       ? &members[0]
           : handle_class == FTH_CLASS_mpi_file ? &members[1]
                                                : NULL;
}

static int32_t ask_members(uint32_t handle_class, uint64_t handle)
{
    uint64_t group = 0;
    int size = 0;
    if (!fth_mpi_is_up())
        return 0;
    if (handle_class == FTH_CLASS_comm)
        return fth_pmpi.Comm_size(fth_mpi_handle(handle), &size) == 0 ? size : 0;
    if (!fth_pmpi.File_get_group || !fth_pmpi.Group_size || !fth_pmpi.Group_free ||
        fth_pmpi.File_get_group(fth_mpi_handle(handle), &group) != 0)
        return 0;
    if (fth_pmpi.Group_size(fth_mpi_handle(group), &size) != 0)
        size = 0;
    fth_pmpi.Group_free(&group);
    return size;
}

static int32_t known_members(uint32_t handle_class, int32_t slot)
{
    int32_t **table = members_of(handle_class);
    return table && *table && is_slot(slot) ? __atomic_load_n(*table + slot, __ATOMIC_RELAXED) : 0;
}

static bool make_members(int32_t **table)
{
    int32_t *made = *table ? NULL : fth_map_memory(SLOTS * sizeof *made), *none = NULL;
    if (made &&
        !__atomic_compare_exchange_n(table, &none, made, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        fth_unmap(made, SLOTS * sizeof *made); /* another thread was first */
    return *table;
}

static void know_members(uint32_t handle_class, uint64_t handle, int32_t slot)
{
    int32_t **table = fth_meetings_end_phases ? members_of(handle_class) : NULL;
    if (!table || !is_slot(slot) || !make_members(table))
        return;
    fth_members_of = known_members;
    __atomic_store_n(*table + slot, ask_members(handle_class, handle), __ATOMIC_RELAXED);
}

/* One that is not predefined has a name only if it is a file. */
static int32_t bind_made(uint32_t handle_class, uint64_t handle, const char *path)
{
    if (handle_class == FTH_CLASS_mpi_file)
        return fth_open_handle(handle_class, handle, path);
    int before = errno;
    int32_t slot = fth_bind_handle_at(handle_class, handle, 0);
    errno = before;
    return slot;
}

static int32_t open_object(uint32_t handle_class, uint64_t handle, const char *path,
                           bool is_predefined)
{
    int before = errno;
    int64_t size = handle_class == FTH_CLASS_datatype ? ask_size(handle) : 0;
    int32_t slot = is_predefined ? fth_open_handle(handle_class, handle, NULL)
                                 : bind_made(handle_class, handle, path);
    if (handle_class == FTH_CLASS_datatype && is_slot(slot))
        __atomic_store_n(&sizes[slot], size, __ATOMIC_RELAXED);
    know_members(handle_class, handle, slot);
    errno = before;
    return slot;
}

/* ---- one handle ---- */

/* Two threads may meet it at once. Its slot + 1 is remembered: it is never given up. */
static int32_t adopt(uint32_t handle_class, uint64_t handle, int32_t *slot_of_it)
{
    static struct fth_lock lock;
    fth_lock(&lock);
    int32_t slot = fth_find_handle(handle_class, handle);
    if (slot == FTH_SLOT_UNKNOWN)
        slot = open_object(handle_class, handle, NULL, true);
    if (slot >= 0)
        __atomic_store_n(slot_of_it, slot + 1, __ATOMIC_RELEASE);
    fth_unlock(&lock);
    return slot;
}

/* The slot of a predefined handle; FTH_SLOT_UNKNOWN: it is none. */
static int32_t find_predefined(uint32_t handle_class, uint64_t handle)
{
    static int32_t slots[MOST_PREDEFINED]; /* + 1 */
    int known = fth_mpi_find_predefined(handle_class, handle);
    if (known < 0 || known >= MOST_PREDEFINED)
        return FTH_SLOT_UNKNOWN;
    int32_t slot = __atomic_load_n(&slots[known], __ATOMIC_ACQUIRE) - 1;
    return FTH_LIKELY(slot >= 0) ? slot : adopt(handle_class, handle, &slots[known]);
}

int32_t fth_mpi_find(uint32_t handle_class, uint64_t handle)
{
    if (is_null(handle_class, handle))
        return FTH_SLOT_NONE;
    int32_t slot = fth_find_handle(handle_class, handle);
    return slot != FTH_SLOT_UNKNOWN ? slot : find_predefined(handle_class, handle);
}

static bool is_counted(uint32_t handle_class)
{
    switch (handle_class) {
    case FTH_CLASS_request:
    case FTH_CLASS_message:
    case FTH_CLASS_group:
    case FTH_CLASS_info:
    case FTH_CLASS_errhandler:
    case FTH_CLASS_session:
        return true;
    default:
        return false;
    }
}

/* The slot, if the handle has one that counts: it was made once more. */
static int32_t count_again(uint32_t handle_class, uint64_t handle)
{
    int32_t slot = fth_find_handle(handle_class, handle);
    bool again =
        is_slot(slot) && __atomic_fetch_add(&counts[handle_class][slot], 1, __ATOMIC_RELAXED) > 0;
    return again ? slot : FTH_SLOT_UNKNOWN;
}

static int32_t open_counted(uint32_t handle_class, uint64_t handle)
{
    int32_t slot = count_again(handle_class, handle);
    if (is_slot(slot))
        return slot;
    slot = bind_made(handle_class, handle, NULL);
    if (is_slot(slot))
        __atomic_store_n(&counts[handle_class][slot], 1, __ATOMIC_RELAXED);
    return slot;
}

/* ROMIO and OMPIO take "ufs:/path" for /path on a file system of that kind. */
static const char *without_prefix(const char *path)
{
    static const char *const kinds[] = {
        "ufs:", "nfs:", "lustre:", "gpfs:", "panfs:", "pvfs2:", "xfs:", "daos:", "testfs:"};
    for (size_t i = 0; path && i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(path, kinds[i], strlen(kinds[i])) == 0)
            return path + strlen(kinds[i]);
    return path;
}

int32_t fth_mpi_open(uint32_t handle_class, const void *pointer, const char *path)
{
    uint64_t handle = fth_mpi_at(handle_class, pointer);
    if (handle_class == FTH_CLASS_session && !is_null(handle_class, handle))
        fth_mpi_session_was_made();
    if (is_null(handle_class, handle))
        return FTH_SLOT_NONE;
    int32_t slot = find_predefined(handle_class, handle);
    if (slot != FTH_SLOT_UNKNOWN)
        return slot;
    return is_counted(handle_class)
               ? open_counted(handle_class, handle)
               : open_object(handle_class, handle, without_prefix(path), false);
}

/* ---- new requests ---- */

/* Handles that stand for several requests at a time: those of messages that were sent at once. */
static bool is_shared(uint64_t handle, bool now)
{
    static uint64_t shared[16];
    uint64_t *place = &shared[(handle * 0x9E3779B97F4A7C15u) >> 60];
    if (now)
        __atomic_store_n(place, handle, __ATOMIC_RELAXED);
    return __atomic_load_n(place, __ATOMIC_RELAXED) == handle;
}

/* Whose request it is: function, and those of its values that `identity` names. */
static uint32_t owner_of(const struct fth_draft *draft, uint32_t identity)
{
    uint64_t hash = draft->head & 0xffff;
    for (; identity; identity &= identity - 1) {
        uint64_t value = (uint64_t)draft->values[__builtin_ctz(identity)];
        hash = (hash ^ hash >> 29 ^ value) * 0xBF58476D1CE4E5B9u;
    }
    return (uint32_t)(hash >> 32) | 1;
}

int32_t fth_mpi_open_request(const struct fth_draft *draft, const void *pointer, uint32_t identity,
                             enum fth_mpi_request what)
{
    uint64_t handle = fth_mpi_at(FTH_CLASS_request, pointer);
    if (is_null(FTH_CLASS_request, handle))
        return FTH_SLOT_NONE;
    int32_t slot = count_again(FTH_CLASS_request, handle);
    bool again = is_slot(slot);
    bool shared = is_shared(handle, again);
    if (!again) {
        int before = errno;
        uint32_t owner = shared ? (uint32_t)(handle >> 3) | 1 : owner_of(draft, identity);
        slot = fth_bind_handle_at(FTH_CLASS_request, handle, fth_requests_choose(owner));
        errno = before;
    }
    if (is_slot(slot)) {
        requests[slot] = (uint8_t)what;
        if (!again)
            __atomic_store_n(&counts[FTH_CLASS_request][slot], 1, __ATOMIC_RELAXED);
    }
    return slot;
}

static int32_t close_slot(uint32_t handle_class, uint64_t handle, int32_t slot)
{
    if (is_slot(slot) && is_counted(handle_class) &&
        __atomic_sub_fetch(&counts[handle_class][slot], 1, __ATOMIC_RELAXED) > 0)
        return slot;
    return fth_close_handle(handle_class, handle);
}

int32_t fth_mpi_close(uint32_t handle_class, uint64_t handle)
{
    if (is_null(handle_class, handle))
        return FTH_SLOT_NONE;
    int32_t slot = find_predefined(handle_class, handle);
    if (slot != FTH_SLOT_UNKNOWN)
        return slot;
    return is_counted(handle_class)
               ? close_slot(handle_class, handle, fth_find_handle(handle_class, handle))
               : fth_close_handle(handle_class, handle);
}

/* ---- arrays of handles ---- */

static bool has_name(uint32_t handle_class)
{
    return !is_counted(handle_class) && handle_class != FTH_CLASS_mpi_file;
}

static int64_t list_of(struct fth_draft *draft, const int32_t *integers, int64_t n)
{
    int before = errno;
    int64_t list = fth_list(draft, integers, n, sizeof *integers);
    errno = before;
    return list;
}

void fth_mpi_save(struct fth_draft *draft, uint32_t handle_class, const void *handles, int64_t n,
                  struct fth_mpi_handles *saved)
{
    saved->nulls = 0;
    saved->count = -1;
    if (!is_address(handles) || n < 0)
        return;
    saved->count = n < FTH_MPI_MOST ? n : FTH_MPI_MOST;
    for (int64_t i = 0; i < saved->count; i++) {
        saved->handles[i] = element(handle_class, handles, i);
        saved->slots[i] = fth_mpi_find(handle_class, saved->handles[i]);
        if (has_name(handle_class))
            fth_note_binding(draft, handle_class, saved->slots[i]);
    }
}

void fth_mpi_save_ending(struct fth_draft *draft, uint32_t handle_class, const void *handles,
                         int64_t n, struct fth_mpi_handles *saved)
{
    fth_mpi_save(draft, handle_class, handles, n, saved);
    saved->nulls = fth_requests_seen(handles, saved->slots, saved->count);
}

/* What element `i` is the handle of; FTH_SLOT_NONE for those that are null already. */
static int32_t slot_at(const struct fth_mpi_handles *saved, int64_t i)
{
    bool is_null = i < 64 && (saved->nulls >> i & 1);
    return is_null ? FTH_SLOT_NONE : saved->slots[i];
}

int64_t fth_mpi_list(struct fth_draft *draft, const struct fth_mpi_handles *saved)
{
    return saved->count < 0 ? 0 : list_of(draft, saved->slots, saved->count);
}

/* ---- completed requests ---- */

void fth_mpi_done(uint32_t handle_class, const void *pointer, uint64_t given)
{
    if (is_null(handle_class, given) || !is_null(handle_class, fth_mpi_at(handle_class, pointer)))
        return;
    int32_t slot = fth_mpi_close(handle_class, given);
    fth_requests_seen(pointer, &slot, 1);
}

void fth_mpi_done_all(uint32_t handle_class, const void *handles,
                      const struct fth_mpi_handles *saved)
{
    for (int64_t i = 0; i < saved->count; i++)
        if (is_slot(slot_at(saved, i)) && is_null(handle_class, element(handle_class, handles, i)))
            close_slot(handle_class, saved->handles[i], saved->slots[i]);
}

bool fth_mpi_receives(int32_t slot)
{
    return is_slot(slot) && requests[slot] != FTH_REQUEST_OTHER;
}

enum fth_mpi_request fth_mpi_receives_from(int source, int tag)
{
    if (source >= 0 && tag >= 0)
        return FTH_REQUEST_RECEIVES;
    bool mpich = fth_mpi_abi.name[0] == 'm'; /* MPI_ANY_SOURCE is -2 there, elsewhere -1 */
    bool anybody = source == (mpich ? -2 : -1);
    return anybody || (source >= 0 && tag < 0) ? FTH_REQUEST_RECEIVES_ANY : FTH_REQUEST_RECEIVES;
}

bool fth_mpi_is_of_file(int32_t slot)
{
    return is_slot(slot) && requests[slot] == FTH_REQUEST_OF_FILE;
}

bool fth_mpi_is_of_file_at(const struct fth_mpi_handles *saved, const int *index)
{
    return index && *index >= 0 && *index < saved->count &&
           fth_mpi_is_of_file(slot_at(saved, *index));
}

bool fth_mpi_receives_at(const struct fth_mpi_handles *saved, const int *index)
{
    return index && *index >= 0 && *index < saved->count &&
           fth_mpi_receives(slot_at(saved, *index));
}

/* ---- statuses ---- */

int64_t fth_mpi_filled(const int *outcount)
{
    return outcount && *outcount > 0 ? *outcount : 0;
}

MPI_Status *fth_mpi_status(const void *status, struct fth_mpi_own_status *own)
{
    if ((uintptr_t)status != fth_mpi_abi.status_ignore)
        return (MPI_Status *)(uintptr_t)status;
    memset(own, 0, sizeof *own);
    return (MPI_Status *)own;
}

MPI_Status *fth_mpi_own_statuses(const void *statuses, const struct fth_mpi_handles *saved,
                                 struct fth_mpi_own_statuses *own)
{
    bool any = false;
    if ((uintptr_t)statuses != fth_mpi_abi.status_ignore || saved->count > FTH_MPI_MOST_OWN)
        return (MPI_Status *)(uintptr_t)statuses;
    for (int64_t i = 0; i < saved->count && !any; i++)
        any = is_slot(slot_at(saved, i)) && requests[slot_at(saved, i)] == FTH_REQUEST_RECEIVES_ANY;
    if (!any)
        return (MPI_Status *)(uintptr_t)statuses;
    memset(own, 0, (size_t)saved->count * fth_mpi_abi.status_size);
    return (MPI_Status *)own;
}

static int32_t field(const void *status, uint32_t at)
{
    int32_t value;
    memcpy(&value, (const char *)status + at, sizeof value);
    return value;
}

int64_t fth_mpi_bytes(const void *status)
{
    MPI_Count bytes = 0;
    int narrow_bytes = 0, result;
    if (!is_address(status))
        return 0;
    MPI_Datatype byte = fth_mpi_handle(fth_mpi_abi.byte);
    if (fth_pmpi.Get_elements_x) {
        result = fth_pmpi.Get_elements_x(status, byte, &bytes);
    } else {
        result = fth_pmpi.Get_elements(status, byte, &narrow_bytes);
        bytes = narrow_bytes;
    }
    return result == 0 && bytes > 0 ? bytes : 0;
}

int64_t fth_mpi_source(const void *status, bool of_file)
{
    if (!is_address(status))
        return FTH_ABSENT;
    return of_file ? FTH_STATUS_MOVED : field(status, fth_mpi_abi.source_at);
}

int64_t fth_mpi_tag(const void *status, bool of_file)
{
    if (!is_address(status))
        return FTH_ABSENT;
    return of_file ? fth_mpi_bytes(status) : field(status, fth_mpi_abi.tag_at);
}

int64_t fth_mpi_statuses(struct fth_draft *draft, const void *statuses, int64_t n,
                         const struct fth_mpi_handles *saved, const int *indices)
{
    int64_t pairs[FTH_MPI_MOST];
    int64_t count = n < FTH_MPI_MOST / 2 ? n : FTH_MPI_MOST / 2;
    bool any = false;
    if (!is_address(statuses))
        return 0;
    for (int64_t i = 0; i < count; i++) {
        const char *status = (const char *)statuses + i * fth_mpi_abi.status_size;
        int at = indices ? indices[i] : (int)i;
        bool received = fth_mpi_receives_at(saved, &at);
        bool of_file = fth_mpi_is_of_file_at(saved, &at);
        pairs[2 * i] = received ? fth_mpi_source(status, of_file) : UNDEFINED;
        pairs[2 * i + 1] = received ? fth_mpi_tag(status, of_file) : UNDEFINED;
        any = any || received;
    }
    if (!any)
        return 0;
    int before = errno;
    int64_t list = fth_list(draft, pairs, 2 * count, sizeof *pairs);
    errno = before;
    return list;
}
