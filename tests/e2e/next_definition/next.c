/* A preloaded library of a user that stands before libc: it counts calls, and passes them on. Its
 * counts are those of one process; fork and its kin leave the child's out. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 64 };
static const char *names[MOST];
static int counts[MOST], known;

static void count(int *at, const char *name)
{
    if (!*at) {
        names[known++] = name;
        *at = known;
    }
    counts[*at - 1]++;
}

void show_counts(void)
{
    for (int i = 0; i < known; i++)
        fprintf(stderr, "%s %d\n", names[i], counts[i]);
}

#define PASSES_ON(type, name, parameters, arguments)                                               \
    type passing_##name parameters __asm__(#name);                                                 \
    type passing_##name parameters                                                                 \
    {                                                                                              \
        static int at;                                                                             \
        static type(*next) parameters;                                                             \
        count(&at, #name);                                                                         \
        if (!next)                                                                                 \
            next = (type(*) parameters)dlsym(RTLD_NEXT, #name);                                    \
        return next arguments;                                                                     \
    }

PASSES_ON(pid_t, fork, (void), ())
PASSES_ON(int, execve, (const char *path, char *const words[], char *const environment[]),
          (path, words, environment))
PASSES_ON(int, posix_spawn,
          (pid_t *restrict pid, const char *restrict path,
           const posix_spawn_file_actions_t *restrict actions,
           const posix_spawnattr_t *restrict attributes, char *const words[restrict],
           char *const environment[restrict]),
          (pid, path, actions, attributes, words, environment))
PASSES_ON(int, sem_init, (sem_t * semaphore, int shared, unsigned value),
          (semaphore, shared, value))
PASSES_ON(int, sem_post, (sem_t * semaphore), (semaphore))
PASSES_ON(int, sem_wait, (sem_t * semaphore), (semaphore))
PASSES_ON(int, sem_trywait, (sem_t * semaphore), (semaphore))
PASSES_ON(int, sem_getvalue, (sem_t *restrict semaphore, int *restrict value), (semaphore, value))
PASSES_ON(int, sem_destroy, (sem_t * semaphore), (semaphore))
PASSES_ON(int, eventfd, (unsigned value, int flags), (value, flags))
PASSES_ON(int, eventfd_write, (int fd, eventfd_t value), (fd, value))
PASSES_ON(int, eventfd_read, (int fd, eventfd_t *value), (fd, value))
PASSES_ON(int, semget, (key_t key, int n, int flags), (key, n, flags))
PASSES_ON(int, semop, (int id, struct sembuf *operations, size_t n), (id, operations, n))
PASSES_ON(int, msgget, (key_t key, int flags), (key, flags))
PASSES_ON(int, msgsnd, (int id, const void *message, size_t size, int flags),
          (id, message, size, flags))
PASSES_ON(int, sigwait, (const sigset_t *restrict set, int *restrict number), (set, number))
PASSES_ON(int, sigwaitinfo, (const sigset_t *restrict set, siginfo_t *restrict info), (set, info))
PASSES_ON(int, mprotect, (void *address, size_t length, int prot), (address, length, prot))
PASSES_ON(int, sigaltstack, (const stack_t *restrict stack, stack_t *restrict before),
          (stack, before))
PASSES_ON(int, pthread_create,
          (pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
           void *(*begin)(void *), void *restrict argument),
          (thread, attributes, begin, argument))
PASSES_ON(int, sendmmsg, (int fd, struct mmsghdr *messages, unsigned n, int flags),
          (fd, messages, n, flags))
PASSES_ON(int, prctl, (int option, long a, long b, long c, long d), (option, a, b, c, d))
PASSES_ON(int, fcntl, (int fd, int command, long argument), (fd, command, argument))
PASSES_ON(long, syscall, (long number, long a, long b, long c, long d, long e, long f),
          (number, a, b, c, d, e, f))
