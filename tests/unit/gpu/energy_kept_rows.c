/* Are rows that were kept those of the text, and ignored if they are damaged? */
#include "gpu/energy/kept_rows.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <math.h>
#include <stdlib.h>

#define TEXT                                                                        \
    "structure,tech_nm,capacity_bytes,line_bytes,assoc,access_mode,read_energy_nJ," \
    "write_energy_nJ,leakage_bank_mW\n"                                             \
    "cache,32,1024,64,4,sequential,0.01,0.02,0.5\n"                                 \
    "cache,32,2048,64,4,sequential,0.02,0.03,0.75\n"

static const char *kept_path(struct digest d)
{
    char name[64], hex[33];
    digest_hex(d, hex);
    snprintf(name, sizeof name, "plumb/%s.rows", hex);
    return in_folder(name);
}

static struct digest keep_rows(void)
{
    struct sram_table t;
    struct error e;
    struct digest d = digest_text(TEXT);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder_path, 1), 0);
    assert_true(sram_table_parse(&t, "t.csv", TEXT, &e));
    kept_rows_store(&t, d);
    sram_table_fini(&t);
    return d;
}

static void rows_come_back(void **state)
{
    (void)state;
    struct digest d = keep_rows();
    struct sram_table t;
    assert_true(kept_rows_find(&t, "t.csv", d));
    assert_string_equal(t.name, "t.csv");
    assert_int_equal(t.n, 2);
    assert_int_equal(t.row[1].key.bytes, 2048);
    assert_near(t.row[1].v[SRAM_leakage_mw], 0.75, 0);
    assert_true(isnan(t.row[0].v[SRAM_area_mm2]));
    sram_table_fini(&t);
    assert_false(kept_rows_find(&t, "t.csv", digest_text("another text")));
}

/* A changed byte anywhere, and a file that is cut short. */
static void damaged_rows_are_ignored(void **state)
{
    (void)state;
    struct digest d = keep_rows();
    struct sram_table t;
    char bytes[4096];
    FILE *f = fopen(kept_path(d), "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    assert_true(n > 64 && n < sizeof bytes);
    for (size_t i = 0; i < n; i += 7) {
        char whole = bytes[i];
        bytes[i] ^= 4;
        f = fopen(kept_path(d), "wb");
        assert_int_equal(fwrite(bytes, 1, n, f), n);
        fclose(f);
        assert_false(kept_rows_find(&t, "t.csv", d));
        bytes[i] = whole;
    }
    f = fopen(kept_path(d), "wb");
    assert_int_equal(fwrite(bytes, 1, n - 8, f), n - 8);
    fclose(f);
    assert_false(kept_rows_find(&t, "t.csv", d));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),
        cmocka_unit_test(damaged_rows_are_ignored),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
