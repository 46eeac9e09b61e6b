# Writes texts that the program makes from its own tables:
#   cmake -DPLUMB=PROGRAM -DKIND=installed -DFOLDER=BUILD/share -P cmake/Generated.cmake
#   cmake -DPLUMB=PROGRAM -DKIND=pages -DFOLDER=docs -P cmake/Generated.cmake
# The build does the first whenever it links the program, its target docs the second.
set(installed
    "plumb.1: help --man"
    "plumb.bash: help --bash"
    "plumb.zsh: help --zsh"
    "metrics.schema.json: metrics --schema")
set(pages
    "guide/commands.md: help --markdown"
    "guide/metrics.md: metrics --markdown"
    "parameters.md: machine params --markdown"
    "models/mechanisms.md: machine mechanisms --markdown")

foreach(name PLUMB KIND FOLDER)
    if(NOT DEFINED ${name})
        message(FATAL_ERROR "Generated.cmake: -D${name}=... is missing")
    endif()
endforeach()
if(NOT KIND MATCHES "^(installed|pages)$")
    message(FATAL_ERROR "Generated.cmake: KIND is ${KIND}; installed and pages are allowed")
endif()
foreach(row ${${KIND}})
    string(REGEX MATCH "^(.*): (.*)$" row ${row})
    set(file ${FOLDER}/${CMAKE_MATCH_1})
    separate_arguments(words UNIX_COMMAND ${CMAKE_MATCH_2})
    execute_process(COMMAND ${PLUMB} ${words} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE ${file} "${text}")
endforeach()
