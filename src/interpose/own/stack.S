/* fth_stack_switch(work, argument, top): calls work(argument) on the stack that ends at `top`. The frame pointer leads back to the caller's, for us and for whoever
 * unwinds. The shadow stack of the processor, where there is one, goes on: calls and returns are in pairs. */
    .text
    .globl fth_stack_switch
    .hidden fth_stack_switch
    .type fth_stack_switch, %function
    .balign 16
fth_stack_switch:
    .cfi_startproc
#if defined __x86_64__
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rdx, %rsp
    movq %rdi, %rax
    movq %rsi, %rdi
    callq *%rax
    movq %rbp, %rsp
    popq %rbp
    .cfi_def_cfa %rsp, 8
    ret
#elif defined __aarch64__
    hint 34 /* bti c */
    stp x29, x30, [sp, -16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    mov x29, sp
    .cfi_def_cfa_register 29
    mov sp, x2
    mov x9, x0
    mov x0, x1
    blr x9
    mov sp, x29
    ldp x29, x30, [sp], 16
    .cfi_def_cfa 31, 0
    .cfi_restore 29
    .cfi_restore 30
    ret
#else
#error "the switch of stacks is not written for this machine"
#endif
    .cfi_endproc
    .size fth_stack_switch, . - fth_stack_switch
    .section .note.GNU-stack, "", %progbits
