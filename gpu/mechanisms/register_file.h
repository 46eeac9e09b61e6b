/* register_file.h - the rows of the register file's mechanisms (mechanisms.h): banks with operand
 * collectors, racetrack cells, the mapping of registers to banks and ports, the write buffer and
 * the register-file cache. */
#pragma once

#define REGISTER_FILE_MECHANISM                                                               \
    .name = "banks and operand collectors",                                                   \
    .what = "instructions collect their operands from banks and write their results to them", \
    .params = "register_file.cells register_file.banks register_file.clock_ratio "            \
              "register_file.collectors.",                                                    \
    .on = "register_file.cells!=none",                                                        \
    .functional.lacks = "it has a time and no state; warps take turns as without it",         \
    .estimator = {.where = "estimator/terms/register_stations.c",                             \
                  .lacks = "waits are several times too long or short"},                      \
    .energy.where = "energy_mj.register_file register_file.energy_mj.",                       \
    .metrics = "register_file.", .named = "register_file operand_collector register_banks",   \
    .home = "detailed/register_file/ detailed/sm/operands gpu/energy/register_ "              \
            "gpu/geometry/register_layout gpu/machine/params/register_file "                  \
            "gpu/machine/tables/register_file gpu/mechanisms/register_ "                      \
            "gpu/metrics/register_file cli/machine/energy_machine_registers"

#define RACETRACK_MECHANISM                                                                     \
    .name = "racetrack cells",                                                                  \
    .what = "a register is accessed when its bank has shifted it under an access port",         \
    .params = "register_file.racetrack.", .on = "register_file.cells=racetrack",                \
    .functional.lacks = "it has a time; intervals begin with the tracks where they were built", \
    .estimator = {.where = "estimator/registers/register_file_model.c",                         \
                  .lacks = "when a bank is idle for how long is not in the model"},             \
    .energy.where = "register_file.energy_mj.shift",                                            \
    .metrics = "register_file.shifts register_file.scores."

#define REGISTER_MAPPING_MECHANISM                                                             \
    .name = "register mapping",                                                                \
    .what = "lays the registers of warps out in banks, around ports, in shares of schedulers", \
    .params = "register_file.mapping", .on = "register_file.cells!=none",                      \
    .functional.lacks = "a functional pass has no registers",                                  \
    .estimator.where = "gpu/geometry/register_layout.c",                                       \
    .energy.where = "register_file.energy_mj.shift", .metrics = "register_file.shifts"

#define REGISTER_BUFFER_MECHANISM                                                              \
    .name = "register write buffer",                                                           \
    .what = "keeps results until their register lies under a port, and serves them meanwhile", \
    .params = "register_file.write_buffer",                                                    \
    .on = "register_file.cells!=none register_file.write_buffer!=0",                           \
    .functional.lacks = "a functional pass has no registers; intervals begin with it empty",   \
    .estimator.where = "estimator/registers/register_file_model.c",                            \
    .energy.where = "register_file.energy_mj.front", .metrics = "register_file.write_buffer."

#define REGISTER_CACHE_MECHANISM                                                             \
    .name = "register-file cache",                                                           \
    .what = "holds the last results of the warps in the first level",                        \
    .params = "register_file.cache_entries",                                                 \
    .on = "register_file.cells!=none register_file.cache_entries!=0",                        \
    .functional.lacks = "a functional pass has no registers; intervals begin with it empty", \
    .estimator.where = "estimator/registers/register_file_model.c",                          \
    .energy.where = "register_file.energy_mj.front", .metrics = "register_file.cache."
