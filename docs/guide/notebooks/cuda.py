# %% [markdown]
# # CUDA without a GPU
#
# `plumb cc` compiles a CUDA program with clang, and `plumb trace capture` runs it on the CPU and records what its warps do. Both need
# plumb built with clang 14 (`scripts/deps.sh --capture`); without it, this notebook takes a trace that comes with plumb.
# %%
import pathlib
import subprocess

import plumb

pathlib.Path("saxpy.cu").write_text("""
__global__ void saxpy(int n, int stride, float a, const float *x, float *y)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride % n;
    y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
    int n = 1 << 16, stride = argc;
    float *x, *y;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, n * sizeof *y);
    saxpy<<<n / 256, 256>>>(n, stride, 2, x, y);
    return cudaDeviceSynchronize();
}
""")


def captured(trace, *arguments):
    done = subprocess.run(["plumb", "trace", "capture", "-o", trace, "--cuda", "saxpy.cu", "--", *arguments],
                          capture_output=True, text=True)
    if done.returncode:
        print(done.stderr.splitlines()[-1])
    return f"./{trace}" if done.returncode == 0 else "quick/bfs"


neighbours, scattered = captured("neighbours.plt"), captured("scattered.plt", "2", "3", "4", "5", "6", "7", "8")
# %% [markdown]
# Eight arguments make the stride 8: a warp's lanes then touch eight times as many sectors.
# %%
card = plumb.Machine("a100-80")
answers = {trace: card.simulate(trace) for trace in (neighbours, scattered)}
for trace, answer in answers.items():
    print(f"{trace}: {answer['time_us']:.1f} us, {answer['l1']['accesses']:,.0f} L1 accesses, {answer['dram']['reads']:,.0f} DRAM reads")
# %% [markdown]
# The second one in full:
# %%
answers[scattered]
