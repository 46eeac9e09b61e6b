# Warnings, sanitizers, hardening and link-time optimisation.
find_package(Threads REQUIRED)

add_compile_options(-Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Wswitch-enum)
if(PLUMB_WERROR)
    add_compile_options(-Werror)
endif()
if(PLUMB_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined
        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
endif()
if(PLUMB_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
    add_compile_definitions(PLUMB_FUZZ_NO_CHECKSUMS) # what lies behind a checksum must be reached
endif()
# What keeps an error in memory from becoming more than a crash: addresses that nobody foresees, tables of calls that are
# read-only before main begins, canaries behind arrays on the stack, copies whose lengths the C library checks.
# tests/cli/hardening.sh reads the result from the ELF files.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PLUMB_SANITIZE)
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES C)
    set(fortify 3)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12)
        set(fortify 2)
    endif()
    add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify})
    add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    # What runs for each access of the cycle model reads no text: canaries only behind arrays of characters, which cost
    # nothing there: those behind every variable whose address is taken are 3 % of a simulation's instructions.
    file(GLOB_RECURSE per_access CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/detailed/*.c ${CMAKE_SOURCE_DIR}/gpu/cache/*.c
        ${CMAKE_SOURCE_DIR}/gpu/geometry/*.c)
    list(FILTER per_access EXCLUDE REGEX "/request_trace\\.c$") # a reader of text
    set_source_files_properties(${per_access} PROPERTIES COMPILE_OPTIONS -fstack-protector)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PLUMB_SANITIZE)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT plumb_lto LANGUAGES C)
    # Only the program and the benches: test executables gain nothing and link slowly.
    if(plumb_lto AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-flto=auto -ffat-lto-objects)
    endif()
endif()
