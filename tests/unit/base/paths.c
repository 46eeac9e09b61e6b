/* The files that come with plumb: the directories, and the papers' folders beside them. */
#include "base/io/paths.h"
#include "base/io/file.h"
#include "base/memory/alloc.h"
#include "tests/support/check.h"
#include "tests/support/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(const char *file)
{
    char path[512];
    struct error e = {0};
    snprintf(path, sizeof path, "%s", in_folder(file));
    *strrchr(path, '/') = '\0';
    assert_true(file_make_dirs(path, &e));
    folder_text(file, "");
}

static int make_tree(void **state)
{
    static const char *const files[] = {
        "configs/gpus/one.cfg",        "configs/gpus/both.cfg",     "papers/smith/paper.cfg",
        "papers/smith/gpus/both.cfg",  "papers/smith/gpus/two.cfg", "papers/smith/gpus/twice.cfg",
        "papers/jones/gpus/twice.cfg", "papers/jones/paper.cfg",    "papers/notes/gpus/three.cfg",
    };
    if (folder_make(state) != 0) return -1;
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
        put(files[i]);
    return setenv("PLUMB_CONFIG_PATH", in_folder("configs"), 1);
}

/* wanted: below the folder; NULL: there is none. */
static void finds(const char *name, const char *wanted)
{
    char *path = paths_config(name);
    if (!wanted) {
        assert_null(path);
        return;
    }
    assert_non_null(path);
    assert_string_equal(path, in_folder(wanted));
    mem_free(path);
}

static void papers_stand_beside_configs(void **state)
{
    (void)state;
    finds("gpus/one.cfg", "configs/gpus/one.cfg");
    finds("gpus/two.cfg", "papers/smith/gpus/two.cfg");
    finds("GPUS/Two.cfg", "papers/smith/gpus/two.cfg");
    finds("gpus/both.cfg", "configs/gpus/both.cfg");
    finds("gpus/twice.cfg", "papers/jones/gpus/twice.cfg");
    finds("gpus/three.cfg", NULL); /* papers/notes has no paper.cfg */
}

static void directories_are_listed_in_their_order(void **state)
{
    static const char *const order[] = {"configs", "papers/jones", "papers/smith"};
    char **dirs = paths_config_dirs();
    (void)state;
    assert_non_null(dirs);
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(dirs[i], in_folder(order[i]));
        assert_int_equal(paths_is_paper(dirs[i]), i > 0);
    }
    paths_config_dirs_free(dirs);
}

/* ".": the shelf would be any folder "papers" beside the one in which plumb runs. */
static void a_directory_without_a_name_has_no_shelf(void **state)
{
    static const char *const spellings[] = {".", "./", "..", "../configs/."};
    char *was = getcwd(NULL, 0);
    (void)state;
    assert_int_equal(chdir(in_folder("configs")), 0);
    for (unsigned i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        setenv("PLUMB_CONFIG_PATH", spellings[i], 1);
        finds("gpus/two.cfg", NULL);
    }
    setenv("PLUMB_CONFIG_PATH", "../configs//", 1);
    char *path = paths_config("gpus/two.cfg");
    assert_string_equal(path, "../papers/smith/gpus/two.cfg");
    mem_free(path);
    setenv("PLUMB_CONFIG_PATH", in_folder("configs"), 1);
    assert_int_equal(chdir(was), 0);
    free(was);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papers_stand_beside_configs),
        cmocka_unit_test(directories_are_listed_in_their_order),
        cmocka_unit_test(a_directory_without_a_name_has_no_shelf),
    };
    return cmocka_run_group_tests(tests, make_tree, folder_remove);
}
