/* What a replay must do again without MPI: data at positions and offsets, streams, names, a child
 * that inherits a descriptor, a program that takes another one's place, threads.
 *
 *     steps            all of it, and then steps last, by exec
 *     steps random     so much without a rule that a small budget of the recording is used up */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[70000];

static void data(void)
{
    int file = open("d/data", O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (int i = 0; i < 300; i++)
        pwrite(file, bytes, 512, i * 1024);
    lseek(file, 0, SEEK_SET);
    for (int i = 0; i < 10; i++)
        read(file, bytes, 4096);
    struct iovec pieces[] = {{bytes, 1000}, {bytes, 1000}, {bytes, 1001}};
    writev(file, pieces, 3);
    struct flock lock = {.l_type = F_WRLCK, .l_len = 100};
    fcntl(file, F_SETLK, &lock);
    struct flock asked = {.l_type = F_WRLCK, .l_len = 10};
    fcntl(file, F_GETLK, &asked); /* the answer is F_UNLCK, which nobody can ask for */
    int other = fcntl(file, F_DUPFD, 50);
    pwrite(other, bytes, 10, 400000);
    ftruncate(other, 500000);
    fsync(other);
    close(other);
    close(file);
}

static void streams(void)
{
    FILE *log = fopen("log", "a");
    for (int i = 0; i < 50; i++)
        fprintf(log, "line %d\n", i);
    fputc('x', log);
    fputs("end\n", log);
    fwrite(bytes, 100, 7, log);
    fsync(fileno(log));
    fclose(log);
    FILE *in = fopen("input", "r");
    char line[100];
    while (fgets(line, sizeof line, in))
        ;
    rewind(in);
    while (getc_unlocked(in) != EOF) /* calls something where the buffer is used up */
        ;
    fclose(in);
}

static void names(void)
{
    struct stat status;
    stat("d/data", &status);
    if (open("missing", O_RDONLY) >= 0)
        exit(1);
    rename("d/data", "d/renamed");
    unlink("old");
    symlink("d/renamed", "link");
    symlink("no file of the run", "dangling");
    readlink("dangling", bytes, 100);
    DIR *folder = opendir(".");
    while (readdir(folder))
        ;
    closedir(folder);
    char unique[] = "d/unique.XXXXXX";
    int file = mkstemp(unique);
    write(file, bytes, 123);
    close(file);
}

static void child(void)
{
    int file = open("shared", O_WRONLY | O_CREAT, 0600);
    write(file, bytes, 1000);
    pid_t pid = fork();
    if (!pid) {
        write(file, bytes, 50);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    write(file, bytes, 7);
    close(file);
}

static void *thread(void *context)
{
    char name[20];
    snprintf(name, sizeof name, "thread.%d", (int)(size_t)context);
    int file = open(name, O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 20; i++) {
        write(file, bytes, 3000);
        usleep(2000);
    }
    close(file);
    return NULL;
}

static int without_a_rule(void)
{
    int file = open("random", O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 200000; i++)
        pwrite(file, bytes, (size_t)(rand() % 4000), rand() % 1000000);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "random"))
        return without_a_rule();
    if (argc > 1) {
        int file = open("last", O_WRONLY | O_CREAT, 0600);
        write(file, bytes, 65536);
        return 0;
    }
    pthread_t threads[3];
    mkdir("d", 0755);
    data();
    streams();
    names();
    child();
    for (size_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, (void *)i);
    for (size_t i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    execl(argv[0], argv[0], "last", NULL);
    return 1;
}
