MODEL_ARGS=(
   --num-layers 28
   --hidden-size 1536
   --ffn-hidden-size 8960
   --num-attention-heads 12
   --group-query-attention --num-query-groups 2
   --swiglu --rotary-base 1000000 --vocab-size 151936
)
