/* A libcupti.so without a GPU. What it tells is played by the program: fake_play(SCENE) of this
 * library hands out records as CUPTI would, in buffers of its user. FAKE_CUPTI in the environment
 * makes it an old one, one that refuses, or one that hangs when it is flushed. */
#include "capture/cuda/cupti_abi.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PADDING = 64 }; /* records of the real one are longer than what is known of them */

static fth_cupti_requested *requested;
static fth_cupti_completed *completed;
static uint8_t enabled[64];
static size_t dropped;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int mode_is(const char *mode)
{
    const char *chosen = getenv("FAKE_CUPTI");
    return chosen && strcmp(chosen, mode) == 0;
}

/* Another clock than that of the program, as CUPTI's is. */
static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int cuptiGetVersion(uint32_t *version)
{
    *version = mode_is("old") ? 12 : mode_is("13") ? 130500 : 28;
    return 0;
}

int cuptiGetTimestamp(uint64_t *ns)
{
    *ns = now();
    return 0;
}

int cuptiGetCallbackName(uint32_t domain, uint32_t cbid, const char **name)
{
    static const char *const names[2][3] = {
        {"cuLaunchKernel", "cuMemcpyHtoD_v2", "cuInit"},
        {"cudaLaunchKernel_v7000", "cudaMemcpy_v3020", "cudaMalloc_v3020"}};
    if (domain < 1 || domain > 2 || cbid > 2)
        return 1;
    *name = names[domain - 1][cbid];
    return 0;
}

int cuptiActivityRegisterCallbacks(fth_cupti_requested *give, fth_cupti_completed *take)
{
    requested = give;
    completed = take;
    return mode_is("refuses");
}

int cuptiActivityEnable(uint32_t kind)
{
    enabled[kind] = 1;
    return 0;
}

int cuptiActivityDisable(uint32_t kind)
{
    enabled[kind] = 0;
    return 0;
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count)
{
    (void)context, (void)stream;
    *count = dropped;
    dropped = 0;
    return 0;
}

/* ---- records: a length in front of each ---- */

static struct {
    uint8_t *start;
    size_t size, used;
} buffer;

static void hand_over(void)
{
    uint8_t *start = buffer.start;
    buffer.start = NULL;
    if (start)
        completed(NULL, 0, start, buffer.size, buffer.used);
}

static void put(const void *record, size_t bytes)
{
    size_t most = 0;
    uint32_t kind, length = (uint32_t)(bytes + PADDING);
    memcpy(&kind, record, sizeof kind);
    if (kind < sizeof enabled && !enabled[kind] && kind != 60)
        return;
    pthread_mutex_lock(&mutex);
    if (buffer.start && buffer.size - buffer.used < length + 8)
        hand_over();
    if (!buffer.start) {
        buffer.used = 0;
        requested(&buffer.start, &buffer.size, &most);
    }
    if (!buffer.start) {
        dropped++;
    } else {
        memset(buffer.start + buffer.used, 0xee, length + 8);
        memcpy(buffer.start + buffer.used, &length, sizeof length);
        memcpy(buffer.start + buffer.used + 8, record, bytes);
        buffer.used += (length + 8 + 7) & ~7u;
    }
    pthread_mutex_unlock(&mutex);
}

int cuptiActivityGetNextRecord(uint8_t *from, size_t used, void **record)
{
    uint8_t *at = from;
    uint32_t length;
    if (*record) {
        memcpy(&length, (uint8_t *)*record - 8, sizeof length);
        at = (uint8_t *)*record + ((length + 7) & ~7u);
    }
    if (at + 8 >= from + used)
        return 12;
    *record = at + 8;
    return 0;
}

