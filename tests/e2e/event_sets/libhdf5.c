/* What a program with event sets and the tracer use of HDF5 1.14: datasets of a hundred bytes each,
 * and a thread, started when the file is created, that does what has been asked for when somebody
 * waits for it. */
#include "hdf5.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILE_TYPE = 1, TYPE_TYPE = 3, SPACE_TYPE = 4, DATASET_TYPE = 5, SET_TYPE = 15 };
enum { BYTES = 100, MOST = 16 };
static hid_t made = 1;

static hid_t make(int type)
{
    return (hid_t)type << 56 | made++;
}

static struct operation {
    hid_t set, dataset;
    const void *from;
    void *to;
    int failed;
} operations[MOST];
static int count, over, file;
static hid_t first_dataset, waited; /* waited: the set that somebody waits for */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t worker;

static void do_it(struct operation *operation)
{
    off_t place = (operation->dataset - first_dataset) * BYTES;
    ssize_t moved = operation->from ? pwrite(file, operation->from, BYTES, place)
                                    : pread(file, operation->to, BYTES, place);
    operation->failed = moved != BYTES;
}

static void drop(int i)
{
    memmove(&operations[i], &operations[i + 1], (size_t)(--count - i) * sizeof *operations);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&mutex);
    for (; !over; pthread_cond_wait(&changed, &mutex)) {
        for (int i = 0; i < count;) {
            if (operations[i].set != waited) {
                i++;
                continue;
            }
            do_it(&operations[i]);
            drop(i);
        }
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

herr_t H5open(void)
{
    return 0;
}
herr_t H5Fstart_swmr_write(hid_t id)
{
    return id ? -1 : -1;
}
int H5Iget_type(hid_t id)
{
    return (int)(id >> 56);
}
int H5Sget_simple_extent_ndims(hid_t space)
{
    return space ? 1 : -1;
}
long long H5Sget_select_npoints(hid_t space)
{
    return space ? BYTES : -1;
}
herr_t H5Sclose(hid_t space)
{
    return space ? 0 : -1;
}
hid_t H5Dget_space(hid_t dataset)
{
    return dataset ? make(SPACE_TYPE) : -1;
}
uint64_t H5Dget_offset(hid_t dataset)
{
    return dataset ? 0 : UINT64_MAX;
}
hid_t H5Aget_space(hid_t attribute)
{
    return attribute ? make(SPACE_TYPE) : -1;
}
size_t H5Tget_size(hid_t type)
{
    return type >> 56 == TYPE_TYPE;
}
hid_t H5Tcopy(hid_t type)
{
    return type ? -1 : make(TYPE_TYPE);
}

hid_t H5Fcreate(const char *name, unsigned flags, hid_t creation, hid_t access)
{
    file = open(name, O_CREAT | O_TRUNC | O_RDWR, 0644);
    if (file < 0 || creation || access || flags != 2 || pthread_create(&worker, NULL, work, NULL))
        return -1;
    return make(FILE_TYPE);
}

herr_t H5Fclose(hid_t id)
{
    pthread_mutex_lock(&mutex);
    over = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return id >> 56 == FILE_TYPE && pthread_join(worker, NULL) == 0 && close(file) == 0 ? 0 : -1;
}

hid_t H5Dopen2(hid_t id, const char *name, hid_t access)
{
    hid_t dataset = id && name && !access ? make(DATASET_TYPE) : -1;
    if (!first_dataset)
        first_dataset = dataset;
    return dataset;
}

herr_t H5Dclose(hid_t id)
{
    return id >> 56 == DATASET_TYPE ? 0 : -1;
}

static herr_t ask_for(struct operation operation)
{
    if (!operation.set) { /* H5ES_NONE */
        do_it(&operation);
        return operation.failed ? -1 : 0;
    }
    pthread_mutex_lock(&mutex);
    operations[count++] = operation;
    pthread_mutex_unlock(&mutex);
    return 0;
}

herr_t H5Dwrite_async(const char *source, const char *function, unsigned line, hid_t dataset,
                      hid_t type, hid_t memory, hid_t selected, hid_t transfer, const void *from,
                      hid_t set)
{
    return source && function && line && type && !memory && !selected && !transfer
               ? ask_for((struct operation){set, dataset, from, NULL, 0})
               : -1;
}

herr_t H5Dread_async(const char *source, const char *function, unsigned line, hid_t dataset,
                     hid_t type, hid_t memory, hid_t selected, hid_t transfer, void *to, hid_t set)
{
    return source && function && line && type && !memory && !selected && !transfer
               ? ask_for((struct operation){set, dataset, NULL, to, 0})
               : -1;
}

hid_t H5EScreate(void)
{
    return make(SET_TYPE);
}
herr_t H5ESclose(hid_t set)
{
    return set >> 56 == SET_TYPE ? 0 : -1;
}

static size_t left_in(hid_t set)
{
    size_t left = 0;
    for (int i = 0; i < count; i++)
        left += operations[i].set == set;
    return left;
}

herr_t H5ESwait(hid_t set, uint64_t timeout, size_t *in_progress, _Bool *failed)
{
    pthread_mutex_lock(&mutex);
    waited = timeout ? set : 0;
    pthread_cond_broadcast(&changed);
    while (timeout && left_in(set))
        pthread_cond_wait(&changed, &mutex);
    waited = 0;
    *in_progress = left_in(set);
    *failed = 0;
    pthread_mutex_unlock(&mutex);
    return 0;
}

herr_t H5EScancel(hid_t set, size_t *not_cancelled, _Bool *failed)
{
    pthread_mutex_lock(&mutex);
    for (int i = count; i-- > 0;)
        if (operations[i].set == set)
            drop(i);
    pthread_mutex_unlock(&mutex);
    *not_cancelled = 0;
    *failed = 0;
    return 0;
}
