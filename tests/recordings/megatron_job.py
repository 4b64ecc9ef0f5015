"""One rank of a tiny GPT trained by Megatron-Core: its own model, schedules and optimizer."""

import torch
import torch.distributed as dist

import attention
import latent


def build(cfg):
    from megatron.core import parallel_state, tensor_parallel
    from megatron.core.models.gpt import GPTModel
    from megatron.core.models.gpt import gpt_layer_specs
    from megatron.core.transformer import MLATransformerConfig, TransformerConfig

    parallel_state.initialize_model_parallel(
        tensor_model_parallel_size=cfg["tp"],
        pipeline_model_parallel_size=cfg["pp"],
        virtual_pipeline_model_parallel_size=cfg["vpp"] if cfg["vpp"] > 1 else None,
        context_parallel_size=cfg["cp"],
        expert_model_parallel_size=cfg["ep"],
        expert_tensor_parallel_size=cfg["etp"] if cfg["experts"] else None,
        order=cfg["order"],
    )
    tensor_parallel.model_parallel_cuda_manual_seed(1)
    dtype = {"bf16": torch.bfloat16, "fp32": torch.float32}[cfg["dtype"]]
    of_experts = {}
    if cfg["experts"]:
        of_experts = {
            "num_moe_experts": cfg["experts"],
            "moe_router_topk": cfg["topk"],
            "moe_ffn_hidden_size": cfg["moe_ffn"],
            "moe_token_dispatcher_type": cfg["dispatcher"],
            "moe_router_load_balancing_type": "none",
            "moe_aux_loss_coeff": 0.0,
            "expert_model_parallel_size": cfg["ep"],
            "expert_tensor_parallel_size": cfg["etp"],
            "moe_layer_freq": [int(i >= cfg["dense_layers"]) for i in range(cfg["layers"])],
        }
        if cfg["shared"]:
            of_experts["moe_shared_expert_intermediate_size"] = cfg["shared"] * cfg["moe_ffn"]
    recompute = {}
    if cfg["recompute"] == "full":
        recompute = {
            "recompute_granularity": "full",
            "recompute_method": "uniform",
            "recompute_num_layers": 1,
        }
    further = {}
    if cfg["mla"]:
        further = {**cfg["mla"], "rope_type": "rope"}
    if cfg["mtp"]:
        further["mtp_num_layers"] = cfg["mtp"]
    if cfg["on_last"]:
        further["num_layers_in_last_pipeline_stage"] = cfg["on_last"]
    config = (MLATransformerConfig if cfg["mla"] else TransformerConfig)(
        num_layers=cfg["layers"],
        hidden_size=cfg["hidden"],
        num_attention_heads=cfg["heads"],
        num_query_groups=cfg["kv"],
        ffn_hidden_size=cfg["ffn"],
        gated_linear_unit=cfg["gated"],
        activation_func=torch.nn.functional.silu if cfg["gated"] else torch.nn.functional.gelu,
        normalization="RMSNorm" if cfg["gated"] else "LayerNorm",
        add_bias_linear=False,
        bias_activation_fusion=False,
        bias_dropout_fusion=False,
        masked_softmax_fusion=False,
        apply_rope_fusion=False,
        gradient_accumulation_fusion=False,
        use_cpu_initialization=True,
        hidden_dropout=0.0,
        attention_dropout=0.0,
        bf16=cfg["dtype"] == "bf16",
        params_dtype=dtype,
        pipeline_dtype=dtype,
        tensor_model_parallel_size=cfg["tp"],
        pipeline_model_parallel_size=cfg["pp"],
        virtual_pipeline_model_parallel_size=cfg["vpp"] if cfg["vpp"] > 1 else None,
        context_parallel_size=cfg["cp"],
        sequence_parallel=cfg["sp"],
        deallocate_pipeline_outputs=False,
        **recompute,
        **of_experts,
        **further,
    )
    if cfg["experts"]:
        spec = gpt_layer_specs.get_gpt_decoder_block_spec(config, use_transformer_engine=False)
    else:
        spec = gpt_layer_specs.get_gpt_layer_local_spec(
            multi_latent_attention=bool(cfg["mla"]),
            normalization="RMSNorm" if cfg["gated"] else None,
        )
    if cfg["mla"]:
        latent.install(spec)
    if cfg["cp"] > 1:
        attention.install(spec, cfg["cx"])

    def chunk(number):
        last = number == (cfg["vpp"] - 1)
        vp = number if cfg["vpp"] > 1 else None
        mtp = None
        if cfg["mtp"] and parallel_state.is_pipeline_last_stage(ignore_virtual=False, vp_stage=vp):
            mtp = gpt_layer_specs.get_gpt_mtp_block_spec(config, spec, use_transformer_engine=False)
        return GPTModel(
            config=config,
            transformer_layer_spec=spec,
            vocab_size=cfg["vocab"],
            max_sequence_length=cfg["seq"],
            pre_process=parallel_state.is_pipeline_first_stage(ignore_virtual=False, vp_stage=vp),
            post_process=parallel_state.is_pipeline_last_stage(ignore_virtual=False, vp_stage=vp)
            and last,
            share_embeddings_and_output_weights=cfg["tied"],
            position_embedding_type="none",
            vp_stage=vp,
            mtp_block_spec=mtp,
        )

    return config, [chunk(number).to(dtype) for number in range(cfg["vpp"])]


