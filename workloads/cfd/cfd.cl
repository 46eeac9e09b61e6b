/* Finite volumes for the Euler equations on a mesh of tetrahedra.  All arrays lie variable by
 * variable: density, momentum x, y, z, energy at v * n + cell; of face f the neighbour at
 * f * n + cell and the outward normal (as long as the face is large) at (3 f + axis) * n + cell.
 * Neighbour -1 is a wall, -2 the undisturbed flow along x. */
#define INLINE static inline __attribute__((always_inline))
#define GAMMA 1.4f
#define SMOOTHING 0.3f
#define COURANT 0.1f

struct state {
    float density, energy;
    float3 momentum;
};

INLINE struct state state_at(__global const float *variable, uint i, uint n)
{
    struct state s;
    s.density = variable[i];
    s.momentum = (float3)(variable[n + i], variable[2 * n + i], variable[3 * n + i]);
    s.energy = variable[4 * n + i];
    return s;
}

INLINE float pressure(struct state s)
{
    return (GAMMA - 1) * (s.energy - 0.5f * dot(s.momentum, s.momentum) / s.density);
}

/* The fastest signal. */
INLINE float speed(struct state s)
{
    return sqrt(dot(s.momentum, s.momentum)) / s.density + sqrt(GAMMA * pressure(s) / s.density);
}

/* Half of what flows through a face, added to `sum` with the sign of `normal`. */
INLINE struct state flow(struct state sum, struct state s, float3 normal)
{
    float through = dot(s.momentum, normal) / s.density, p = pressure(s);
    sum.density -= 0.5f * through * s.density;
    sum.momentum -= 0.5f * (through * s.momentum + p * normal);
    sum.energy -= 0.5f * through * (s.energy + p);
    return sum;
}

/* How far a cell may go in a step; `shape` is its size by its volume. */
__kernel void cfd_step_factor(__global const float *variable, __global const float *shape,
                              __global float *factor, uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    factor[i] = COURANT * shape[i] / speed(state_at(variable, i, n));
}

__kernel void cfd_flux(__global const float *variable, __global const int *neighbour,
                       __global const float *normals, __global float *flux, float far_density,
                       float far_momentum, float far_energy, uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    struct state mine = state_at(variable, i, n), sum = {0, 0, 0};
    float my_speed = speed(mine);
    for (uint f = 0; f < 4; f++) {
        int other = neighbour[f * n + i];
        __global const float *along = normals + 3 * f * n + i;
        float3 normal = (float3)(along[0], along[n], along[2 * n]);
        if (other == -1) {
            sum.momentum -= pressure(mine) * normal;
            continue;
        }
        struct state far = {far_density, far_energy, (float3)(far_momentum, 0, 0)};
        if (other >= 0) far = state_at(variable, other, n);
        float smoothing =
            0.5f * SMOOTHING * sqrt(dot(normal, normal)) * (my_speed + speed(far));
        sum = flow(flow(sum, mine, normal), far, normal);
        sum.density += smoothing * (far.density - mine.density);
        sum.momentum += smoothing * (far.momentum - mine.momentum);
        sum.energy += smoothing * (far.energy - mine.energy);
    }
    flux[i] = sum.density;
    flux[n + i] = sum.momentum.x;
    flux[2 * n + i] = sum.momentum.y;
    flux[3 * n + i] = sum.momentum.z;
    flux[4 * n + i] = sum.energy;
}

/* A stage of the Runge-Kutta method. */
__kernel void cfd_advance(__global const float *old, __global const float *factor,
                          __global const float *flux, __global float *variable, float share,
                          uint n)
{
    uint i = get_global_id(0);
    if (i >= n) return;
    float step = share * factor[i];
    for (uint v = 0; v < 5; v++)
        variable[v * n + i] = old[v * n + i] + step * flux[v * n + i];
}
