/* version.c - prints `plumb --version`; see version.h. */
#include "cli/help/version.h"

#include "base/text/commit.h"
#include "base/text/version.h"
#include "cli/command/cli.h"
#include "engine/engine.h"
#include "estimator/model/estimate.h"
#include "estimator/profile/profile.h"
#include "gpu/functional/warming/checkpoints.h"
#include "gpu/metrics/model_version.h"

void version_print(void)
{
    cli_print("plumb " PLUMB_VERSION "%s" PLUMB_COMMIT "\n", *PLUMB_COMMIT ? ", commit " : "");
    cli_print("models: SIM %d, EST %d, PROFILE %d, SAMPLE %d, TRACK %d\n", SIM_MODEL_VERSION,
              EST_MODEL_VERSION, PROFILE_VERSION, SAMPLE_VERSION, TRACK_VERSION);
}
