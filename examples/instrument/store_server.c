/* A server of the store: a thread for each client, and a file for its data. */
#include "store.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int file;

static int to_disk(const struct store_request *request, const char *data)
{
    return pwrite(file, data, request->length, (off_t)request->offset) == (ssize_t)request->length
               ? 0
               : -1;
}

static int from_disk(const struct store_request *request, char *data)
{
    return pread(file, data, request->length, (off_t)request->offset) == (ssize_t)request->length
               ? 0
               : -1;
}

static int serve_write(int client, const struct store_request *request, char *data)
{
    if (store_receive_all(client, data, request->length) || to_disk(request, data))
        return -1;
    return store_send_all(client, "", 1);
}

static int serve_read(int client, const struct store_request *request, char *data)
{
    if (from_disk(request, data))
        return -1;
    return store_send_all(client, data, request->length);
}

static void *serve(void *number)
{
    int client = (int)(long)number;
    char *data = malloc(STORE_PIECE);
    struct store_request request;
    while (!store_receive_all(client, &request, sizeof request) && request.length <= STORE_PIECE) {
        if (request.kind == STORE_WRITE ? serve_write(client, &request, data)
                                        : serve_read(client, &request, data))
            break;
    }
    free(data);
    close(client);
    return NULL;
}

static void leave(int number)
{
    (void)number;
    exit(0);
}

int main(int argc, char **argv)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char name[64];
    int number = argc > 1 ? atoi(argv[1]) : 0, entrance = socket(AF_UNIX, SOCK_STREAM, 0);
    signal(SIGTERM, leave);
    snprintf(address.sun_path, sizeof address.sun_path, "server%d.socket", number);
    snprintf(name, sizeof name, "server%d.data", number);
    unlink(address.sun_path);
    file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || bind(entrance, (struct sockaddr *)&address, sizeof address) ||
        listen(entrance, 64)) {
        perror(address.sun_path);
        return 1;
    }
    for (;;) {
        pthread_t thread;
        int client = accept(entrance, NULL, NULL);
        if (client >= 0 && pthread_create(&thread, NULL, serve, (void *)(long)client) == 0)
            pthread_detach(thread);
    }
}
