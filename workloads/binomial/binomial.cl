/* Prices of European calls by the binomial tree of Cox, Ross and Rubinstein: a group per four
 * options, a work-item per leaf (there is one leaf more than steps), the tree folded in two rows of
 * local memory. */
__kernel void binomial(__global const float4 *random, __global float4 *price, __local float4 *row,
                       __local float4 *next, uint steps)
{
    uint item = get_local_id(0);
    float4 u = random[get_group_id(0)];
    float4 spot = 5.0f + 25.0f * u, strike = 1.0f + 99.0f * (1.0f - u), years = 0.25f + 9.75f * u;
    const float rate = 0.02f, sigma = 0.3f;
    float4 dt = years / (float)steps, jump = sigma * sqrt(dt);
    float4 up = exp(jump), down = exp(-jump);
    float4 chance = (exp(rate * dt) - down) / (up - down), discount = exp(-rate * dt);
    float4 up_share = chance * discount, down_share = (1.0f - chance) * discount;

    row[item] = fmax(spot * exp(jump * (2.0f * (float)item - (float)steps)) - strike, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = steps; left > 0; left--) {
        if (item < left) next[item] = up_share * row[item + 1] + down_share * row[item];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local float4 *done = row;
        row = next;
        next = done;
    }
    if (item == 0) price[get_group_id(0)] = row[0];
}
