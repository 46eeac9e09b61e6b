# ctest names: unit.<room>_<what>, behaviour.<room>_<what>, agreement.<question>, cli.<script>, house.<rule>.
# No script reads or writes the bank of runs of whoever tests (PLUMB_BANK).
# A file whose name ends in _long carries the label "long" (left out of the quick tier).
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

function(plumb_label test name)
    if(name MATCHES "_long$")
        set_tests_properties(${test} PROPERTIES LABELS long)
    endif()
endfunction()

plumb_support()
file(GLOB support CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/support/*.c)
foreach(name ${PLUMB_BENCH_SUPPORT})
    list(REMOVE_ITEM support ${CMAKE_SOURCE_DIR}/tests/support/${name}.c)
endforeach()
add_library(plumb_test_support STATIC ${support})
target_link_libraries(plumb_test_support PUBLIC plumb_support PkgConfig::cmocka)
target_compile_definitions(plumb_test_support PRIVATE ${PLUMB_PLACES})

foreach(kind unit behaviour agreement)
    plumb_per_file(tests/${kind} ${kind} names test_support)
    foreach(name ${names})
        target_compile_definitions(${kind}_${name} PRIVATE ${PLUMB_PLACES})
        add_test(NAME ${kind}.${name} COMMAND ${kind}_${name}
            WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
        plumb_label(${kind}.${name} ${name})
    endforeach()
endforeach()

# QuickRelease's model is in the library with two L1s and one line; these tests compile it with other numbers.
foreach(shape "two_lines;SYNC_LINES=2" "three_l1s;SYNC_L1S=3")
    list(GET shape 0 what)
    list(GET shape 1 number)
    target_sources(unit_detailed_quickrelease_${what}_long PRIVATE tests/support/quickrelease_model.c
        tests/support/quickrelease_queues.c tests/support/quickrelease_walk.c)
    target_compile_definitions(unit_detailed_quickrelease_${what}_long PRIVATE ${number})
endforeach()

if(TARGET plumb)
    file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/cli/*.sh)
    foreach(script ${scripts})
        get_filename_component(name ${script} NAME_WE)
        add_test(NAME cli.${name} COMMAND bash ${script} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
        set_tests_properties(cli.${name} PROPERTIES SKIP_RETURN_CODE 77
            ENVIRONMENT "PLUMB_BANK=off;PLUMB=$<TARGET_FILE:plumb>;PLUMB_LIBRARY=$<TARGET_FILE:plumb_shared>")
        plumb_label(cli.${name} ${name})
    endforeach()
endif()

add_test(NAME house.floors COMMAND bash tests/floors.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house.names COMMAND bash tests/names.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house.smear COMMAND bash tests/smear.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house.sizes COMMAND bash tests/sizes.sh WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
add_test(NAME house.constants COMMAND bash scripts/constants.sh --check WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
