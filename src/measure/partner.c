/* The other process: it gets orders through a pipe, says in shared memory that it is ready, and
 * begins when it is asked to there; a pipe would wake it too late. See the header. */
#include "measure/partner.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Both spin while they wait for each other; on one processor nobody would ever come. */
enum { MOST_SPINS = 1 << 26, SPINS_BEFORE_YIELD = 1 << 12 };
enum { MOST_RECORD = 1 << 20 };

struct meeting {
    atomic_uint ready, go;
};

struct order {
    enum fth_partner_work work;
    uint32_t batch;
    uint64_t bytes;
};

struct fth_partner {
    char folder[4096];
    int orders, answers; /* our ends of the pipes */
    struct meeting *meeting;
    pid_t process;
};

/* ---- the work ---- */

int fth_partner_create(int directory, int side, uint32_t batch)
{
    char name[32];
    for (uint32_t i = 0; i < batch; i++) {
        snprintf(name, sizeof name, "%u.%d", i, side);
        int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 || close(file))
            return -1;
    }
    return 0;
}

int fth_partner_delete(int directory, int side, uint32_t batch)
{
    char name[32];
    int result = 0;
    for (uint32_t i = 0; i < batch; i++) {
        snprintf(name, sizeof name, "%u.%d", i, side);
        result |= unlinkat(directory, name, 0);
    }
    return result;
}

int fth_partner_shared(int directory)
{
    return openat(directory, "shared", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
}

int fth_partner_write(int file, int side, uint32_t batch, uint64_t bytes, const char *buffer)
{
    for (uint32_t i = 0; i < batch; i++)
        if (pwrite(file, buffer, bytes, (off_t)((2 * i + (uint32_t)side) * bytes)) !=
            (ssize_t)bytes)
            return -1;
    return 0;
}

/* ---- the other side ---- */

static int wait_for(atomic_uint *flag)
{
    for (uint32_t i = 0; i < MOST_SPINS; i++) {
        if (atomic_load(flag))
            return 0;
        if (i > SPINS_BEFORE_YIELD)
            usleep(1);
    }
    return -1;
}

static void carry_out(const struct order *order, struct meeting *meeting, int directory,
                      const char *buffer)
{
    uint64_t bytes = order->bytes < MOST_RECORD ? order->bytes : MOST_RECORD;
    int file = order->work == FTH_PARTNER_WRITES ? fth_partner_shared(directory) : -1;
    atomic_store(&meeting->ready, 1);
    wait_for(&meeting->go);
    if (order->work == FTH_PARTNER_CREATES) {
        fth_partner_create(directory, 1, order->batch);
        fth_partner_delete(directory, 1, order->batch);
    } else if (file >= 0) {
        fth_partner_write(file, 1, order->batch, bytes, buffer);
    }
    if (file >= 0)
        close(file);
}

static void delete_folder(const char *folder, int directory)
{
    DIR *opened = fdopendir(directory);
    struct dirent *entry;
    while (opened && (entry = readdir(opened)))
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
            unlinkat(directory, entry->d_name, 0);
    if (opened)
        closedir(opened);
    rmdir(folder);
}

/* A key that ends us must not end it before it has deleted the folder. */
static void serve(const char *folder, int orders, int answers, struct meeting *meeting)
    __attribute__((noreturn));
static void serve(const char *folder, int orders, int answers, struct meeting *meeting)
{
    struct order order;
    static char buffer[MOST_RECORD];
    int directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    memset(buffer, 1, sizeof buffer);
    while (read(orders, &order, sizeof order) == sizeof order) {
        carry_out(&order, meeting, directory, buffer);
        if (write(answers, "", 1) != 1)
            break;
    }
    delete_folder(folder, directory);
    _exit(0);
}

/* ---- our side ---- */

static int fail(const struct fth_partner *partner, struct fth_error **error)
{
    return fth_fail_errno(error, "the second process that works in '%s' is gone", partner->folder);
}

static int make_pipes(int orders[2], int answers[2])
{
    if (pipe2(orders, O_CLOEXEC))
        return -1;
    if (!pipe2(answers, O_CLOEXEC))
        return 0;
    close(orders[0]);
    close(orders[1]);
    return -1;
}

struct fth_partner *fth_partner_start(const char *folder, struct fth_error **error)
{
    int orders[2], answers[2];
    struct fth_partner *partner = fth_new(1, sizeof *partner);
    int length =
        snprintf(partner->folder, sizeof partner->folder, "%s/.fathom-measure-XXXXXX", folder);
    if (length >= (int)sizeof partner->folder || !mkdtemp(partner->folder)) {
        fth_fail_errno(
            error,
            "cannot create a file in '%s' (--folder selects a folder on the disk to measure)",
            folder);
        free(partner);
        return NULL;
    }
    partner->meeting = mmap(NULL, sizeof *partner->meeting, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (partner->meeting == MAP_FAILED || make_pipes(orders, answers) ||
        (partner->process = fork()) < 0) {
        fth_fail_errno(error, "cannot start a process that works in '%s'", partner->folder);
        rmdir(partner->folder);
        free(partner);
        return NULL;
    }
    if (partner->process == 0) {
        close(orders[1]);
        close(answers[0]);
        serve(partner->folder, orders[0], answers[1], partner->meeting);
    }
    close(orders[0]);
    close(answers[1]);
    partner->orders = orders[1];
    partner->answers = answers[0];
    return partner;
}

const char *fth_partner_folder(const struct fth_partner *partner)
{
    return partner->folder;
}

int fth_partner_begin(struct fth_partner *partner, enum fth_partner_work work, uint32_t batch,
                      uint64_t bytes, struct fth_error **error)
{
    struct order order = {work, batch, bytes};
    atomic_store(&partner->meeting->ready, 0);
    atomic_store(&partner->meeting->go, 0);
    if (write(partner->orders, &order, sizeof order) != sizeof order ||
        wait_for(&partner->meeting->ready))
        return fail(partner, error);
    atomic_store(&partner->meeting->go, 1);
    return 0;
}

int fth_partner_wait(struct fth_partner *partner, struct fth_error **error)
{
    char byte;
    return read(partner->answers, &byte, 1) == 1 ? 0 : fail(partner, error);
}

void fth_partner_end(struct fth_partner *partner)
{
    int status;
    if (!partner)
        return;
    close(partner->orders);
    close(partner->answers);
    while (waitpid(partner->process, &status, 0) < 0 && errno == EINTR)
        continue;
    munmap(partner->meeting, sizeof *partner->meeting);
    free(partner);
}
