/* node read ADDRESS: listens there, waits for a byte, and reads the file `shared`. node
 * behind|before ADDRESS: connects to it and writes to the file, and sends a byte, behind that or
 * before. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PORT = 4321, TRIES = 10000 };

static void must(int done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(1);
}

static int reader(const struct sockaddr_in *place)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    must(bind(listener, (const void *)place, sizeof *place) == 0 && listen(listener, 1) == 0, "listen");
    int other = accept(listener, NULL, NULL);
    must(other >= 0, "accept");
    return other;
}

static int writer(const struct sockaddr_in *place)
{
    for (int i = 0; i < TRIES; i++) {
        int other = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(other, (const void *)place, sizeof *place) == 0)
            return other;
        close(other);
        usleep(1000);
    }
    must(0, "connect");
    return -1;
}

int main(int count, char **words)
{
    char bytes[8] = "";
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    must(count == 3 && inet_pton(AF_INET, words[2], &place.sin_addr) == 1, "usage");
    int file = open("shared", O_RDWR);
    must(file >= 0, "shared");
    if (strcmp(words[1], "read") == 0) {
        int other = reader(&place);
        must(recv(other, bytes, 1, 0) == 1, "recv");
        must(pread(file, bytes, 8, 0) == 8, "pread");
        return 0;
    }
    int other = writer(&place), before = strcmp(words[1], "before") == 0;
    if (before)
        must(send(other, bytes, 1, 0) == 1, "send");
    must(pwrite(file, bytes, 8, 0) == 8, "pwrite");
    if (!before)
        must(send(other, bytes, 1, 0) == 1, "send");
    return 0;
}
