/* Any bytes as a bank's file, or changes of a sound one: every function gives an answer or an
 * error, and what is found is sound.  Input: a byte that says which, then the bytes, or the
 * changes: two bytes of a place and one to put there. */
#include "base/memory/alloc.h"
#include "calibration/bank/bank.h"
#include "gpu/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const struct bank_versions versions = {
    .of = {[ENGINE_ESTIMATE] = 1, [ENGINE_SAMPLE] = 1, [ENGINE_SIMULATE] = 1}};
static const struct digest program = {.hi = 1, .lo = 2};
static char path[64], damaged[80];
static struct machine machine;
static unsigned char sound[1 << 18];
static size_t sound_n;

static void put_runs(struct bank *b, double first)
{
    static struct metrics m;
    double value[METRICS_KEYS_MAX];
    const double feature[] = {1, 2};
    struct bank_runs r;
    for (int i = 0; i < 3; i++) {
        machine.clock.core_mhz = first + i;
        metrics_set(&m, M_cycles, 1000 + i);
        metrics_finish(&m);
        const struct bank_put run = {.machine = &machine,
                                     .program = program,
                                     .program_name = "p",
                                     .engine = i ? ENGINE_SIMULATE : ENGINE_SAMPLE,
                                     .log_sd = i ? 0 : 0.01,
                                     .metrics = &m};
        bank_put(b, &run, NULL);
    }
    bank_values(&m, value);
    if (!bank_find(b, program, "1", BANK_MOST, &r, NULL)) return;
    for (size_t i = 0; i < r.n; i++) {
        const struct bank_estimate e = {r.run[i].id, value, feature, 2};
        bank_put_estimates(b, "1", &e, 1, NULL);
    }
    bank_runs_fini(&r);
}

static void drop_files(void)
{
    static const char *const suffix[] = {"", "-wal", "-shm", "-journal", ".lock"};
    char name[128];
    for (size_t i = 0; i < sizeof suffix / sizeof *suffix; i++) {
        snprintf(name, sizeof name, "%s%s", path, suffix[i]);
        unlink(name);
        snprintf(name, sizeof name, "%s%s", damaged, suffix[i]);
        unlink(name);
    }
}

static void begin(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.30s/plumb-fuzz-%d.db", folder ? folder : "/tmp", (int)getpid());
    snprintf(damaged, sizeof damaged, "%s.damaged", path);
    machine_defaults(&machine);
    struct bank *b = bank_open(path, BANK_MAKE, &versions, NULL);
    if (!b) __builtin_trap();
    put_runs(b, 1000);
    bank_close(b);
    FILE *f = fopen(path, "rb");
    sound_n = f ? fread(sound, 1, sizeof sound, f) : 0;
    if (f) fclose(f);
    if (!sound_n) __builtin_trap();
    drop_files();
}

static void write_file(const uint8_t *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f) __builtin_trap();
    if (n && bytes[0] % 2 == 0) {
        fwrite(bytes + 1, 1, n - 1, f);
    } else {
        fwrite(sound, 1, sound_n, f);
        for (size_t i = 1; i + 4 <= n; i += 4) {
            size_t at = ((size_t)bytes[i] << 16 | (size_t)bytes[i + 1] << 8 | bytes[i + 2]);
            fseek(f, (long)(at % sound_n), SEEK_SET);
            fputc(bytes[i + 3], f);
        }
    }
    fclose(f);
}

static void check_runs(const struct bank_runs *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct bank_run *run = &r->run[i];
        sum += (double)(strlen(run->config) + strlen(run->machine_name) + strlen(run->preset));
        for (uint32_t k = 0; k < METRICS_KEYS_MAX; k++)
            if (!isnan(run->simulated[k])) sum += run->simulated[k];
        for (uint32_t k = 0; run->estimated && k < run->features; k++)
            sum += run->feature[k];
        if (!(run->log_sd >= 0)) __builtin_trap();
    }
    if (isnan(sum)) __builtin_trap();
}

static void use_bank(struct bank *b)
{
    struct bank_runs r;
    struct bank_status s;
    struct error e;
    uint64_t removed;
    if (bank_find(b, program, "1", BANK_MOST, &r, &e)) {
        check_runs(&r);
        bank_runs_fini(&r);
    }
    bank_status(b, &s, &e);
    put_runs(b, 1001);
    if (bank_find(b, program, "1", BANK_MOST, &r, &e)) {
        check_runs(&r);
        bank_runs_fini(&r);
    }
    bank_trim(b, 20000, &removed, &e);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct bank_import added;
    struct error e;
    if (!sound_n) begin();
    write_file(bytes, n);
    struct bank *other = bank_open(damaged, BANK_MAKE, &versions, &e);
    if (other) bank_import(other, path, &added, &e);
    bank_close(other);
    unlink(damaged);
    struct bank *b = bank_open(path, BANK_MAKE, &versions, &e);
    if (b) use_bank(b);
    bank_close(b);
    drop_files();
    return 0;
}
