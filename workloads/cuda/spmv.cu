// spmv.cu - a sparse matrix times a vector: in rows, a warp for each row, and with all rows as long
// as the longest, by columns, a thread for each row (ELLPACK). Argument: rows.
#include "check.h"

#include <algorithm>

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

__global__ void spmv_ell(const int *column, const float *value, const float *x, float *y, int rows,
                         int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = 0; i < width; i++)
        if (column[i * rows + row] >= 0) sum += value[i * rows + row] * x[column[i * rows + row]];
    y[row] = sum;
}

/* Both formats must give the same. */
static int run_ell(const std::vector<int> &first, const std::vector<int> &column,
                   const std::vector<float> &value, const std::vector<float> &x,
                   const std::vector<float> &want)
{
    int rows = (int)want.size(), width = 0;
    for (int r = 0; r < rows; r++)
        width = std::max(width, first[r + 1] - first[r]);
    std::vector<int> at((size_t)width * rows, -1);
    std::vector<float> of((size_t)width * rows);
    for (int r = 0; r < rows; r++)
        for (int i = first[r]; i < first[r + 1]; i++) {
            at[(size_t)(i - first[r]) * rows + r] = column[i];
            of[(size_t)(i - first[r]) * rows + r] = value[i];
        }
    float *y = new_device<float>(rows);
    spmv_ell<<<(rows + 127) / 128, 128>>>(to_device(at), to_device(of), to_device(x), y, rows,
                                          width);
    CUDA(cudaGetLastError());
    return compare("spmv_ell", to_host(y, rows), want, 1e-4f);
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
    return compare("spmv", to_host(y, rows), want, 1e-4f) | run_ell(first, column, value, x, want);
}
