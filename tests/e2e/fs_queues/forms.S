/* asks(): asks for a queue by instructions of its own, in the form FORM; others have none that do. Each is a library. What a constructor got is what
 * asked_before() says. */
    .text
    .globl asks
    .type asks, %function
#define URING 425
#define WITH_ARGUMENTS xorl %edi, %edi; leaq room(%rip), %rsi;

#if FORM_constant
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %eax
    syscall
    ret
    .cfi_endproc
#elif FORM_prefix
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %eax
    .byte 0x66
    syscall
    ret
    .cfi_endproc
#elif FORM_prefixes
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %eax
    .byte 0xf3, 0x2e, 0x4f
    syscall
    ret
    .cfi_endproc
#elif FORM_long_constant
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movabsq $URING, %rax
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    popq %rbx
    .cfi_adjust_cfa_offset -8
    syscall
    ret
    .cfi_endproc
#elif FORM_short_pointers
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING + 0x40000000, %eax
    syscall
    ret
    .cfi_endproc
#elif FORM_number_of_32_bits
asks:
    .cfi_startproc
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    xorl %ebx, %ebx
    xorl %ecx, %ecx
    movl $URING, %eax
    int $0x80
    popq %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
#elif FORM_sysenter
asks:
    .cfi_startproc
    movl $URING, %eax
    sysenter
    ret
    .cfi_endproc
#elif FORM_pushed
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    pushq $URING
    popq %rax
    syscall
    ret
    .cfi_endproc
#elif FORM_computed
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING - 1, %eax
    incl %eax
    syscall
    ret
    .cfi_endproc
#elif FORM_from_register
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %r9d
    xchgq %rax, %r9
    syscall
    ret
    .cfi_endproc
#elif FORM_part_of_register
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING - 0x100, %eax
    addb $1, %ah
    syscall
    ret
    .cfi_endproc
#elif FORM_behind_jump
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %eax
    jmp 1f
    movl $39, %eax
1:  syscall
    ret
    .cfi_endproc
#elif FORM_behind_condition
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %eax
    testl %edi, %edi
    jz 1f
    .skip 1000, 0x90
    movl $39, %eax
1:  syscall
    ret
    .cfi_endproc
#elif FORM_behind_junk
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    jmp 1f
    .byte 0x48
1:  movl $URING, %eax
    syscall
    ret
    .cfi_endproc
#elif FORM_of_another_function
other:
    .cfi_startproc
    movl $39, %eax
entry:
    syscall
    ret
    .cfi_endproc
    .skip 500, 0x90
asks:
    .cfi_startproc
    WITH_ARGUMENTS
    movl $URING, %eax
    call entry
    ret
    .cfi_endproc
#elif FORM_without_frame
    .skip 64, 0x90
asks:
    WITH_ARGUMENTS
    movl $URING, %eax
    syscall
    ret
#elif FORM_behind_data
    .byte 0x0f, 0xff, 0x06, 0x48, 0xb8, 1, 2, 3, 0x62
asks:
    WITH_ARGUMENTS
    movl $URING, %eax
    syscall
    ret
#elif FORM_other_distance || FORM_other_constant || FORM_other_number || FORM_other_between
asks:
    .cfi_startproc
    xorl %eax, %eax
    ret
    .cfi_endproc
#endif

#if FORM_other_distance
    .globl used
used:
    .cfi_startproc
    movl 0x50f11(%rdi), %eax
    movl 0x11050f(%rdi), %ecx
    movl %esi, 0x11340f(%rdi)
    cmpb $0, 0x80cd(%rip)
    leal -0x80(, %rcx, 8), %ecx
    ret
    .cfi_endproc
#elif FORM_other_constant
    .globl used
used:
    .cfi_startproc
    movl $0x9050f90, %edx
    movabsq $0x80cd12340f11050f, %rdx
    addl $URING, %edx
    movl $URING, %eax
    ret
    .cfi_endproc
#elif FORM_other_number
    .globl used
used:
    .cfi_startproc
    movl $39, %eax
    movq %rdi, %rsi
    leaq 8(%rsp), %rdx
    syscall
    movl $URING, %ecx
    testl %eax, %eax
    jnz 1f
    xorl %eax, %eax
    syscall
1:  ret
    .cfi_endproc
#elif FORM_other_between
    .globl used
used:
    movl 0x50f11(%rdi), %eax
    ret
#endif

    .globl asked_before
    .type asked_before, %function
asked_before:
    .cfi_startproc
    movl answer(%rip), %eax
    ret
    .cfi_endproc
#if CONSTRUCTOR
begins:
    .cfi_startproc
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    call asks@PLT
    movl %eax, answer(%rip)
    popq %rbx
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .section .init_array, "aw"
    .balign 8
    .quad begins
#endif
    .data
answer:
    .long 77
room:
    .skip 240
    .section .note.GNU-stack, "", %progbits
