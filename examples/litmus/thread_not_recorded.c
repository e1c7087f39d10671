/* A thread sends the byte when another one of the process has written, and has let it know with a
 * mutex held: calls on mutexes are not recorded unless asked for.
 * posix: unknown  commit: racy  session: racy  mpi-io: none */
#include "sockets.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written, other;

static void *tell(void *unused)
{
    (void)unused;
    for (int done = 0; !done; usleep(1000)) {
        pthread_mutex_lock(&mutex);
        done = written;
        pthread_mutex_unlock(&mutex);
    }
    send_byte(other);
    return NULL;
}

static void first(void)
{
    pthread_t thread;
    int file = open_file("shared", 0);
    other = connect_there();
    must(pthread_create(&thread, NULL, tell, NULL) == 0, "pthread_create");
    put(file, 0, 8);
    pthread_mutex_lock(&mutex);
    written = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static void second(void)
{
    int file = open_file("shared", 0), from = accept_one();
    receive_byte(from);
    get(file, 0, 8);
}

int main(void)
{
    listen_at_port();
    start_both(first, second);
    return 0;
}
