#!/bin/bash
#SBATCH --nodes=4
#SBATCH --gres=gpu:8
set -euo pipefail
NNODES=${SLURM_NNODES:-4}
TP=${TP:-4}; PP=2
DIR="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)"
source "$DIR/model.sh"
MODEL_ARGS=(
    --num-layers 32 # of 8B
    --hidden-size 4096
    --num-attention-heads 32
    --seq-length "$((4 * 1024))"
)
TRAIN=(--micro-batch-size 1 --global-batch-size $((NNODES * 8 * 4 / TP)) --bf16)
[[ $PP -gt 1 ]] && TRAIN+=(--pipeline-model-parallel-size "$PP")
srun torchrun --nnodes "$NNODES" --nproc_per_node 8 pretrain_gpt.py \
    "${MODEL_ARGS[@]}" ${TRAIN[@]} --tensor-model-parallel-size ${TP} 2>&1 | tee log
