# Files of the report's page as bytes in the program: an assembler file that includes them, so that a megabyte costs
# no compile time and takes part in no link-time optimisation.
enable_language(ASM)

set(PLUMB_PAGE_FILES
    echarts ${CMAKE_SOURCE_DIR}/third_party/echarts/echarts.min.js
    css ${CMAKE_SOURCE_DIR}/sweeps/report/page/page.css
    body ${CMAKE_SOURCE_DIR}/sweeps/report/page/page.html)
foreach(script data stats answers state theme choices scatter parallel rounds effects heat stacks roofline explain correlation hardware
        machine_file table main)
    list(APPEND PLUMB_PAGE_FILES js_${script} ${CMAKE_SOURCE_DIR}/sweeps/report/page/${script}.js)
endforeach()

# plumb_embed(TARGET OUT NAME FILE...): symbols page_NAME and page_NAME_end.
function(plumb_embed target out)
    set(text "    .section .rodata\n")
    set(files)
    while(ARGN)
        list(POP_FRONT ARGN name file)
        string(APPEND text "    .globl page_${name}, page_${name}_end\npage_${name}:\n    .incbin \"${file}\"\n"
            "page_${name}_end:\n    .byte 0\n")
        list(APPEND files ${file})
    endwhile()
    string(APPEND text "    .section .note.GNU-stack,\"\",%progbits\n")
    file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
    set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${files}")
    target_sources(${target} PRIVATE ${out})
endfunction()
