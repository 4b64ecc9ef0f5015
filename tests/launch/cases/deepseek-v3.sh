#!/bin/sh
# deepseek-v3-2048: flags of Megatron-LM, written by `planner launch`.
# Add what planner does not know, as arguments: data, tokenizer, learning rate, checkpoints.
# The step assumes, and this file does not set:
# - norms, biases and positions: RMSNorm, no biases and rotary positions are a guess that costs little
# - --vocab-size counts where the tokenizer is NullTokenizer; else the tokenizer decides
# - framework.overlap_pipeline: with one virtual stage Megatron-LM does not overlap messages
# - framework.overlap_expert: --overlap-moe-expert-parallel-comm has limits on recomputation and stages
# - framework.narrow_dispatch: no flag sets it
exec torchrun --nnodes 256 --nproc-per-node 8 \
  --node-rank "$NODE_RANK" --master-addr "$MASTER_ADDR" \
  pretrain_gpt.py \
  --num-layers 61 \
  --hidden-size 7168 \
  --ffn-hidden-size 18432 \
  --num-attention-heads 128 \
  --multi-latent-attention \
  --q-lora-rank 1536 \
  --kv-lora-rank 512 \
  --qk-head-dim 128 \
  --qk-pos-emb-head-dim 64 \
  --v-head-dim 128 \
  --seq-length 4096 \
  --max-position-embeddings 4096 \
  --swiglu \
  --normalization RMSNorm \
  --disable-bias-linear \
  --position-embedding-type rope \
  --vocab-size 129280 \
  --untie-embeddings-and-output-weights \
  --mtp-num-layers 1 \
  --num-experts 256 \
  --moe-router-topk 8 \
  --moe-ffn-hidden-size 2048 \
  --moe-shared-expert-intermediate-size 2048 \
  --moe-layer-freq '([0]*3+[1]*58)' \
  --moe-router-num-groups 8 \
  --moe-router-group-topk 4 \
  --moe-grouped-gemm \
  --micro-batch-size 1 \
  --global-batch-size 15360 \
  --train-iters 235240 \
  --tensor-model-parallel-size 1 \
  --pipeline-model-parallel-size 16 \
  --pipeline-model-parallel-layout 'Etttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tttt|tmL' \
  --context-parallel-size 1 \
  --expert-model-parallel-size 64 \
  --expert-tensor-parallel-size 1 \
  --bf16 \
  --fp8-format hybrid \
  --fp8-recipe tensorwise \
  --grad-reduce-in-bf16 \
  --recompute-granularity full \
  --recompute-method uniform \
  --recompute-num-layers 1 \
  --use-distributed-optimizer \
  --overlap-grad-reduce \
  --overlap-param-gather \
  --moe-token-dispatcher-type flex \
  --moe-flex-dispatcher-backend hybridep \
  --attention-backend flash \
  "$@"
