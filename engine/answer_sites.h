/* answer_sites.h - "loads" and "buffers" of an answer's JSON (docs/metrics.schema.json). */
#ifndef PLUMB_ENGINE_ANSWER_SITES_H
#define PLUMB_ENGINE_ANSWER_SITES_H

#include "base/text/json.h"

struct sites;
void answer_sites_json(const struct sites *x, struct json *j); /* NULL: nothing */

#endif