static void *deliver(void *unused)
{
    pthread_mutex_lock(&mutex);
    hand_over();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int cuptiActivityFlushAll(uint32_t flags)
{
    (void)flags;
    if (mode_is("hangs"))
        sleep(1000);
    deliver(NULL);
    return 0;
}

/* ---- what is played ---- */

static uint32_t correlation;

static uint64_t put_api(uint32_t kind, uint32_t cbid, uint64_t start, uint64_t lasts,
                        uint32_t result)
{
    struct fth_cupti_api api = {
        kind,        cbid,  start, start + lasts, (uint32_t)getpid(), (uint32_t)gettid(),
        correlation, result};
    put(&api, sizeof api);
    return start + lasts;
}

/* One launch: the runtime's call, the driver's in it, and the kernel, 20 us later. */
static uint64_t launch(const char *name, uint32_t stream, uint64_t start)
{
    correlation++;
    struct fth_cupti_kernel kernel = {.kind = FTH_CUPTI_CONCURRENT_KERNEL,
                                      .start = start + 20000,
                                      .end = start + 50000,
                                      .device = 0,
                                      .context = 1,
                                      .stream = stream,
                                      .grid = {64, 2, 1},
                                      .block = {256, 1, 1},
                                      .static_shared = 512,
                                      .dynamic_shared = 1024,
                                      .correlation = correlation,
                                      .name = name};
    put_api(FTH_CUPTI_DRIVER, 0, start + 1000, 3000, 0);
    put(&kernel, sizeof kernel); /* before the call that launched it is over */
    put_api(FTH_CUPTI_RUNTIME, 0, start, 5000, 0);
    return start + 60000;
}

static uint64_t copy(uint8_t kind, uint64_t bytes, uint64_t start)
{
    correlation++;
    struct fth_cupti_copy copied = {.kind = FTH_CUPTI_MEMCPY,
                                    .copy = kind,
                                    .bytes = bytes,
                                    .start = start + 5000,
                                    .end = start + 15000,
                                    .context = 1,
                                    .stream = 7,
                                    .correlation = correlation};
    put_api(FTH_CUPTI_RUNTIME, 1, start, 20000, 0);
    put(&copied, sizeof copied);
    return start + 25000;
}

__attribute__((visibility("default"))) void fake_play(const char *scene, int turns)
{
    uint64_t at = now();
    if (!requested || at == 0)
        return;
    if (strcmp(scene, "program") == 0) {
        put_api(FTH_CUPTI_RUNTIME, 2, at, 1000,
                2); /* cudaMalloc failed: cudaErrorMemoryAllocation */
        at += 2000;
        for (int i = 0; i < turns; i++) {
            at = copy(1, 1 << 20, at);
            at = launch("_Z5scaleIfEvPT_i", 7, at);
            at = launch("_ZN4grid4stepEPd", 13, at);
            at = copy(2, 4096, at);
        }
        correlation++;
        struct fth_cupti_set set = {FTH_CUPTI_MEMSET, 0xff, 8192, at, at + 900, 0, 1, 7,
                                    correlation};
        struct fth_cupti_peer peer = {.kind = FTH_CUPTI_MEMCPY_PEER,
                                      .copy = 10,
                                      .bytes = 77,
                                      .start = at + 1000,
                                      .end = at + 1500,
                                      .context = 1,
                                      .stream = 7,
                                      .from_device = 0,
                                      .to_device = 1,
                                      .correlation = correlation};
        struct fth_cupti_wait wait = {
            FTH_CUPTI_SYNCHRONIZATION, 3, at + 1500, at + 2500, correlation, 1, 7, 0};
        put(&set, sizeof set);
        put(&peer, sizeof peer);
        put(&wait, sizeof wait);
    } else if (strcmp(scene, "strange") == 0) {
        struct fth_cupti_kernel kernel = {.kind = FTH_CUPTI_CONCURRENT_KERNEL,
                                          .start = at,
                                          .end = at + 10,
                                          .name = NULL,
                                          .context = 9};
        uint32_t unknown[16] = {60};
        put(unknown, sizeof unknown);
        put(&kernel, sizeof kernel);
        kernel.end = at - 1; /* it ends before it starts */
        put(&kernel, sizeof kernel);
        kernel.start = kernel.end = 0; /* its times were not measured */
        put(&kernel, sizeof kernel);
        if (buffer.start) { /* more than there is */
            pthread_mutex_lock(&mutex);
            uint8_t *start = buffer.start;
            buffer.start = NULL;
            completed(NULL, 0, start, (size_t)1 << 40, buffer.used);
            completed(NULL, 0, start, 4096, 4096); /* once more */
            completed(NULL, 0, (uint8_t *)&kernel, 4096, 4096);
            pthread_mutex_unlock(&mutex);
        }
    }
    while (now() < at) /* it is reported when it is over */
        usleep(100);
    pthread_t thread; /* CUPTI brings them from a thread of its own */
    pthread_create(&thread, NULL, deliver, NULL);
    pthread_join(thread, NULL);
    if (strcmp(scene, "program") == 0)
        launch("late", 7, at + 10000); /* handed over at the end */
}
