#!/bin/sh
# llama3-405b-16384: flags of Megatron-LM, written by `planner launch`.
# Add what planner does not know, as arguments: data, tokenizer, learning rate, checkpoints.
# The step assumes, and this file does not set:
# - norms, biases and positions: RMSNorm, no biases and rotary positions are a guess that costs little
# - --vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides
# No switch joins the rails: rings stay on theirs (NCCL_CROSS_NIC), and a message to another rail goes over
# NVLink to the GPU on it first (PXN).
export NCCL_CROSS_NIC=0 NCCL_PXN_DISABLE=0
exec torchrun --nnodes 2048 --nproc-per-node 8 \
  --node-rank "$NODE_RANK" --master-addr "$MASTER_ADDR" \
  pretrain_gpt.py \
  --num-layers 126 \
  --hidden-size 16384 \
  --ffn-hidden-size 53248 \
  --num-attention-heads 128 \
  --kv-channels 128 \
  --group-query-attention \
  --num-query-groups 8 \
  --seq-length 8192 \
  --max-position-embeddings 8192 \
  --swiglu \
  --normalization RMSNorm \
  --disable-bias-linear \
  --position-embedding-type rope \
  --vocab-size 128256 \
  --untie-embeddings-and-output-weights \
  --micro-batch-size 1 \
  --global-batch-size 2048 \
  --train-iters 929833 \
  --tensor-model-parallel-size 8 \
  --sequence-parallel \
  --pipeline-model-parallel-size 16 \
  --pipeline-model-parallel-layout 'Ett|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|t|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tt|tL' \
  --context-parallel-size 2 \
  --bf16 \
  --use-distributed-optimizer \
  --overlap-grad-reduce \
  --overlap-param-gather \
  --tp-comm-overlap \
  --cp-comm-type allgather \
  --attention-backend flash \
  "$@"
