/* metric_columns.c - see metric_columns.h.  The database itself writes the statements that name the
 * columns, from what `metric_name` lists. */
#include "sweeps/store/metric_columns.h"

#include "base/text/text.h"

#define QUOTED "'\"' || replace(name, '\"', '\"\"') || '\"'"

/* --- columns --- */

/* The view of a table with columns: a value is found by its name's number. */
static const char make_view[] =
    "SELECT 'DROP VIEW IF EXISTS main.metric; CREATE VIEW main.metric AS SELECT run, name, value"
    " FROM (SELECT m.run, n.name, CASE n.id' || group_concat(' WHEN ' || id || ' THEN m.' "
    "|| " QUOTED
    ", '') || ' END AS value FROM metrics m CROSS JOIN metric_name n) WHERE value IS NOT NULL'"
    " FROM main.metric_name HAVING count(*) > 0";

/* The view of a table without columns. */
static const char no_metrics[] =
    "CREATE VIEW main.metric AS SELECT run, '' AS name, 0.0 AS value FROM metrics WHERE 0";

/* What stands before and behind a query for names to make a query for columns of them.  The first
 * columns make the table, as each one that is altered in makes SQLite read all of the schema. */
static const struct {
    const char *before, *behind;
} form[] = {
    {"SELECT 'DROP TABLE main.metrics; CREATE TABLE main.metrics(run INTEGER PRIMARY KEY REFERENCES"
     " run ON DELETE CASCADE' || group_concat(', ' || " QUOTED " || ' REAL', '') ||"
     " '); INSERT INTO main.metric_name(name) VALUES' || group_concat('(' || quote(name) || ')')"
     " FROM (",
     ") HAVING count(*) > 0 AND NOT EXISTS(SELECT 1 FROM main.metric_name)"},
    {"SELECT group_concat('ALTER TABLE main.metrics ADD COLUMN ' || " QUOTED
     " || ' REAL; INSERT INTO main.metric_name(name) VALUES(' || quote(name) || ');', '') FROM (",
     ") WHERE name NOT IN (SELECT name FROM main.metric_name)"}};

/* Adds a column for each name that the query has and that has none. */
static int add_columns(sqlite3 *db, const char *names)
{
    int rc = SQLITE_OK;
    for (int i = 0; i < 2 && rc == SQLITE_OK; i++) {
        struct text sql = {0};
        text_add(&sql, "%s%s%s", form[i].before, names, form[i].behind);
        rc = sql.failed ? SQLITE_NOMEM : stored_rows_execute(db, text_str(&sql));
        text_fini(&sql);
    }
    return rc;
}

static int add_and_show(sqlite3 *db, const char *names)
{
    int rc = add_columns(db, names);
    return rc == SQLITE_OK ? stored_rows_execute(db, make_view) : rc;
}

void metric_columns_forget(struct metric_columns *c)
{
    stored_metrics_close(&c->stored);
    sqlite3_finalize(c->put);
    *c = (struct metric_columns){0};
}

int metric_columns_read(struct metric_columns *c, sqlite3 *db)
{
    metric_columns_forget(c);
    int rc = stored_metrics_open(&c->stored, db, false);
    if (rc != SQLITE_OK || c->stored.n == 0) return rc;
    for (uint32_t i = 0; i < c->stored.n; i++)
        c->has[c->stored.key[i]] = true;
    return stored_rows_prepare(db,
                               "SELECT 'INSERT INTO metrics(run' || group_concat(', ' || " QUOTED
                               ", '') || ') VALUES(?' || group_concat(', ?', '') || ')'"
                               " FROM (SELECT name FROM metric_name ORDER BY id)",
                               &c->put);
}

static bool lacks_any(const struct metric_columns *c, const bool wanted[METRICS_KEYS_MAX])
{
    for (uint32_t i = 0; i < METRICS_KEYS_MAX; i++)
        if (wanted[i] && !c->has[i]) return true;
    return false;
}

int metric_columns_add(struct metric_columns *c, sqlite3 *db, const bool wanted[METRICS_KEYS_MAX])
{
    struct text sql = {0};
    const char *name, *between = "";
    if (!lacks_any(c, wanted)) return SQLITE_OK;
    text_add(&sql, "SELECT value AS name FROM json_each('[");
    for (uint32_t i = 0; (name = metrics_key(i)); i++) {
        if (!wanted[i]) continue;
        text_add(&sql, "%s\"%s\"", between, name);
        between = ",";
    }
    text_add(&sql, "]')");
    int rc = sql.failed ? SQLITE_NOMEM : add_and_show(db, text_str(&sql));
    text_fini(&sql);
    return rc == SQLITE_OK ? metric_columns_read(c, db) : rc;
}

/* --- rows of other databases --- */

int metric_columns_take_rows(sqlite3 *db)
{
    int rc = add_columns(db, "SELECT DISTINCT name FROM metric");
    if (rc == SQLITE_OK)
        rc = stored_rows_execute(
            db, "SELECT 'INSERT INTO metrics SELECT run' || group_concat(', (SELECT"
                " value FROM metric v WHERE v.run = r.run AND v.name = ' ||"
                " quote(name) || ')', '') || ' FROM (SELECT DISTINCT run FROM metric)"
                " r' FROM (SELECT name FROM metric_name ORDER BY id)");
    if (rc == SQLITE_OK) rc = sqlite3_exec(db, "DROP TABLE metric", NULL, NULL, NULL);
    if (rc == SQLITE_OK) rc = sqlite3_exec(db, no_metrics, NULL, NULL, NULL);
    return rc == SQLITE_OK ? stored_rows_execute(db, make_view) : rc;
}

int metric_columns_copy(sqlite3 *db)
{
    int rc = add_and_show(db, "SELECT name FROM shard.metric_name ORDER BY id");
    if (rc != SQLITE_OK) return rc;
    return stored_rows_execute(
        db, "SELECT 'INSERT INTO main.metrics(run' || group_concat(', ' || " QUOTED
            ", '') || ') SELECT r.id' || group_concat(', m.' || " QUOTED
            ", '') || ' FROM fresh f JOIN main.run r ON r.key = f.key JOIN"
            " shard.metrics m ON m.run = f.id' FROM shard.metric_name");
}
