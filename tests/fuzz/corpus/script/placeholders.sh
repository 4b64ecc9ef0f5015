CHECKPOINT_PATH=<Specify path>
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
read -r -d '' ARGS <<'X'
--num-layers 12 --hidden-size 768
X
declare -A T=([a]=1 [b]=2); echo "${!T[@]}" ${#T[@]} ${T[b]:?none} "${@:2:3}" ${*#-} $'\t' $"x"
mpirun -np 8 python pretrain_gpt.py $ARGS --num-attention-heads 12 --load $CHECKPOINT_PATH \
  --tensor-model-parallel-size $TP --seq-length ${SEQ?} && exit || false &
