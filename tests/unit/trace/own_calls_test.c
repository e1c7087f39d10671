/* System calls in the code of programs: small ELF files, and programs of the system. */
#include "trace/program/own_calls.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/fathom-own-calls-XXXXXX";

/* An executable of one segment with this code; `flags` are those of the segment. */
static bool makes_calls(uint16_t machine, uint32_t flags, const void *code, size_t bytes)
{
    Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                       .e_machine = machine,
                       .e_phoff = sizeof head,
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 1};
    Elf64_Phdr segment = {.p_type = PT_LOAD,
                          .p_flags = flags,
                          .p_offset = sizeof head + sizeof segment,
                          .p_filesz = bytes};
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(&head, sizeof head, 1, file);
    fwrite(&segment, sizeof segment, 1, file);
    fwrite(code, bytes, 1, file);
    fclose(file);
    return fth_makes_own_calls(path);
}
#define X86_MAKES_CALLS(code) makes_calls(EM_X86_64, PF_R | PF_X, code, sizeof code - 1)
#define ARM_MAKES_CALLS(code) makes_calls(EM_AARCH64, PF_R | PF_X, code, sizeof code - 1)

static void a_number_before_it_tells(void **state)
{
    (void)state;
    assert_true(X86_MAKES_CALLS("\xb8\x01\0\0\0\x0f\x05"));               /* mov $1,%eax */
    assert_true(X86_MAKES_CALLS("\x48\xc7\xc0\x12\0\0\0\x0f\x05"));       /* mov $18,%rax */
    assert_true(X86_MAKES_CALLS("\xb8\x01\0\0\0\xbf\x03\0\0\0\x0f\x05")); /* an argument between */
    assert_false(X86_MAKES_CALLS("\xb8\x01\x02\x03\x04\x0f\x05"));        /* no number of a call */
}

static void a_test_behind_it_tells(void **state)
{
    (void)state;
    assert_true(X86_MAKES_CALLS("\x0f\x05\x48\x3d\x01\xf0\xff\xff"));
    assert_true(X86_MAKES_CALLS("\x0f\x05\x48\x3d\x00\xf0\xff\xff"));
    assert_false(X86_MAKES_CALLS("\x0f\x05\x48\x3d\x01\x00\x00\x00"));
}

static void two_bytes_alone_do_not(void **state)
{
    (void)state;
    assert_false(X86_MAKES_CALLS("\x0f\x05"));
    assert_false(X86_MAKES_CALLS("\x48\x8b\x0f\x05\x90\x90\x90\x90\x90\x90"));
}

static void the_second_place_counts(void **state)
{
    (void)state;
    assert_true(X86_MAKES_CALLS("\x90\x0f\x05\x90\x90\x90\x90\x90\xb8\x03\0\0\0\x0f\x05"));
}

static void arm_sets_x8(void **state)
{
    (void)state;
    assert_true(ARM_MAKES_CALLS("\x08\x08\x80\xd2\x01\0\0\xd4")); /* mov x8,#64; svc #0 */
    assert_false(ARM_MAKES_CALLS("\x1f\x20\x03\xd5\x01\0\0\xd4"));
    assert_false(ARM_MAKES_CALLS("\x08\x08\x80\xd2\x1f\x20\x03\xd5"));
}

static void data_is_not_code(void **state)
{
    (void)state;
    static const char code[] = "\xb8\x01\0\0\0\x0f\x05";
    assert_false(makes_calls(EM_X86_64, PF_R | PF_W, code, sizeof code - 1));
    assert_false(makes_calls(EM_PPC64, PF_R | PF_X, code, sizeof code - 1));
}

static void what_is_no_program_tells_nothing(void **state)
{
    (void)state;
    assert_false(fth_makes_own_calls("/"));
    assert_false(fth_makes_own_calls("/no/such/file"));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("\177ELF", file);
    fclose(file);
    assert_false(fth_makes_own_calls(path));
}

/* Headers that point behind the end of the file. */
static void damaged_headers_are_refused(void **state)
{
    (void)state;
    Elf64_Ehdr head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                       .e_machine = EM_X86_64,
                       .e_phoff = UINT64_MAX - 8,
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = UINT16_MAX};
    Elf64_Phdr segment = {.p_type = PT_LOAD, .p_flags = PF_X, .p_offset = UINT64_MAX};
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        fwrite(&head, sizeof head, 1, file);
        fwrite(&segment, sizeof segment, 1, file);
        fclose(file);
        assert_false(fth_makes_own_calls(path));
        head.e_phoff = sizeof head;
    }
}

static void libc_does_and_true_does_not(void **state)
{
    (void)state;
#ifdef __x86_64__
    assert_true(fth_makes_own_calls("/lib/x86_64-linux-gnu/libc.so.6") ||
                access("/lib/x86_64-linux-gnu/libc.so.6", F_OK) != 0);
#endif
    assert_false(fth_makes_own_calls("/bin/true"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_before_it_tells),
        cmocka_unit_test(a_test_behind_it_tells),
        cmocka_unit_test(two_bytes_alone_do_not),
        cmocka_unit_test(the_second_place_counts),
        cmocka_unit_test(arm_sets_x8),
        cmocka_unit_test(data_is_not_code),
        cmocka_unit_test(what_is_no_program_tells_nothing),
        cmocka_unit_test(damaged_headers_are_refused),
        cmocka_unit_test(libc_does_and_true_does_not),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
