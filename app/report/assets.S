// The files of a report page, byte for byte; their paths come from CMake.
  .section .rodata
  .balign 16

  .global headroom_plotly_begin
  .global headroom_plotly_end
headroom_plotly_begin:
  .incbin HEADROOM_PLOTLY
headroom_plotly_end:

  .global headroom_page_script_begin
  .global headroom_page_script_end
headroom_page_script_begin:
  .incbin HEADROOM_PAGE_SCRIPT
headroom_page_script_end:

  .global headroom_page_style_begin
  .global headroom_page_style_end
headroom_page_style_begin:
  .incbin HEADROOM_PAGE_STYLE
headroom_page_style_end:

  .section .note.GNU-stack, "", %progbits
