# Warnings, sanitizers and link-time optimisation.
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
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT PLUMB_SANITIZE)
    include(CheckIPOSupported)
    check_ipo_supported(RESULT plumb_lto LANGUAGES C)
    # Only the program and the benches: test executables gain nothing and link slowly.
    if(plumb_lto AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-flto=auto -ffat-lto-objects)
    endif()
endif()
