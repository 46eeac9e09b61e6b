# The rooms as static libraries, the program, the bench and fuzz programs.
# A room without C files yet has no library; whoever would link it goes without.

# plumb_sources(OUT FOLDER): the folder's C files, sub-folders included; what works on LLVM's or CUDA's code builds itself,
# and examples are built by whoever reads them.
function(plumb_sources out folder)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.c)
    list(FILTER files EXCLUDE REGEX "/(trace/oclgrind|trace/lower|trace/cuda|libplumb/examples)/")
    set(${out} ${files} PARENT_SCOPE)
endfunction()

# plumb_link_those(TARGET SCOPE LIBRARIES...): links plumb_LIBRARY where it is there.
function(plumb_link_those target scope)
    foreach(library ${ARGN})
        if(TARGET plumb_${library})
            target_link_libraries(${target} ${scope} plumb_${library})
        endif()
    endforeach()
endfunction()

# plumb_room(ROOM BELOW...): plumb_ROOM from ROOM/**.c, linked to the rooms below, nearest first.
function(plumb_room room)
    plumb_sources(files ${room})
    if(NOT files)
        return()
    endif()
    add_library(plumb_${room} STATIC ${files})
    plumb_link_those(plumb_${room} PUBLIC ${ARGN})
endfunction()

function(plumb_link room)
    if(TARGET plumb_${room})
        target_link_libraries(plumb_${room} ${ARGN})
    endif()
endfunction()

# What every executable gets: the rooms that it is given and, with sanitizers, the leak suppressions.
function(plumb_executable target)
    if(PLUMB_SANITIZE)
        target_sources(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests/sanitizers.c)
    endif()
    plumb_link_those(${target} PRIVATE ${ARGN})
endfunction()

function(plumb_optimise target)
    if(plumb_lto AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        target_link_options(${target} PRIVATE -flto=auto)
    endif()
endfunction()

set(PLUMB_ROOMS_TOP_DOWN cards sweeps libplumb engine sampler calibration answer estimator detailed gpu trace base)

function(plumb_program)
    plumb_sources(files cli)
    if(NOT files)
        return()
    endif()
    add_executable(plumb ${files})
    plumb_executable(plumb ${PLUMB_ROOMS_TOP_DOWN})
    plumb_optimise(plumb)
    install(TARGETS plumb RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
    plumb_generated()
endfunction()

# What the program makes from its tables: the man page, completions and the schema of answers stand in BUILD/share once
# it is linked; the target docs writes the reference pages in docs.
function(plumb_generated)
    set(generate ${CMAKE_COMMAND} -DPLUMB=$<TARGET_FILE:plumb>)
    set(by -P ${CMAKE_SOURCE_DIR}/cmake/Generated.cmake)
    set(share ${CMAKE_BINARY_DIR}/share)
    add_custom_command(TARGET plumb POST_BUILD COMMAND ${generate} -DKIND=installed -DFOLDER=${share} ${by} VERBATIM)
    add_custom_target(docs VERBATIM DEPENDS plumb
        COMMAND ${generate} -DKIND=pages -DFOLDER=${CMAKE_SOURCE_DIR}/docs ${by}
        COMMAND bash ${CMAKE_SOURCE_DIR}/scripts/constants.sh --page)

    install(FILES ${share}/plumb.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
    install(FILES ${share}/plumb.bash RENAME plumb
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
    install(FILES ${share}/plumb.zsh RENAME _plumb
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
    install(FILES ${share}/metrics.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/plumb COMPONENT program)
endfunction()

# libplumb.so and libplumb.a: all rooms below libplumb, with the two public headers and plumb.pc. The archive has one
# object, in which only the functions of the public headers can be seen.
function(plumb_library)
    if(NOT TARGET plumb_libplumb)
        return()
    endif()
    set(objects)
    foreach(room ${PLUMB_ROOMS_TOP_DOWN})
        if(NOT room MATCHES "^(cards|sweeps)$")
            list(APPEND objects $<TARGET_OBJECTS:plumb_${room}>)
        endif()
    endforeach()
    add_library(plumb_shared SHARED ${objects})
    set_target_properties(plumb_shared PROPERTIES OUTPUT_NAME plumb VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE C)
    target_link_libraries(plumb_shared PRIVATE OpenMP::OpenMP_C PkgConfig::gsl
        PkgConfig::libconfig PkgConfig::libzstd PkgConfig::liblzma PkgConfig::zlib
        PkgConfig::liblz4 PkgConfig::libxxhash PkgConfig::sqlite3 Threads::Threads m)
    plumb_optimise(plumb_shared)

    set(archive ${CMAKE_BINARY_DIR}/libplumb.a)
    add_custom_command(OUTPUT ${archive} DEPENDS plumb_libplumb ${objects} COMMAND_EXPAND_LISTS VERBATIM
        COMMAND ${CMAKE_LINKER} -r -o libplumb.o ${objects}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden --remove-section=.gnu.lto_* libplumb.o
        COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
        COMMAND ${CMAKE_AR} rcs ${archive} libplumb.o)
    add_custom_target(plumb_static DEPENDS ${archive})

    configure_file(${CMAKE_SOURCE_DIR}/libplumb/plumb.pc.in ${CMAKE_BINARY_DIR}/plumb.pc @ONLY)
endfunction()

# plumb_per_file(FOLDER PREFIX OUT LIBRARIES...): one executable for each C file below FOLDER, linked to plumb_LIBRARY and
# all rooms; FOLDER/a/b.c becomes PREFIX_a_b, and OUT receives the names a_b.  FOLDER/support is a library of its own.
function(plumb_per_file folder prefix out)
    file(GLOB_RECURSE files RELATIVE ${CMAKE_SOURCE_DIR}/${folder} CONFIGURE_DEPENDS
        ${CMAKE_SOURCE_DIR}/${folder}/*.c)
    list(FILTER files EXCLUDE REGEX "^support/")
    set(names)
    foreach(file ${files})
        string(REGEX REPLACE "\\.c$" "" name ${file})
        string(REPLACE "/" "_" name ${name})
        add_executable(${prefix}_${name} ${folder}/${file})
        plumb_executable(${prefix}_${name} ${ARGN} ${PLUMB_ROOMS_TOP_DOWN})
        list(APPEND names ${name})
    endforeach()
    set(${out} ${names} PARENT_SCOPE)
endfunction()

# plumb_support: what benches share, from bench/support and from tests/support; it does without cmocka, as benches do.
# The rest of tests/support is plumb_test_support (Tests.cmake).
set(PLUMB_BENCH_SUPPORT accelsim_cases cache_formulas cache_streams coverage coverage_row dram_reference each_parameter
    metric_bounds random_draw random_values warm_pass)

function(plumb_support)
    if(TARGET plumb_support)
        return()
    endif()
    file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/bench/support/*.c)
    foreach(name ${PLUMB_BENCH_SUPPORT})
        list(APPEND files ${CMAKE_SOURCE_DIR}/tests/support/${name}.c)
    endforeach()
    add_library(plumb_support STATIC ${files})
    plumb_link_those(plumb_support PUBLIC ${PLUMB_ROOMS_TOP_DOWN})
endfunction()

function(plumb_bench)
    plumb_support()
    plumb_per_file(bench bench names support)
endfunction()

function(plumb_fuzz)
    plumb_per_file(tests/fuzz fuzz names)
    foreach(name ${names})
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    endforeach()
endfunction()
