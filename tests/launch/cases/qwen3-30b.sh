#!/bin/sh
# starter: flags of Megatron-LM, written by `planner launch`.
# Add what planner does not know, as arguments: data, tokenizer, learning rate, checkpoints.
# The step assumes, and this file does not set:
# - norms, biases and positions: RMSNorm, no biases and rotary positions are a guess that costs little
# - --vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides
# - framework.overlap_pipeline: with one virtual stage Megatron-LM does not overlap messages
# - framework.cuda_graphs: --cuda-graph-impl and its modules depend on the release
# No switch joins the rails: rings stay on theirs (NCCL_CROSS_NIC), and a message to another rail goes over
# NVLink to the GPU on it first (PXN).
export NCCL_CROSS_NIC=0 NCCL_PXN_DISABLE=0
exec torchrun --nnodes 32 --nproc-per-node 8 \
  --node-rank "$NODE_RANK" --master-addr "$MASTER_ADDR" \
  pretrain_gpt.py \
  --num-layers 48 \
  --hidden-size 2048 \
  --ffn-hidden-size 6144 \
  --num-attention-heads 32 \
  --kv-channels 128 \
  --group-query-attention \
  --num-query-groups 4 \
  --seq-length 4096 \
  --max-position-embeddings 4096 \
  --swiglu \
  --normalization RMSNorm \
  --disable-bias-linear \
  --position-embedding-type rope \
  --vocab-size 151936 \
  --untie-embeddings-and-output-weights \
  --num-experts 128 \
  --moe-router-topk 8 \
  --moe-ffn-hidden-size 768 \
  --moe-grouped-gemm \
  --micro-batch-size 1 \
  --global-batch-size 512 \
  --train-iters 476838 \
  --tensor-model-parallel-size 2 \
  --sequence-parallel \
  --pipeline-model-parallel-size 2 \
  --context-parallel-size 1 \
  --expert-model-parallel-size 8 \
  --expert-tensor-parallel-size 1 \
  --bf16 \
  --grad-reduce-in-bf16 \
  --recompute-granularity selective \
  --use-distributed-optimizer \
  --overlap-grad-reduce \
  --overlap-param-gather \
  --tp-comm-overlap \
  --moe-token-dispatcher-type flex \
  --moe-flex-dispatcher-backend hybridep \
  --cross-entropy-loss-fusion \
  --cross-entropy-fusion-impl native \
  --attention-backend flash \
  "$@"
