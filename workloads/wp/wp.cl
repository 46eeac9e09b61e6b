#define COLUMNS 64
#define LEVELS 64
#define TABLE 180
#define COLDEST 170.0f
#define MELTS 273.15f
#define VAPOUR 2.49f /* K per g/kg that condenses, and that freezes */
#define FUSION 0.33f
#define CLIMB 0.0098f /* K per metre */

/* g/kg of vapour over water or ice at a pressure; the table has the vapour's own pressure by K. */
static float saturation(__global const float *table, float at, float p)
{
    uint i = (uint)at;
    float low = table[i], e = low + (at - (float)i) * (table[i + 1] - low);
    return 622.0f * e / (p - 0.378f * e);
}

/* Of rain or snow, in m/s. */
static float fall_speed(float most, float den, float q)
{
    return most * exp(0.125f * log(den * q + 1e-6f));
}

/* A time step of a column of the atmosphere, a work-item each; levels of an array are a horizontal
 * plane apart.  Upwards: clouds of water (c) and ice (i), rain (r) and snow (s) from vapour (v),
 * with what that heats, then the first half of Thomas's algorithm for implicit mixing of
 * neighbouring levels.  Downwards: its second half, and rain and snow that fall implicitly.  q* are
 * g/kg. */
__kernel __attribute__((reqd_work_group_size(COLUMNS, 1, 1))) void
wp_step(__global float *t, __global float *qv, __global float *qc, __global float *qi,
        __global float *qr, __global float *qs, __global const float *p, __global const float *den,
        __global const float *dz, __global const float *mix, __global const float *wind,
        __global const float *table, __global float *ground, uint nz, float dt)
{
    float above[LEVELS]; /* what of a level's new value comes from the one above */
    uint column = get_global_id(0), plane = get_global_size(0), at = column;
    float mixed = 0, share = 0, last_t = 0, last_v = 0, last_c = 0, last_i = 0;
    for (uint k = 0; k < nz; k++, at += plane) {
        float v = qv[at], c = qc[at], i = qi[at], r = qr[at], s = qs[at], d = den[at];
        float heat = t[at] - CLIMB * dt * wind[at];

        /* vapour and clouds */
        float place = clamp(heat - COLDEST, 0.0f, TABLE - 2.0f), pressure = p[at];
        float water = saturation(table, place, pressure);
        float ice = saturation(table + TABLE, place, pressure);
        float liquid = clamp((heat - 253.15f) * 0.05f, 0.0f, 1.0f);
        float full = ice + liquid * (water - ice);
        float gain = max((v - full) / (1.0f + 14.0f * VAPOUR * full / heat), -(c + i));
        if (gain < 0) liquid = c / (c + i + 1e-6f);
        v -= gain;
        c = max(c + liquid * gain, 0.0f);
        i = max(i + (1.0f - liquid) * gain, 0.0f);
        heat += VAPOUR * gain + FUSION * (1.0f - liquid) * gain;

        /* rain and snow grow */
        float rained =
            dt * (0.001f * max(c - 0.5f, 0.0f) + 0.0022f * c * exp(0.875f * log(r + 1e-4f)));
        rained = min(rained, c);
        c -= rained;
        r += rained;
        float snowed = dt * 0.001f * exp(0.025f * min(heat - MELTS, 0.0f)) * max(i - 0.6f, 0.0f);
        snowed = min(snowed, i);
        i -= snowed;
        s += snowed;
        float thaw = 0;
        if (heat > MELTS) {
            thaw = min(dt * 0.004f * (heat - MELTS) * s, s);
        } else {
            float cold = min((MELTS - heat) * 0.1f, 1.0f);
            float rime = min(dt * 0.001f * cold * c * s, c),
                  freeze = min(dt * 0.002f * cold * r, r);
            c -= rime;
            s += rime;
            thaw = -freeze;
            heat += FUSION * rime;
        }
        s -= thaw;
        r += thaw;
        heat -= FUSION * thaw;

        /* and dry up */
        float dried = min(dt * 0.0005f * max(water - v, 0.0f) * sqrt(d) * r, r);
        float gone = min(dt * 0.0003f * max(ice - v, 0.0f) * sqrt(d) * s, s);
        r -= dried;
        s -= gone;
        v += dried + gone;
        heat -= VAPOUR * (dried + gone) + FUSION * gone;

        /* mixing: the row of the level below is eliminated */
        float rate = dt / (d * dz[at]), up = rate * mix[at], down = rate * mixed;
        float over = 1.0f / (1.0f + up + down - down * share);
        mixed = mix[at];
        share = up * over;
        above[k] = share;
        t[at] = last_t = (heat + down * last_t) * over;
        qv[at] = last_v = (v + down * last_v) * over;
        qc[at] = last_c = (c + down * last_c) * over;
        qi[at] = last_i = (i + down * last_i) * over;
        qr[at] = r;
        qs[at] = s;
    }
    last_t = last_v = last_c = last_i = 0;
    float rain = 0, snow = 0; /* g/(m2 s) that fall out of the level above */
    for (uint k = nz; k-- > 0;) {
        at -= plane;
        float d = den[at], mass = d * dz[at], from = above[k], r = qr[at], s = qs[at];
        t[at] = last_t = t[at] + from * last_t;
        qv[at] = last_v = qv[at] + from * last_v;
        qc[at] = last_c = qc[at] + from * last_c;
        qi[at] = last_i = qi[at] + from * last_i;
        float fast = d * fall_speed(8.0f, d, r), slow = d * fall_speed(2.0f, d, s);
        r = (r * mass + dt * rain) / (mass + dt * fast);
        s = (s * mass + dt * snow) / (mass + dt * slow);
        rain = fast * r;
        snow = slow * s;
        qr[at] = r;
        qs[at] = s;
    }
    ground[column] += 0.001f * dt * (rain + snow);
}
