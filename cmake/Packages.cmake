# Debian packages by CPack: plumb (program, presets, libplumb.so.0), libplumb-dev, python3-plumb.
#   cmake --preset release -DCMAKE_INSTALL_PREFIX=/usr && cmake --build build/release --target plumb plumb_shared plumb_static
#   cd build/release && cpack -G DEB
install(TARGETS plumb_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    NAMELINK_COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/libplumb.a DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES libplumb/plumb.h libplumb/plumb_dram.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(FILES ${CMAKE_BINARY_DIR}/plumb.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
install(FILES libplumb/examples/embed_dram.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT development)
install(FILES libplumb/python/plumb.py DESTINATION lib/python3/dist-packages COMPONENT python)
install(DIRECTORY docs/guide/notebooks DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT python FILES_MATCHING PATTERN "*.ipynb")
# Each package has its own: docdir is that of the package plumb.
install(FILES cmake/packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT library)
install(FILES cmake/packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libplumb-dev COMPONENT development)
install(FILES cmake/packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-plumb COMPONENT python)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR plumb)
set(PLUMB_MAINTAINER "The plumb authors <maintainers@plumb.invalid>" CACHE STRING "whom the packages name")
set(CPACK_PACKAGE_CONTACT ${PLUMB_MAINTAINER})
set(about "plumb computes what the memory system of a GPU would do with a program: how
long the program takes, where it waits, and what would help. It answers at once
by a queueing model, by a sample of intervals with its confidence, or by a cycle
model, for presets of real cards and machines of your own, and sweeps designs.
")
set(CPACK_DEBIAN_PLUMB_DESCRIPTION "simulator and estimator of GPU memory systems
${about}.
This package has the program, its machines and programs, and the library.")
set(CPACK_DEBIAN_DEV_DESCRIPTION "simulator and estimator of GPU memory systems (development)
${about}.
This package has the headers and the static library, by which other programs
ask for answers or embed the model of memory channels.")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "simulator and estimator of GPU memory systems (Python module)
${about}.
This package has the module plumb of Python 3.")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/PackageFiles.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENTS_ALL program library development python)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENT_PROGRAM_GROUP plumb)
set(CPACK_COMPONENT_LIBRARY_GROUP plumb)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP dev)
set(CPACK_COMPONENT_PYTHON_GROUP python)
set(CPACK_DEBIAN_PLUMB_PACKAGE_NAME plumb)
set(CPACK_DEBIAN_PLUMB_PACKAGE_RECOMMENDS "gnuplot-nox")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libplumb-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "plumb (= ${PROJECT_VERSION}), libgsl-dev, libconfig-dev, libzstd-dev, liblz4-dev, liblzma-dev, zlib1g-dev, libxxhash-dev, libsqlite3-dev")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-plumb)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, plumb (>= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-pandas")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-scipy, python3-optuna")
include(CPack)
