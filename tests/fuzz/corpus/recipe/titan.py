def small() -> Trainer.Config:
    config = llama3_8b()
    config.parallelism = ParallelismConfig(
        tensor_parallel_degree=8,  # of a machine
        pipeline_parallel_schedule="1F1B",
    )
    config.training.max_context_length = 2 * 4_096
    config.activation_checkpoint = FullAC.Config()
    return config
