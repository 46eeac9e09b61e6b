// spmv.cu - a sparse matrix in rows times a vector, a warp for each row. Argument: rows.
#include "check.h"

__global__ void spmv(const int *first, const int *column, const float *value, const float *x,
                     float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = first[row] + lane; i < first[row + 1]; i += 32)
        sum += value[i] * __ldg(&x[column[i]]);
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}

int main(int argc, char **argv)
{
    int rows = size_argument(argc, argv, 512);
    std::vector<float> numbers = random_floats((size_t)rows * 64, 1), x = random_floats(rows, 2);
    std::vector<float> value, want(rows);
    std::vector<int> first{0}, column;
    for (int r = 0, k = 0; r < rows; r++) {
        int n = (int)(numbers[k++] * 60.0f);
        for (int i = 0; i < n; i++, k++) {
            column.push_back((int)(numbers[k] * (float)rows) % rows);
            value.push_back(numbers[k]);
            want[r] += value.back() * x[column.back()];
        }
        first.push_back((int)column.size());
    }
    float *y = new_device<float>(rows);
    spmv<<<(rows * 32 + 127) / 128, 128>>>(to_device(first), to_device(column), to_device(value),
                                           to_device(x), y, rows);
    CUDA(cudaGetLastError());
    return compare("spmv", to_host(y, rows), want, 1e-4f);
}