def run(cfg, recorder):
    from megatron.core import parallel_state
    from megatron.core.distributed import (
        DistributedDataParallel,
        DistributedDataParallelConfig,
        finalize_model_grads,
    )
    from megatron.core.optimizer import OptimizerConfig, get_megatron_optimizer
    from megatron.core.pipeline_parallel import get_forward_backward_func

    config, chunks = build(cfg)
    sharded = cfg["zero"] >= 1
    ddp = DistributedDataParallelConfig(
        grad_reduce_in_fp32=cfg["grad_fp32"],
        overlap_grad_reduce=cfg["overlap"],
        overlap_param_gather=cfg["overlap"] and sharded,
        use_distributed_optimizer=sharded,
        average_in_collective=False,
    )
    chunks = [
        DistributedDataParallel(
            config, ddp, of, disable_bucketing=not cfg["overlap"] or number > 0
        )
        for number, of in enumerate(chunks)
    ]
    optimizer = get_megatron_optimizer(
        OptimizerConfig(
            optimizer="adam",
            lr=1e-4,
            bf16=cfg["dtype"] == "bf16",
            params_dtype=config.params_dtype,
            use_distributed_optimizer=sharded,
            overlap_param_gather=ddp.overlap_param_gather,
            clip_grad=cfg["clip"],
        ),
        chunks,
    )
    config.finalize_model_grads_func = finalize_model_grads
    config.no_sync_func = None
    if cfg["overlap"]:
        config.no_sync_func = [of.no_sync for of in chunks]
        config.grad_sync_func = None
        if len(chunks) == 1:
            config.no_sync_func = config.no_sync_func[0]
    width = cfg["seq"] // cfg["cp"]
    generator = torch.Generator().manual_seed(parallel_state.get_data_parallel_rank())

    def batches():
        while True:
            tokens = torch.randint(0, cfg["vocab"], (cfg["mb"], width), generator=generator)
            yield tokens

    def forward(data, model):
        tokens = next(data)
        places = torch.arange(width).unsqueeze(0)
        mask = torch.triu(torch.ones(1, 1, width, width, dtype=torch.bool), diagonal=1)
        output = model(tokens, places, mask, labels=tokens)

        def loss(of):
            mean = of.float().mean()
            return mean, {"loss": mean.detach()}

        return output, loss

    micro_batches = cfg["gbs"] // (cfg["dp"] * cfg["mb"])
    schedule = get_forward_backward_func()
    for step in range(cfg["steps"]):
        dist.barrier()
        recorder.on = step == cfg["steps"] - 1
        for of in chunks:
            of.zero_grad_buffer()
        optimizer.zero_grad()
        schedule(
            forward_step_func=forward,
            data_iterator=[batches() for _ in chunks] if len(chunks) > 1 else batches(),
            model=chunks if len(chunks) > 1 else chunks[0],
            num_microbatches=micro_batches,
            seq_length=cfg["seq"],
            micro_batch_size=cfg["mb"],
            forward_only=False,
        )
        optimizer.step()
        recorder.on = False
