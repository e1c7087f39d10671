/* Calls that a signal handler interrupts: a read of a pipe, in which the handler writes 40 times 7
 * bytes to a file, and two of its calls are of stdio. All bytes of the file are the handler's, but
 * for the first 5. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int file, ends[2];

static void expect(int holds)
{
    if (!holds)
        abort();
}

static void handle(int signal_number)
{
    (void)signal_number;
    for (int i = 0; i < 40; i++)
        expect(write(file, "handler", 7) == 7);
    FILE *stream = fopen("stream", "w");
    expect(stream && fputs("buffered", stream) >= 0 && fclose(stream) == 0);
    expect(write(ends[1], "go", 2) == 2);
}

int main(void)
{
    char text[2];
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    expect(pipe(ends) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    file = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    expect(file >= 0 && write(file, "first", 5) == 5);
    ualarm(50000, 0);
    expect(read(ends[0], text, 2) == 2);
    return 0;
}
