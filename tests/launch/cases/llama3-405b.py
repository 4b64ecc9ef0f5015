# llama3-405b-16384: fields of torchtitan 0.3, written by `planner launch`.
# For 16384 ranks. Hand it the configuration of your model (126 layers, width 16384), such as llama3_8b().
# The step assumes, and this file does not set:
# - the layers of each stage: torchtitan counts embedding and head as a layer each
from dataclasses import replace


def planned(config):
    config.training = replace(
        config.training,
        local_batch_size=32,
        global_batch_size=2048,
        seq_len=8192,
        steps=929833,
        mixed_precision_param="bfloat16",
        disable_cuda_graphs=True,
    )
    config.parallelism = replace(
        config.parallelism,
        data_parallel_replicate_degree=1,
        data_parallel_shard_degree=64,
        fsdp_reshard_after_forward="never",
        tensor_parallel_degree=8,
        enable_sequence_parallel=True,
        context_parallel_degree=2,
        pipeline_parallel_degree=16,
        pipeline_parallel_schedule="Interleaved1F1B",
        pipeline_parallel_microbatch_size=1,
        pipeline_parallel_layers_per_stage=2,
    )
    config.compile = replace(
        config.compile,
        enable=True,
        enable_async_tensor_parallel=True,
    )
    config.activation_checkpoint = None
    return config
