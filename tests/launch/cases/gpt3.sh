#!/bin/sh
# gpt3-175b-1536: flags of Megatron-LM, written by `planner launch`.
# Add what planner does not know, as arguments: data, tokenizer, learning rate, checkpoints.
# The step assumes, and this file does not set:
# - --vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides
# No switch joins the rails: rings stay on theirs (NCCL_CROSS_NIC), and a message to another rail goes over
# NVLink to the GPU on it first (PXN).
export NCCL_CROSS_NIC=0 NCCL_PXN_DISABLE=0
exec torchrun --nnodes 192 --nproc-per-node 8 \
  --node-rank "$NODE_RANK" --master-addr "$MASTER_ADDR" \
  pretrain_gpt.py \
  --num-layers 96 \
  --hidden-size 12288 \
  --ffn-hidden-size 49152 \
  --num-attention-heads 96 \
  --kv-channels 128 \
  --seq-length 2048 \
  --max-position-embeddings 2048 \
  --vocab-size 51200 \
  --micro-batch-size 1 \
  --global-batch-size 1536 \
  --train-iters 95368 \
  --tensor-model-parallel-size 8 \
  --pipeline-model-parallel-size 12 \
  --num-virtual-stages-per-pipeline-rank 2 \
  --context-parallel-size 1 \
  --fp16 \
  --recompute-granularity full \
  --recompute-method uniform \
  --recompute-num-layers 1 \
  --no-overlap-p2p-communication \
  --no-gradient-accumulation-fusion \
  --attention-backend unfused \
  "$@"
