# starter: fields of torchtitan 0.3, written by `planner launch`.
# For 256 ranks. Hand it the configuration of your model (32 layers, width 4096), such as llama3_8b().
# The step assumes, and this file does not set:
# - framework.gradient_bytes = 2: torchtitan reduces gradients in 32 bits
from dataclasses import replace

from torchtitan.distributed.activation_checkpoint import SelectiveAC


def planned(config):
    config.training = replace(
        config.training,
        local_batch_size=1,
        global_batch_size=512,
        seq_len=8192,
        steps=238419,
        mixed_precision_param="bfloat16",
        disable_cuda_graphs=False,
    )
    config.parallelism = replace(
        config.parallelism,
        data_parallel_replicate_degree=1,
        data_parallel_shard_degree=256,
        fsdp_reshard_after_forward="always",
        tensor_parallel_degree=1,
        enable_sequence_parallel=True,
        context_parallel_degree=1,
        pipeline_parallel_degree=1,
    )
    config.activation_checkpoint = SelectiveAC.Config()
    return config
