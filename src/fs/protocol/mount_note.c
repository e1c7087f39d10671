/* One line: a letter, and the text. */
#include "fs/protocol/mount_note.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char letters[] = {
    [FTH_NOT_MOUNTED] = '-', [FTH_MOUNTED] = '+', [FTH_MOUNT_MADE] = '*'};

int fth_mount_note_open(int instance, int flags)
{
    return openat(instance, "mount", flags | O_NOFOLLOW | O_CLOEXEC, 0600);
}

int fth_mount_note_write(int note, enum fth_mount_word word, const char *text)
{
    char line[FTH_MOUNT_TEXT + 1];
    int length = snprintf(line, sizeof line, "%c%s", letters[word], text);
    if (length >= (int)sizeof line)
        length = sizeof line - 1;
    if (ftruncate(note, 0))
        return -1;
    return pwrite(note, line, (size_t)length, 0) == length ? 0 : -1;
}

enum fth_mount_word fth_mount_note_read(int note, char text[FTH_MOUNT_TEXT])
{
    char letter = 0;
    ssize_t length = -1;
    if (note >= 0 && pread(note, &letter, 1, 0) == 1)
        length = pread(note, text, FTH_MOUNT_TEXT - 1, 1);
    text[length > 0 ? length : 0] = 0;
    if (letter != letters[FTH_NOT_MOUNTED] && *text == '/')
        return letter == letters[FTH_MOUNT_MADE] ? FTH_MOUNT_MADE : FTH_MOUNTED;
    return FTH_NOT_MOUNTED;
}

pid_t fth_mount_note_process(int note)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool is_free = note < 0 || fcntl(note, F_GETLK, &whole) || whole.l_type == F_UNLCK;
    return is_free ? 0 : whole.l_pid;
}
