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
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PLUMB_SANITIZE)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT plumb_lto LANGUAGES C)
    # Only the program and the benches: test executables gain nothing and link slowly.
    if(plumb_lto AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-flto=auto -ffat-lto-objects)
    endif()
endif()
