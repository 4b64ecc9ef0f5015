SIZE=$1
if [ "$SIZE" = 7B ]; then L=32 H=4096
elif [[ $SIZE == *13[bB]* ]]; then L=40; H=5120
else echo "no such size" >&2; exit 1; fi
case ${PRECISION:-bf16} in fp16|half) P=--fp16 ;; *) P="--bf16" ;; esac
run() { local gpus=$1; shift; deepspeed --num_gpus "$gpus" pretrain_gpt.py "$@" $P; }
for n in 1 2 {3..5}; do LAST=$n; done
for ((i = 0; i < 3; i++)); do A[$i]=x$i; done
while [ "$LAST" -gt 3 ]; do LAST=$((LAST - 1)); done
run 8 --num-layers $L --hidden-size $H --num-attention-heads $((H / 128)) --seq-length 2048 --zero-stage 1
