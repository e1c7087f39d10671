/* Gives a secret, which it reads from a file, to every kind of function that takes contents. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

static char secret[32];

static void use(long result)
{
    (void)result;
}

static void characters(FILE *stream)
{
    for (const char *at = secret; *at; at++) {
        use(fputc(*at, stream));
        use(putc(*at, stream));
        use(fputc_unlocked(*at, stream));
        use((putc_unlocked)(*at, stream));
        use(putw(*at << 16 | *at, stream));
        use(putchar(*at));
        use((putchar_unlocked)(*at));
    }
    rewind(stream);
    for (const char *at = secret; *at; at++) {
        use(ungetc(*at, stream));
        use(fgetc(stream));
        use(getw(stream));
        use(getc(stream));
    }
}

static void lines(FILE *stream)
{
    char read[sizeof secret], *line = NULL;
    size_t room = 0;
    use(fputs(secret, stream));
    use(fputs_unlocked(secret, stream));
    use(puts(secret));
    use(fprintf(stream, "%s\n%s\n", secret, secret));
    use(dprintf(fileno(stream), "%s", secret));
    use((long)fwrite(secret, 1, strlen(secret), stream));
    rewind(stream);
    use(fgets(read, sizeof read, stream) != NULL);
    use(getline(&line, &room, stream));
    use(fscanf(stream, "%31s", read));
    free(line);
}

static void wide(FILE *stream)
{
    wchar_t text[sizeof secret];
    size_t length = mbstowcs(text, secret, sizeof secret);
    use(fputws(text, stream));
    for (size_t i = 0; i < length; i++) {
        use((long)fputwc(text[i], stream));
        use((long)putwc(text[i], stream));
    }
    rewind(stream);
    for (size_t i = 0; i < length; i++) {
        use((long)ungetwc((wint_t)text[i], stream));
        use((long)fgetwc(stream));
    }
}

static void descriptors(void)
{
    char read_back[sizeof secret];
    size_t length = strlen(secret);
    int file = open("written", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    struct iovec piece = {secret, length};
    use(write(file, secret, length));
    use(pwrite(file, secret, length, 0));
    use(writev(file, &piece, 1));
    use(pread(file, read_back, length, 0));
    use(fsetxattr(file, "user.note", secret, length, 0));
    use(fgetxattr(file, "user.note", read_back, sizeof read_back));
    close(file);
}

static void messages(void)
{
    struct {
        long type;
        char text[sizeof secret];
    } message = {1, ""};
    int ends[2], queue = msgget(IPC_PRIVATE, 0600);
    size_t length = strlen(secret);
    memcpy(message.text, secret, sizeof secret);
    if (queue >= 0) {
        use(msgsnd(queue, &message, length, 0));
        use(msgrcv(queue, &message, length, 1, 0));
        use(msgctl(queue, IPC_RMID, NULL));
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        exit(1);
    use(send(ends[0], secret, length, 0));
    use(recv(ends[1], message.text, length, 0));
    close(ends[0]);
    close(ends[1]);
    syslog(LOG_DEBUG, "%s", secret);
}

int main(void)
{
    /* From a file: arguments and the environment are recorded. */
    int file = open("secret", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, secret, sizeof secret - 1) <= 0)
        return 1;
    close(file);
    FILE *stream = fopen("stream", "w+e"), *broad = fopen("wide", "w+e");
    characters(stream);
    lines(stream);
    wide(broad);
    fclose(stream);
    fclose(broad);
    descriptors();
    messages();
    return 0;
}
