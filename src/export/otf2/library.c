/* The way out is a jump. A thread that has left the library gives its locks back, and one that
 * waits for such a lock leaves, too. */
#ifdef FATHOM_OTF2
#include "export/otf2/library.h"

#include "base/memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    MOST_HELD = 8,
    EVENT_CHUNK = 1 << 20,
    DEFINITION_CHUNK = 4 << 20,
    MOST_CHUNKS = 32, /* of definitions: as much as the library would take */
    MOST_EVENT_CHUNKS = 4,
    MOST_SPARE = 16,
};

/* Of the function that this thread is in; NULL: none. */
static _Thread_local jmp_buf *way_out;
/* Locks of the library that this thread holds. */
static _Thread_local OTF2_Lock held[MOST_HELD];
static _Thread_local size_t held_count;
static pthread_mutex_t complaining = PTHREAD_MUTEX_INITIALIZER;
/* What could not be written: it cannot be closed either. */
static OTF2_Archive *left_open;

/* OTF2 leaves to the caller what a lock is. */
struct OTF2_LockObject {
    pthread_mutex_t mutex;
};

static void leave(void)
{
    while (held_count)
        pthread_mutex_unlock(&held[--held_count]->mutex);
    if (way_out)
        longjmp(*way_out, 1);
}

static OTF2_ErrorCode complain(void *data, const char *file, uint64_t line, const char *function,
                               OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct fth_otf2_library *library = data;
    (void)file;
    (void)line;
    (void)function;
    (void)format;
    (void)arguments;
    if (code == OTF2_WARNING || code == OTF2_DEPRECATED)
        return code;
    pthread_mutex_lock(&complaining);
    if (!library->complaint)
        library->complaint = OTF2_Error_GetDescription(code);
    library->has_failed = true;
    pthread_mutex_unlock(&complaining);
    leave();
    return code;
}

/* ---- locks ---- */

static OTF2_CallbackCode create_lock(void *data, OTF2_Lock *lock)
{
    (void)data;
    *lock = fth_new(1, sizeof **lock);
    pthread_mutex_init(&(*lock)->mutex, NULL);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode destroy_lock(void *data, OTF2_Lock lock)
{
    (void)data;
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_lock(void *data, OTF2_Lock lock)
{
    const struct fth_otf2_library *library = data;
    if (held_count == MOST_HELD)
        return OTF2_CALLBACK_ERROR;
    pthread_mutex_lock(&lock->mutex);
    held[held_count++] = lock;
    if (library->has_failed)
        leave();
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode give_lock(void *data, OTF2_Lock lock)
{
    size_t i = 0;
    (void)data;
    while (i < held_count && held[i] != lock)
        i++;
    if (i < held_count)
        held[i] = held[--held_count];
    pthread_mutex_unlock(&lock->mutex);
    return OTF2_CALLBACK_SUCCESS;
}

static const OTF2_LockingCallbacks locking = {.otf2_create = create_lock,
                                              .otf2_destroy = destroy_lock,
                                              .otf2_lock = take_lock,
                                              .otf2_unlock = give_lock};

/* ---- memory ---- */

/* Chunks of a writer. When there are no more it writes them, and they are free again. Left to
 * itself, the library takes 128 MiB for each. */
struct chunks {
    uint64_t size; /* of each */
    size_t count;
    void *all[MOST_CHUNKS];
};

/* Chunks that no writer has. Each location has two writers for a moment, and new pages for each
 * took most of the time of an archive with thousands of them. */
static struct {
    pthread_mutex_t lock;
    size_t count;
    struct spare {
        void *chunk;
        uint64_t size;
    } all[MOST_SPARE];
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *take_spare(uint64_t size)
{
    void *chunk = NULL;
    pthread_mutex_lock(&spare.lock);
    for (size_t i = spare.count; i-- > 0 && !chunk;)
        if (spare.all[i].size == size) {
            chunk = spare.all[i].chunk;
            spare.all[i] = spare.all[--spare.count];
        }
    pthread_mutex_unlock(&spare.lock);
    return chunk;
}

static void give_spare(void *chunk, uint64_t size)
{
    pthread_mutex_lock(&spare.lock);
    if (spare.count < MOST_SPARE) {
        spare.all[spare.count++] = (struct spare){chunk, size};
        chunk = NULL;
    }
    pthread_mutex_unlock(&spare.lock);
    free(chunk);
}

static void free_spare(void)
{
    while (spare.count)
        free(spare.all[--spare.count].chunk);
}

static void *take_chunk(void *data, OTF2_FileType type, OTF2_LocationRef location, void **of_writer,
                        uint64_t size)
{
    struct chunks *chunks = *of_writer;
    size_t most = type == OTF2_FILETYPE_EVENTS ? MOST_EVENT_CHUNKS : MOST_CHUNKS;
    (void)data;
    (void)location;
    if (!chunks)
        chunks = *of_writer = fth_new(1, sizeof *chunks);
    if (chunks->count == most)
        return NULL;
    void *chunk = take_spare(size);
    chunks->size = size;
    return chunks->all[chunks->count++] = chunk ? chunk : fth_new(size, 1);
}

static void give_chunks(void *data, OTF2_FileType type, OTF2_LocationRef location, void **of_writer,
                        bool is_last)
{
    struct chunks *chunks = *of_writer;
    (void)data;
    (void)type;
    (void)location;
    while (chunks && chunks->count)
        give_spare(chunks->all[--chunks->count], chunks->size);
    if (!is_last)
        return;
    free(chunks);
    *of_writer = NULL;
}

static const OTF2_MemoryCallbacks memory = {.otf2_allocate = take_chunk,
                                            .otf2_free_all = give_chunks};

/* ---- the archive ---- */

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location,
                                   void *caller, bool is_last)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_last;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushing = {.otf2_pre_flush = before_flush};

static void open_archive(void *argument)
{
    struct fth_otf2_library *library = argument;
    library->archive =
        OTF2_Archive_Open(library->folder, "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK,
                          DEFINITION_CHUNK, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (!library->archive)
        return;
    OTF2_Archive_SetFlushCallbacks(library->archive, &flushing, NULL);
    OTF2_Archive_SetMemoryCallbacks(library->archive, &memory, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(library->archive);
    OTF2_Archive_SetLockingCallbacks(library->archive, &locking, library);
    OTF2_Archive_SetCreator(library->archive, "fathom " FATHOM_VERSION);
    OTF2_Archive_OpenEvtFiles(library->archive);
}

int fth_otf2_open(struct fth_otf2_library *library, const char *folder, struct fth_error **error)
{
    library->folder = folder;
    OTF2_Error_RegisterCallback(complain, library);
    int result = fth_otf2_use(library, open_archive, library, error);
    return !result && !library->archive ? fth_fail(error, "the OTF2 library makes no archive")
                                        : result;
}

int fth_otf2_use(struct fth_otf2_library *library, void (*function)(void *argument), void *argument,
                 struct fth_error **error)
{
    jmp_buf here;
    if (!library->has_failed && !setjmp(here)) {
        way_out = &here;
        function(argument);
    }
    way_out = NULL;
    return library->has_failed
               ? fth_fail(error, "cannot write the OTF2 archive in '%s': %s", library->folder,
                          library->complaint)
               : 0;
}

static void close_archive(void *argument)
{
    OTF2_Archive_Close(argument);
}

int fth_otf2_close(struct fth_otf2_library *library, struct fth_error **error)
{
    left_open = library->archive;
    int result =
        library->archive ? fth_otf2_use(library, close_archive, library->archive, error) : 0;
    if (!result)
        left_open = NULL;
    free_spare();
    return result;
}
#endif
