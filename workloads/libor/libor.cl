#define RATES 40
#define STEPS 20
#define SPAN 0.25f /* years that a rate holds */
#define EVERY 4    /* of the rates after the last step, one in so many ends swaps */
#define STRIKES 3

/* What a swap that ends with this bond and annuity pays, if anything. */
static float payment(float bond, float annuity, uint strike)
{
    return 100 * max(0.0f, 1 - bond - (0.045f + 0.005f * strike) * annuity);
}

/* From step to step; a row of rates per step. */
static void evolve(float (*rate)[RATES], __global const float *normal, uint paths,
                   __constant const float *volatility)
{
    for (uint i = 0; i < RATES; i++)
        rate[0][i] = 0.04f + 0.0005f * i;
    for (uint n = 0; n < STEPS; n++) {
        float shock = sqrt(SPAN) * normal[n * paths], drift = 0;
        for (uint i = n + 1; i < RATES; i++) {
            float v = volatility[i - n - 1], r = rate[n][i];
            drift += SPAN * v * r / (1 + SPAN * r);
            rate[n + 1][i] = r * exp(v * (drift + shock - 0.5f * SPAN * v));
        }
    }
}

/* What a portfolio of swaptions pays after the last step. */
static float portfolio(const float *rate, float *bond, float *annuity)
{
    float paid = 0, b = 1, a = 0;
    for (uint i = 0; i < RATES - STEPS; i++) {
        b /= 1 + SPAN * rate[STEPS + i];
        a += SPAN * b;
        bond[i] = b;
        annuity[i] = a;
        for (uint k = 0; k < STRIKES && i % EVERY == EVERY - 1; k++)
            paid += payment(b, a, k);
    }
    return paid;
}

/* What the portfolio's value owes to each rate after the last step. */
static void portfolio_back(const float *rate, const float *bond, const float *annuity,
                           float discount, float *adjoint)
{
    float to_bond = 0, to_annuity = 0;
    for (uint i = RATES - STEPS; i-- > 0;) {
        float growth = 1 + SPAN * rate[STEPS + i], mine = bond[i];
        for (uint k = 0; k < STRIKES && i % EVERY == EVERY - 1; k++) {
            if (payment(mine, annuity[i], k) == 0) continue;
            to_bond -= 100 * discount;
            to_annuity -= 100 * discount * (0.045f + 0.005f * k);
        }
        to_bond += SPAN * to_annuity;
        adjoint[STEPS + i] = -to_bond * mine * SPAN / growth;
        to_bond /= growth;
    }
}

/* From what it owes to the rates after the last step to those before the first. */
static void evolve_back(float (*rate)[RATES], __constant const float *volatility, float *adjoint)
{
    for (uint n = STEPS; n-- > 0;) {
        float to_drift = 0;
        for (uint i = RATES - 1; i > n; i--) {
            float v = volatility[i - n - 1], r = rate[n][i], next = rate[n + 1][i];
            float mine = adjoint[i], growth = 1 + SPAN * r;
            to_drift += mine * next * v;
            adjoint[i] = mine * next / r + to_drift * SPAN * v / (growth * growth);
        }
    }
}

/* A path of the LIBOR market model (Brace, Gatarek and Musiela), a work-item each: the value of a
 * portfolio of swaptions, and by adjoints what that value owes to each rate at the beginning.
 * Arrays are private; in global memory paths stand side by side. */
__kernel void libor_path(__global const float *normal, __constant const float *volatility,
                         __global float *value, __global float *owed)
{
    float rate[STEPS + 1][RATES], adjoint[RATES], bond[RATES - STEPS], annuity[RATES - STEPS];
    uint path = get_global_id(0), paths = get_global_size(0);
    evolve(rate, normal + path, paths, volatility);
    float discount = 1;
    for (uint i = 0; i < STEPS; i++)
        discount /= 1 + SPAN * rate[i][i];
    float worth = discount * portfolio(rate[STEPS], bond, annuity);
    value[path] = worth;

    portfolio_back(rate[STEPS], bond, annuity, discount, adjoint);
    for (uint i = 0; i < STEPS; i++)
        adjoint[i] = -worth * SPAN / (1 + SPAN * rate[i][i]);
    evolve_back(rate, volatility, adjoint);
    for (uint i = 0; i < RATES; i++)
        owed[i * paths + path] = adjoint[i];
}
