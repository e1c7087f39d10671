/* What the members of libfathom-static-NAME.a with the symbols that wrappers ask for are made of
 * (../static.h has the layout). They are written for the assembler, as that is what can say "this
 * symbol, whatever it is". Under the linker's --wrap, __real_X is the function X. */
#ifndef FTH_CAPTURE_STATIC_SLOTS_H
#define FTH_CAPTURE_STATIC_SLOTS_H

/* Begins such a member: the note by which slots are found, and what the members of functions refer
 * to, so that this one is linked with them. */
#define FTH_STATIC_LIBRARY(library)                                                                \
    __asm__(".pushsection .note.fathom, \"a\", %note\n"                                            \
            ".balign 4\n"                                                                          \
            ".long 7, 8, 1\n"                                                                      \
            ".asciz \"Fathom\"\n"                                                                  \
            ".balign 4\n"                                                                          \
            ".long __start_fathom_static - .\n"                                                    \
            ".long __stop_fathom_static - .\n"                                                     \
            ".popsection\n"                                                                        \
            ".pushsection fathom_static, \"aw\", %progbits\n"                                      \
            ".balign 8\n"                                                                          \
            ".globl fathom_static_" #library "\n"                                                  \
            "fathom_static_" #library ":\n"                                                        \
            ".popsection\n");

/* `symbol` is what the linker calls it. */
#define FTH_STATIC_SYMBOL(library, name, symbol)                                                   \
    __asm__(".pushsection .rodata\n"                                                               \
            "1: .asciz \"" name "\"\n"                                                             \
            ".popsection\n"                                                                        \
            ".pushsection fathom_static, \"aw\", %progbits\n"                                      \
            ".balign 8\n"                                                                          \
            ".quad 1b, 0, " symbol ", fathom_static_" #library "\n"                                \
            ".popsection\n");

/* One that may be missing. */
#define FTH_STATIC_OPTIONAL(library, name, symbol)                                                 \
    __asm__(".weak " symbol "\n");                                                                 \
    FTH_STATIC_SYMBOL(library, name, symbol)

#endif
