# gemm-kernel.sh - the parameters of ml/gemm that the name and launch of a kernel of cuBLAS or CUTLASS give; to be sourced.
#
# In the names of volta_, ampere_ and maxwell_sgemm_AxB and of CUTLASS's sgemm_AxB_KxSTAGES, A is the tile along the rows of
# the output in memory (tile_n), B across them (tile_m), since cuBLAS reads a row-major product as the transposed one; the
# sgemm kernels have tiles of 8 of K through registers, and blockIdx.x goes along n.  In sm80_xmma_..._tilesizeAxBxK_stageS_
# warpsizeMxNx1 A is across, and blockIdx.x goes along m, as in CUTLASS's (with bands of up to 8).  _tn: the second matrix
# is kept as N x K.  What more CTAs the launch has than tiles and products are splits of K.  Warps stand so that each one's
# part is as square as can be.

# nvjet_*_AxB_KxSTAGES_CxD_... of cuBLAS 13 multiplies by warpgroups: A is the tile down which they go, and cuBLAS computes the
# transposed product, so that A lies along the columns of the row-major one. C x D CTAs are a cluster, which shares copies.
#
# gemm_nvjet KERNEL: prints "--p NAME=VALUE ..." for the transposed product; nothing for others, and for tiles that four warps
# of 16 rows do not divide.
gemm_nvjet() {
    [[ $1 =~ ^nvjet_.*_([0-9]+)x([0-9]+)_([0-9]+)x([0-9]+)_([0-9])x([0-9])_ ]] || return 0
    local warps=4
    [[ $1 != *coop* ]] || warps=8
    [ $((BASH_REMATCH[1] % (16 * warps))) = 0 ] && [ "${BASH_REMATCH[1]}" -le 256 ] || return 0
    echo "--p tile_m=${BASH_REMATCH[1]} --p tile_n=${BASH_REMATCH[2]} --p tile_k=${BASH_REMATCH[3]} --p warps_m=$warps --p warps_n=1" \
        "--p stages=${BASH_REMATCH[4]} --p warpgroup=4" \
        "--p cluster_m=${BASH_REMATCH[5]} --p cluster_n=${BASH_REMATCH[6]}"
}

# gemm_kernel KERNEL BLOCK GRID BATCH M N: prints "--p NAME=VALUE ..."; nothing for kernels that the program does not have
# (sliced: warps of a CTA that share K).
gemm_kernel() {
    local m n k=8 stages=1 raster=n swizzle=1 down=0 across=0 layout=nn warps=$((${2%%x*} / 32))
    [[ $1 != *sliced* ]] || return 0
    [[ ! $1 =~ _tn(_|$) ]] || layout=tn
    if [[ $1 =~ tilesize([0-9]+)x([0-9]+)x([0-9]+)_stage([0-9]+)_warpsize([0-9]+)x([0-9]+) ]]; then
        m=${BASH_REMATCH[1]} n=${BASH_REMATCH[2]} k=${BASH_REMATCH[3]} stages=${BASH_REMATCH[4]} raster=m
        down=${BASH_REMATCH[5]} across=${BASH_REMATCH[6]}
    elif [[ $1 =~ sgemm_([0-9]+)x([0-9]+)_([0-9]+)x([0-9]+) ]]; then
        n=${BASH_REMATCH[1]} m=${BASH_REMATCH[2]} k=${BASH_REMATCH[3]} stages=${BASH_REMATCH[4]} raster=m swizzle=8
    elif [[ $1 =~ sgemm_([0-9]+)x([0-9]+) ]]; then
        n=${BASH_REMATCH[1]} m=${BASH_REMATCH[2]}
    else
        return 0
    fi
    if [ "$down" = 0 ]; then
        down=1 across=$warps
        while [ $((across % 2)) = 0 ] && [ $((m / down)) -gt $((n / across)) ]; do
            down=$((down * 2)) across=$((across / 2))
        done
    fi
    local x y z splits
    IFS=x read -r x y z <<< "$3"
    splits=$((x * y * z / (($5 + m - 1) / m * (($6 + n - 1) / n) * $4)))
    echo "--p layout=$layout --p tile_m=$m --p tile_n=$n --p tile_k=$k --p warps_m=$down --p warps_n=$across" \
        "--p stages=$stages --p raster=$raster --p swizzle=$swizzle --p split_k=$((splits > 1 ? splits : 1))"
}
