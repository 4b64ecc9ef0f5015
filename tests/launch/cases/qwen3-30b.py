# starter: fields of torchtitan 0.3, written by `planner launch`.
# For 256 ranks. Hand it the configuration of your model (48 layers, width 2048), such as llama3_8b().
# The step assumes, and this file does not set:
# - framework.gradient_bytes = 2: torchtitan reduces gradients in 32 bits
# - framework.dispatcher: `model_registry` takes the backend of experts
# - framework.cuda_graphs: torchtitan 0.3 has none with pipeline stages or experts over ranks
from dataclasses import replace

from torchtitan.distributed.activation_checkpoint import FullAC


def planned(config):
    config.training = replace(
        config.training,
        local_batch_size=1,
        global_batch_size=512,
        seq_len=4096,
        steps=476838,
        mixed_precision_param="bfloat16",
        disable_cuda_graphs=True,
    )
    config.parallelism = replace(
        config.parallelism,
        data_parallel_replicate_degree=1,
        data_parallel_shard_degree=128,
        fsdp_reshard_after_forward="always",
        tensor_parallel_degree=2,
        enable_sequence_parallel=True,
        context_parallel_degree=1,
        pipeline_parallel_degree=1,
        expert_parallel_degree=8,
    )
    config.compile = replace(
        config.compile,
        enable=True,
        enable_async_tensor_parallel=True,
    )
    config.activation_checkpoint = FullAC.Config()
    return config
