# What captures have in common: LLVM 14, and the rooms' sources that a library inside a foreign program has a copy of.
# Variables: PLUMB_LLVM, PLUMB_LLVM_INCLUDE (where LLVM 14 is there), PLUMB_RECORDER_SOURCES, PLUMB_LOWER_SOURCES.

# plumb_sources_named(OUT NAMES...): they are looked for even where what needs them is not built.
function(plumb_sources_named out)
    set(sources)
    foreach(name ${ARGN})
        if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${name}.c)
            message(FATAL_ERROR "cmake/Capture.cmake names ${name}.c, which is not there")
        endif()
        list(APPEND sources ${CMAKE_SOURCE_DIR}/${name}.c)
    endforeach()
    set(${out} ${sources} PARENT_SCOPE)
endfunction()

plumb_sources_named(PLUMB_RECORDER_SOURCES base/error base/shown base/io/outfile base/memory/alloc base/memory/arena
    base/memory/hash_map base/memory/rng base/text/digest base/text/text base/text/zstd_frame
    trace/capture/address_layout trace/capture/capture trace/capture/kernel_blob trace/capture/launch_filter trace/capture/reconverge
    trace/capture/register_numbers trace/stream/code_table trace/plt/cta_writer trace/plt/plt trace/stream/segment
    trace/stream/varint trace/plt/writer trace/stream/inst trace/program/launch_header)
plumb_sources_named(PLUMB_LOWER_SOURCES trace/lower/lower trace/lower/lower_registers trace/lower/schedule
    trace/lower/shape)

include(CheckLanguage)
check_language(CXX)
find_library(PLUMB_LLVM NAMES libLLVM-14.so.1 PATH_SUFFIXES llvm-14/lib)
find_path(PLUMB_LLVM_INCLUDE llvm-c/Core.h PATHS /usr/lib/llvm-14/include /usr/include/llvm-c-14 NO_DEFAULT_PATH)
mark_as_advanced(PLUMB_LLVM PLUMB_LLVM_INCLUDE)

# For the libraries of this folder, which live in programs that are not ours: position independent, without sanitizers.
macro(plumb_foreign_options)
    get_directory_property(options COMPILE_OPTIONS)
    list(FILTER options EXCLUDE REGEX "^-fsanitize|^-fno-sanitize|^-flto|^-Wmissing-prototypes$")
    set_directory_properties(PROPERTIES COMPILE_OPTIONS "${options}" LINK_OPTIONS "")
endmacro()
