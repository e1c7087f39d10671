/* One thread writes to a stream that another one opens, empties and closes. */
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *write_lines(void *count)
{
    for (int i = 0; i < *(int *)count; i++)
        fprintf(stream, "line %03d\n", i);
    return NULL;
}

static void *close_stream(void *unused)
{
    fclose(stream);
    return unused;
}

static void in_thread(void *(*work)(void *), int count)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &count);
    pthread_join(thread, NULL);
}

int main(void)
{
    stream = fopen("lines.txt", "w");
    in_thread(write_lines, 300);
    fflush(stream);
    in_thread(write_lines, 100);
    fclose(stream);
    stream = fopen("others.txt", "w");
    in_thread(write_lines, 20);
    in_thread(close_stream, 0);
    stream = fopen("last.txt", "w");
    in_thread(write_lines, 30);
    return fclose(stream);
}
