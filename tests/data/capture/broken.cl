float nowhere(float x);
__kernel void broken(__global float *a) { a[get_global_id(0)] = nowhere(1.0f); }
