/* Calls functions whose wrappers are written by hand, and has a preloaded library show how many of
 * them came by. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void must(int done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(1);
}

static void *nothing(void *argument)
{
    return argument;
}

static void use_processes(void)
{
    char *words[] = {"true", NULL};
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    must(waitpid(child, NULL, 0) == child, "fork");
    must(posix_spawn(&child, "/bin/true", NULL, NULL, words, environ) == 0, "posix_spawn");
    must(waitpid(child, NULL, 0) == child, "waitpid");
    must(execve("/no/such/program", words, environ) < 0, "execve");
    must(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) == 0, "prctl");
    must(syscall(SYS_getpid) == getpid(), "syscall");
}

static void use_semaphores(void)
{
    sem_t semaphore;
    int value, id = semget(IPC_PRIVATE, 1, 0600);
    struct sembuf up = {0, 1, 0};
    eventfd_t more;
    must(sem_init(&semaphore, 0, 1) == 0 && sem_wait(&semaphore) == 0, "sem_wait");
    must(sem_trywait(&semaphore) < 0 && sem_post(&semaphore) == 0, "sem_post");
    must(sem_getvalue(&semaphore, &value) == 0 && value == 1, "sem_getvalue");
    must(sem_destroy(&semaphore) == 0, "sem_destroy");
    must(semop(id, &up, 1) == 0 && semctl(id, 0, IPC_RMID) == 0, "semop");
    int counter = eventfd(0, 0);
    must(eventfd_write(counter, 3) == 0 && eventfd_read(counter, &more) == 0, "eventfd");
}

static void use_messages(void)
{
    struct {
        long type;
        char text[8];
    } message = {1, "text"};
    int ends[2], id = msgget(IPC_PRIVATE, 0600), number;
    struct iovec text = {message.text, 4};
    struct mmsghdr several = {.msg_hdr = {.msg_iov = &text, .msg_iovlen = 1}};
    sigset_t set;
    must(msgsnd(id, &message, 4, 0) == 0 && msgctl(id, IPC_RMID, NULL) == 0, "msgsnd");
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0, "socketpair");
    must(sendmmsg(ends[0], &several, 1, 0) == 1, "sendmmsg");
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    must(raise(SIGUSR1) == 0 && sigwait(&set, &number) == 0, "sigwait");
    must(raise(SIGUSR1) == 0 && sigwaitinfo(&set, NULL) == SIGUSR1, "sigwaitinfo");
}

static void use_memory(void)
{
    pthread_t thread;
    stack_t stack;
    int file = open("mapped", O_RDWR | O_CREAT, 0600);
    must(ftruncate(file, 4096) == 0, "ftruncate");
    must(fcntl(file, F_GETFD) >= 0, "fcntl");
    void *memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    must(mprotect(memory, 4096, PROT_READ | PROT_WRITE) == 0, "mprotect");
    must(sigaltstack(NULL, &stack) == 0, "sigaltstack");
    must(pthread_create(&thread, NULL, nothing, NULL) == 0, "pthread_create");
    must(pthread_join(thread, NULL) == 0, "pthread_join");
}

int main(void)
{
    use_processes();
    use_semaphores();
    use_messages();
    use_memory();
    void (*show)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "show_counts");
    must(show != NULL, "show_counts");
    show();
    return 0;
}
