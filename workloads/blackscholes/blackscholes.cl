/* Prices of European options by Black and Scholes, four per work-item; all five inputs of an option
 * come from one random number in [0, 1). */

/* The standard normal distribution; Abramowitz and Stegun 26.2.17, error below 7.5e-8. */
float4 normal(float4 x)
{
    float4 t = 1.0f / (1.0f + 0.2316419f * fabs(x));
    float4 sum =
        t * (0.319381530f +
             t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float4 tail = 0.3989422804f * exp(-0.5f * x * x) * sum;
    return x < 0.0f ? tail : 1.0f - tail;
}

__kernel void black_scholes(__global const float4 *random, __global float4 *call,
                            __global float4 *put)
{
    uint item = get_global_id(0);
    float4 u = random[item];
    float4 price = 10.0f + 90.0f * u, strike = 10.0f + 90.0f * (1.0f - u);
    float4 years = 1.0f + 9.0f * u, rate = 0.01f + 0.04f * u, sigma = 0.1f - 0.05f * u;
    float4 spread = sigma * sqrt(years);
    float4 d1 = (log(price / strike) + (rate + 0.5f * sigma * sigma) * years) / spread;
    float4 d2 = d1 - spread, later = strike * exp(-rate * years);
    call[item] = price * normal(d1) - later * normal(d2);
    put[item] = later * normal(-d2) - price * normal(-d1);
}
