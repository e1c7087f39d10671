/* vfork: its child runs in our memory and on our stack until it execs or exits, and overwrites whatever lies below its caller's
 * frame. So nothing may be on the stack while the child runs: the return address waits in a register, which the parent
 * gets back from the kernel as it was, and what the parent needs afterwards waits in hand.c. */
    .text
    .hidden fth_vfork_begin
    .hidden fth_vfork_end
    .globl vfork
    .type vfork, %function
    .globl __vfork
    .type __vfork, %function
    .balign 16
#if defined __x86_64__
vfork:
__vfork:
    .cfi_startproc
    subq $8, %rsp /* calls want the stack aligned */
    .cfi_adjust_cfa_offset 8
    call fth_vfork_begin
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    .cfi_register %rip, %rdi
    movl $58, %eax /* SYS_vfork */
    syscall
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rip, -8
    testq %rax, %rax
    jz 1f
    movq %rax, %rdi
    jmp fth_vfork_end /* the parent: records the call and returns its result */
1:  ret               /* the child */
    .cfi_endproc
#elif defined __aarch64__
vfork:
__vfork:
    .cfi_startproc
    stp x29, x30, [sp, -16]!
    .cfi_def_cfa_offset 16
    .cfi_offset 29, -16
    .cfi_offset 30, -8
    bl fth_vfork_begin
    ldp x29, x30, [sp], 16
    .cfi_def_cfa_offset 0
    .cfi_restore 29
    .cfi_restore 30
    mov x0, #0x4111 /* CLONE_VM | CLONE_VFORK | SIGCHLD */
    mov x1, #0      /* the same stack */
    mov x2, #0
    mov x3, #0
    mov x4, #0
    mov x8, #220    /* SYS_clone */
    svc #0
    cbz x0, 1f
    b fth_vfork_end /* the parent: records the call and returns its result */
1:  ret             /* the child */
    .cfi_endproc
#else
#error "vfork is not written for this machine"
#endif
    .size vfork, . - vfork
    .size __vfork, . - __vfork
    .section .note.GNU-stack, "", %progbits
