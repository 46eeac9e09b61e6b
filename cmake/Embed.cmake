# Files as bytes in the program (the report's page, the template of the schema of answers): an assembler file that
# includes them, so that a megabyte costs no compile time and takes part in no link-time optimisation.
enable_language(ASM)

set(PLUMB_PAGE_FILES
    page_echarts ${CMAKE_SOURCE_DIR}/third_party/echarts/echarts.min.js
    page_css ${CMAKE_SOURCE_DIR}/sweeps/report/page/page.css
    page_body ${CMAKE_SOURCE_DIR}/sweeps/report/page/page.html
    page_figures ${CMAKE_SOURCE_DIR}/sweeps/report/figures.sql)
foreach(script data stats answers state address theme choices scatter beside parallel rounds effects heat stacks roofline explain sentences correlation hardware
        machine_file table main start)
    list(APPEND PLUMB_PAGE_FILES page_js_${script} ${CMAKE_SOURCE_DIR}/sweeps/report/page/${script}.js)
endforeach()

# plumb_embed(TARGET OUT NAME FILE...): symbols NAME and NAME_end, at which a NUL stands; libplumb does not export them.
function(plumb_embed target out)
    set(text "    .section .rodata\n")
    set(files)
    while(ARGN)
        list(POP_FRONT ARGN name file)
        string(APPEND text "    .globl ${name}, ${name}_end\n    .hidden ${name}, ${name}_end\n"
            "${name}:\n    .incbin \"${file}\"\n${name}_end:\n    .byte 0\n")
        list(APPEND files ${file})
    endwhile()
    string(APPEND text "    .section .note.GNU-stack,\"\",%progbits\n")
    file(CONFIGURE OUTPUT ${out} CONTENT "${text}" @ONLY)
    set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${files}")
    target_sources(${target} PRIVATE ${out})
endfunction()
