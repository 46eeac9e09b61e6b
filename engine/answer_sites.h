/* answer_sites.h - "loads" and "buffers" of an answer's JSON (answer_schema.h). */
#pragma once

#include "base/text/json.h"

struct site_counters;
void answer_sites_json(const struct site_counters *x, struct json *j); /* NULL: writes nothing */
