/* How alike documents are: the cosine of the angle between the vectors of their words, for each
 * pair once. */
__kernel void norms(__global const float *vector, __global float *norm, uint documents, uint words)
{
    uint i = get_global_id(0);
    float sum = 0;
    if (i >= documents) return;
    for (uint k = 0; k < words; k++) {
        float x = vector[i * words + k];
        sum += x * x;
    }
    norm[i] = sqrt(sum);
}

__kernel void similarities(__global const float *vector, __global const float *norm,
                           __global float *score, uint documents, uint words)
{
    uint pair = get_global_id(0), i = pair / documents, j = pair % documents;
    if (i >= documents || j <= i) return;
    float sum = 0;
    for (uint k = 0; k < words; k++)
        sum += vector[i * words + k] * vector[j * words + k];
    score[pair] = sum / (norm[i] * norm[j]);
}
