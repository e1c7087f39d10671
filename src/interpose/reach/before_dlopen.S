/* dlopen, dlmopen, dlsym: the dynamic linker finds out from the return address on whose behalf it looks for things (the RUNPATH of the
 * caller, its scope, what RTLD_NEXT is next to). So there must be no frame of ours in between: the arguments are put aside, before_dlopen.c
 * says where to go on, and we jump there as if the caller had called it. When it names no place, it has done the work itself. */
    .text
    .hidden fth_before_dlopen
    .hidden fth_before_dlmopen
    .hidden fth_before_dlsym

#if defined __x86_64__
    .macro forward name
    .globl \name
    .type \name, %function
    .balign 16
\name:
    .cfi_startproc
    endbr64
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    pushq %rdx
    .cfi_adjust_cfa_offset 8
    call fth_before_\name
    movq %rdx, %rcx /* the answer */
    popq %rdx
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    testq %rax, %rax
    jz 1f
    jmp *%rax
1:  movq %rcx, %rax
    ret
    .cfi_endproc
    .size \name, . - \name
    .endm
#elif defined __aarch64__
    .macro forward name
    .globl \name
    .type \name, %function
    .balign 16
\name:
    .cfi_startproc
    hint 34 /* bti c */
    stp x29, x30, [sp, -48]!
    .cfi_def_cfa_offset 48
    .cfi_offset 29, -48
    .cfi_offset 30, -40
    stp x0, x1, [sp, 16]
    str x2, [sp, 32]
    bl fth_before_\name
    mov x16, x0
    mov x17, x1 /* the answer */
    ldp x0, x1, [sp, 16]
    ldr x2, [sp, 32]
    ldp x29, x30, [sp], 48
    .cfi_def_cfa_offset 0
    .cfi_restore 29
    .cfi_restore 30
    cbz x16, 1f
    br x16
1:  mov x0, x17
    ret
    .cfi_endproc
    .size \name, . - \name
    .endm
#else
#error "dlopen is not written for this machine"
#endif

    forward dlopen
    forward dlmopen
    forward dlsym
    .section .note.GNU-stack, "", %progbits
