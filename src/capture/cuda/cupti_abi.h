/* As much of CUPTI's binary interface as is used, in our own words. Its records grow at their ends
 * from version to version: what is read here stands at the same places from CUDA 11.8 to 13.5
 * (tests/house/cupti compares with the headers). */
#ifndef FTH_CAPTURE_CUDA_CUPTI_ABI_H
#define FTH_CAPTURE_CUDA_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

/* What cuptiGetVersion says: up to CUDA 12 a small number, then major * 10000 + minor * 100. */
enum {
    FTH_CUPTI_OLDEST = 18, /* CUDA 11.8 */
    FTH_CUPTI_LAST_OF_12 = 28,
    FTH_CUPTI_13 = 130000,
    FTH_CUPTI_14 = 140000
};

enum fth_cupti_kind {
    FTH_CUPTI_MEMCPY = 1,
    FTH_CUPTI_MEMSET = 2,
    FTH_CUPTI_KERNEL = 3, /* one at a time; not asked for, as it would make them so */
    FTH_CUPTI_DRIVER = 4,
    FTH_CUPTI_RUNTIME = 5,
    FTH_CUPTI_CONCURRENT_KERNEL = 10,
    FTH_CUPTI_MEMCPY_PEER = 22,
    FTH_CUPTI_SYNCHRONIZATION = 38,
};
enum { FTH_CUPTI_DOMAIN_DRIVER = 1, FTH_CUPTI_DOMAIN_RUNTIME = 2 };
enum { FTH_CUPTI_FLUSH_FORCED = 1, FTH_CUPTI_SYSTEM_THREAD_IDS = 1 };

struct fth_cupti_api { /* CUpti_ActivityAPI */
    uint32_t kind, cbid;
    uint64_t start, end; /* ns, as of all records; 0: not known */
    uint32_t process, thread, correlation, result;
};

struct fth_cupti_kernel { /* CUpti_ActivityKernel9 */
    uint32_t kind, flags[3];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3], static_shared, dynamic_shared, local_per_thread, local_total;
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
};

struct fth_cupti_copy { /* CUpti_ActivityMemcpy6 */
    uint32_t kind;
    uint8_t copy, from, to, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
};

struct fth_cupti_peer { /* CUpti_ActivityMemcpyPtoP4 */
    uint32_t kind;
    uint8_t copy, from, to, flags;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, from_device, from_context, to_device, to_context, correlation;
};

struct fth_cupti_set { /* CUpti_ActivityMemset4 */
    uint32_t kind, value;
    uint64_t bytes, start, end;
    uint32_t device, context, stream, correlation;
};

struct fth_cupti_wait { /* CUpti_ActivitySynchronization */
    uint32_t kind, type;
    uint64_t start, end;
    uint32_t correlation, context, stream, event;
};

/* Its functions return 0 when they have done their work. */
typedef void fth_cupti_requested(uint8_t **buffer, size_t *size, size_t *most_records);
typedef void fth_cupti_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t used);
#define FTH_CUPTI_FUNCTIONS(FUNCTION)                                                              \
    FUNCTION(cuptiGetVersion, (uint32_t * version))                                                \
    FUNCTION(cuptiGetTimestamp, (uint64_t * ns))                                                   \
    FUNCTION(cuptiGetCallbackName, (uint32_t domain, uint32_t cbid, const char **name))            \
    FUNCTION(cuptiActivityRegisterCallbacks, (fth_cupti_requested *, fth_cupti_completed *))       \
    FUNCTION(cuptiActivityEnable, (uint32_t kind))                                                 \
    FUNCTION(cuptiActivityDisable, (uint32_t kind))                                                \
    FUNCTION(cuptiActivityFlushAll, (uint32_t flags))                                              \
    FUNCTION(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t used, void **record))           \
    FUNCTION(cuptiActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *dropped))

struct fth_cupti {
#define FTH_CUPTI_DECLARE(name, arguments) int(*name) arguments;
    FTH_CUPTI_FUNCTIONS(FTH_CUPTI_DECLARE)
};

#endif
