/* The page of a run, before its data and behind it, as page/join made it. */
    .section .rodata
    .global fth_page_begin, fth_page_begin_end, fth_page_end, fth_page_end_end
    .hidden fth_page_begin, fth_page_begin_end, fth_page_end, fth_page_end_end
fth_page_begin:
    .incbin "page_begin.html"
fth_page_begin_end:
fth_page_end:
    .incbin "page_end.html"
fth_page_end_end:
    .section .note.GNU-stack, "", %progbits
