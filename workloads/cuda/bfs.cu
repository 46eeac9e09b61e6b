// bfs.cu - distances in a random graph, a launch for each level; the host reads whether there was
// another. Argument: nodes.
#include "check.h"

struct graph {
    const int *first, *edge;
    int nodes;
};

__global__ void bfs(graph g, int *distance, int level, int *more)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= g.nodes || distance[node] != level) return;
    for (int i = g.first[node]; i < g.first[node + 1]; i++) {
        if (distance[g.edge[i]] >= 0) continue;
        distance[g.edge[i]] = level + 1;
        *more = 1;
    }
}

static void walk(const std::vector<int> &first, const std::vector<int> &edge,
                 std::vector<float> &distance)
{
    std::vector<int> queue{0};
    distance[0] = 0.0f;
    for (size_t k = 0; k < queue.size(); k++)
        for (int i = first[queue[k]]; i < first[queue[k] + 1]; i++) {
            if (distance[edge[i]] >= 0.0f) continue;
            distance[edge[i]] = distance[queue[k]] + 1.0f;
            queue.push_back(edge[i]);
        }
}

int main(int argc, char **argv)
{
    int n = size_argument(argc, argv, 4096), degree = 4, more = 1;
    std::vector<float> numbers = random_floats((size_t)n * degree, 1), want(n, -1.0f);
    std::vector<int> first(n + 1), edge(numbers.size()), start(n, -1);
    for (int i = 0; i <= n; i++)
        first[i] = i * degree;
    for (size_t i = 0; i < edge.size(); i++)
        edge[i] = (int)(numbers[i] * (float)n) % n;
    start[0] = 0;
    graph g = {to_device(first), to_device(edge), n};
    int *distance = to_device(start), *again = new_device<int>(1);
    for (int level = 0; more; level++) {
        CUDA(cudaMemset(again, 0, sizeof *again));
        bfs<<<(n + 255) / 256, 256>>>(g, distance, level, again);
        CUDA(cudaMemcpy(&more, again, sizeof more, cudaMemcpyDeviceToHost));
    }
    walk(first, edge, want);
    std::vector<int> got = to_host(distance, n);
    return compare("bfs", std::vector<float>(got.begin(), got.end()), want, 0.0f);
}
