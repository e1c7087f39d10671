/* One thread closes whatever number it may and counts on the lowest one, while another makes so
 * many calls that they are sealed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static atomic_bool over;

static void *read_on(void *unused)
{
    char byte;
    unsigned place = 1;
    while (!over) {
        place = place * 1103515245 + 12345;
        if (pread(100, &byte, 1, place >> 4) < 0)
            break;
    }
    return unused;
}

int main(void)
{
    int closed = 0, odd = 0, wrong = 0;
    pthread_t reader;
    dup2(open("data", O_CREAT | O_RDWR, 0600), 100);
    for (int file = 3; file < 20; file++)
        close(file);
    pthread_create(&reader, NULL, read_on, NULL);
    for (int i = 0; i < 5000; i++) {
        for (int file = 3; file < 8; file++)
            closed += close(file) == 0;
        int mine = open("mine", O_CREAT | O_RDWR | O_TRUNC, 0600);
        odd += mine != 3;
        wrong += write(mine, "mine", 4) != 4 || lseek(mine, 0, SEEK_END) != 4;
        close(mine);
    }
    over = true;
    pthread_join(reader, NULL);
    printf("%d closed, %d odd, %d wrong\n", closed, odd, wrong);
    return 0;
}
