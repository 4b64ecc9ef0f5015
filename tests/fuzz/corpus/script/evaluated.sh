export WORLD=`expr 2 \* 8`
name=llama-7B.tar.gz; base=${name%%.*}; up=${base^^}; part=${base:6:2}; swap=${name//a/b}
cat > ds.json <<EOT
{"train_batch_size": $WORLD, "zero_optimization": {"stage": ${ZERO:=1}}}
EOT
OPTS=" \
    --num-layers 24 \
    --hidden-size 2048 --num-attention-heads 16 \
    --deepspeed_config=ds.json"
L="python -m torch.distributed.run --nproc_per_node 8"
CMD="$L pretrain_gpt.py $OPTS --seq-length 1024 --micro-batch-size 4"
eval "$CMD --global-batch-size ${WORLD}"
bash -c "$CMD --train-iters $(seq 1 3 | wc -l)"
