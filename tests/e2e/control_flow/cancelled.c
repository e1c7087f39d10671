/* Threads that are cancelled in a call, and threads that leave with pthread_exit; what they clean
 * up is written to a file. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 100 };

static int ends[2];

static void say(const char *text)
{
    FILE *stream = fopen("said", "a");
    fputs(text, stream);
    fclose(stream);
}

static void clean_up(void *unused)
{
    (void)unused;
    say("cleaned up\n");
}

static void *wait_for_a_byte(void *unused)
{
    char byte;
    pthread_cleanup_push(clean_up, NULL);
    if (read(ends[0], &byte, 1) == 1)
        say("a byte\n");
    pthread_cleanup_pop(0);
    return unused;
}

static void *wait_for_a_line(void *unused)
{
    char line[8];
    FILE *stream = fdopen(dup(ends[0]), "r");
    pthread_cleanup_push(clean_up, NULL);
    if (fgets(line, sizeof line, stream))
        say("a line\n");
    pthread_cleanup_pop(0);
    return unused;
}

static void *leave(void *unused)
{
    (void)unused;
    pthread_cleanup_push(clean_up, NULL);
    say("leaves\n");
    pthread_exit("left");
    pthread_cleanup_pop(0);
}

static void *result_of(void *(*run)(void *), int cancel)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, run, NULL);
    if (cancel) {
        usleep(500);
        pthread_cancel(thread);
    }
    pthread_join(thread, &result);
    return result;
}

int main(void)
{
    if (pipe(ends) != 0)
        return 1;
    for (int i = 0; i < THREADS; i++) {
        if (result_of(wait_for_a_byte, 1) != PTHREAD_CANCELED ||
            result_of(wait_for_a_line, 1) != PTHREAD_CANCELED)
            puts("was not cancelled");
        puts(result_of(leave, 0));
    }
    fflush(stdout);
    pthread_exit(NULL);
}
