/* Looks for the instruction of a system call in the code of an executable. On x86-64 its two bytes
 * are often part of another instruction, and instructions have no alignment that would show it: the
 * number of the call has to be set just before it, or its result to be tested just behind it, as
 * compilers and people write it. On 64-bit ARM an instruction is a word, and the number goes to
 * x8. */
#include "trace/program/own_calls.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_CODE = 256 << 20, /* bytes of a file that are looked at */
    NUMBERS = 1024,        /* of system calls: below this */
    BEFORE = 24,           /* bytes in which the number is set; arguments are set among them */
    MOST_ERRNO = 4095,
};

static uint32_t word_at(const uint8_t *code)
{
    uint32_t word;
    memcpy(&word, code, sizeof word);
    return word;
}

/* ---- x86-64 ---- */

/* mov $NUMBER,%eax, or mov $NUMBER,%rax */
static bool sets_number(const uint8_t *code, size_t bytes)
{
    if (bytes >= 5 && code[0] == 0xb8)
        return word_at(code + 1) < NUMBERS;
    return bytes >= 7 && memcmp(code, "\x48\xc7\xc0", 3) == 0 && word_at(code + 3) < NUMBERS;
}

/* cmp $-MOST_ERRNO,%rax, or one less: errors are recognized by these. */
static bool tests_result(const uint8_t *code, size_t bytes)
{
    if (bytes < 6 || code[0] != 0x48 || code[1] != 0x3d)
        return false;
    uint32_t limit = word_at(code + 2);
    return limit == (uint32_t)-MOST_ERRNO || limit == (uint32_t)-MOST_ERRNO - 1;
}

static bool x86_calls(const uint8_t *code, size_t bytes)
{
    static const uint8_t instruction[] = {0x0f, 0x05};
    const uint8_t *at = code, *end = code + bytes;
    while ((at = memmem(at, (size_t)(end - at), instruction, sizeof instruction))) {
        const uint8_t *first = at - code > BEFORE ? at - BEFORE : code;
        const uint8_t *behind = at + sizeof instruction;
        if (tests_result(behind, (size_t)(end - behind)))
            return true;
        for (const uint8_t *before = first; before < at; before++)
            if (sets_number(before, (size_t)(at - before)))
                return true;
        at = behind;
    }
    return false;
}

/* ---- 64-bit ARM ---- */

static bool arm_calls(const uint8_t *code, size_t bytes)
{
    const uint32_t svc = 0xd4000001, mov_to_8 = 0x52800008, mov_mask = 0x7fe0001f;
    for (size_t at = 0; at + 4 <= bytes; at += 4) {
        if (word_at(code + at) != svc)
            continue;
        for (size_t back = 4; back <= BEFORE && back <= at; back += 4)
            if ((word_at(code + at - back) & mov_mask) == mov_to_8)
                return true;
    }
    return false;
}

/* ---- files ---- */

static bool segment_calls(const uint8_t *file, size_t bytes, const Elf64_Phdr *segment, int machine)
{
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || segment->p_offset > bytes)
        return false;
    size_t rest = bytes - segment->p_offset;
    size_t length = segment->p_filesz < rest ? segment->p_filesz : rest;
    if (machine == EM_X86_64)
        return x86_calls(file + segment->p_offset, length);
    return machine == EM_AARCH64 && arm_calls(file + segment->p_offset, length);
}

static bool file_calls(const uint8_t *file, size_t bytes)
{
    Elf64_Ehdr head;
    Elf64_Phdr segment;
    if (bytes < sizeof head)
        return false;
    memcpy(&head, file, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
        head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_phentsize != sizeof segment)
        return false;
    for (size_t i = 0; i < head.e_phnum; i++) {
        if (head.e_phoff > bytes || (i + 1) * sizeof segment > bytes - head.e_phoff)
            return false;
        memcpy(&segment, file + head.e_phoff + i * sizeof segment, sizeof segment);
        if (segment_calls(file, bytes, &segment, head.e_machine))
            return true;
    }
    return false;
}

bool fth_makes_own_calls(const char *path)
{
    struct stat facts;
    bool calls = false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        return false;
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0) {
        size_t bytes = facts.st_size < MOST_CODE ? (size_t)facts.st_size : MOST_CODE;
        void *memory = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            calls = file_calls(memory, bytes);
            munmap(memory, bytes);
        }
    }
    close(file);
    return calls;
}
