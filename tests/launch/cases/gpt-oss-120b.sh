#!/bin/sh
# starter: flags of Megatron-LM, written by `planner launch`.
# Add what planner does not know, as arguments: data, tokenizer, learning rate, checkpoints.
# The step assumes, and this file does not set:
# - norms and positions: RMSNorm and rotary positions are a guess that costs little
# - --vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides
# - framework.overlap_pipeline: with one virtual stage Megatron-LM does not overlap messages
# - framework.cuda_graphs: --cuda-graph-impl and its modules depend on the release
# No switch joins the rails: rings stay on theirs (NCCL_CROSS_NIC), and a message to another rail goes over
# NVLink to the GPU on it first (PXN).
export NCCL_CROSS_NIC=0 NCCL_PXN_DISABLE=0
exec torchrun --nnodes 32 --nproc-per-node 8 \
  --node-rank "$NODE_RANK" --master-addr "$MASTER_ADDR" \
  pretrain_gpt.py \
  --num-layers 36 \
  --hidden-size 2880 \
  --ffn-hidden-size 2880 \
  --num-attention-heads 64 \
  --kv-channels 64 \
  --group-query-attention \
  --num-query-groups 8 \
  --window-size '(127,0)' \
  --window-attn-skip-freq '[1,0]*18' \
  --seq-length 4096 \
  --max-position-embeddings 4096 \
  --swiglu \
  --normalization RMSNorm \
  --no-bias-dropout-fusion \
  --position-embedding-type rope \
  --vocab-size 201088 \
  --untie-embeddings-and-output-weights \
  --softmax-type learnable \
  --num-experts 128 \
  --moe-router-topk 4 \
  --moe-ffn-hidden-size 2880 \
  --moe-grouped-gemm \
  --micro-batch-size 1 \
  --global-batch-size 512 \
  --train-iters 476838 \
  --tensor-model-parallel-size 1 \
  --pipeline-model-parallel-size 4 \
  --context-parallel-size 1 \
  --expert-model-parallel-size 8 \
  --expert-tensor-parallel-size 1 \
  --bf16 \
  --fp8-format e4m3 \
  --fp8-recipe mxfp8 \
  --grad-reduce-in-bf16 \
  --recompute-granularity selective \
  --use-distributed-optimizer \
  --overlap-grad-reduce \
  --overlap-param-gather \
  --moe-token-dispatcher-type flex \
  --moe-flex-dispatcher-backend hybridep \
  --cross-entropy-loss-fusion \
  --cross-entropy-fusion-impl native \
  --attention-backend fused \
  "$@"
