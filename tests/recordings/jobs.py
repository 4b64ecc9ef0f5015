"""The jobs that are recorded: layouts and tiny models, everything that they do not say from DEFAULTS."""

DEFAULTS = {
    "by": "megatron",
    "tp": 1,
    "pp": 1,
    "cp": 1,
    "dp": 1,
    "ep": 1,
    "etp": 1,
    "vpp": 1,
    "sp": False,
    "layers": 4,
    "hidden": 64,
    "heads": 4,
    "kv": 4,
    "ffn": 256,
    "gated": False,
    "vocab": 512,
    "seq": 32,
    "mb": 1,
    "gbs": 8,
    "recompute": "none",
    "zero": 1,
    "tied": True,
    "grad_fp32": False,
    "dtype": "bf16",
    "experts": 0,
    "topk": 2,
    "moe_ffn": None,
    "shared": 0,
    "dense_layers": 0,
    "order": "tp-cp-ep-dp-pp",
    "steps": 2,
    "dispatcher": "alltoall",
    "overlap": False,
    "clip": 1.0,
    "cx": "gather",
    "schedule": "1f1b",
    "mla": None,
    "mtp": 0,
    "on_last": None,
}

EXPERTS = {"experts": 8, "moe_ffn": 128, "gated": True, "seq": 128}
TORCH = {"seq": 128, "tied": False, "dtype": "fp32"}
DEEPSPEED = {"by": "deepspeed", "seq": 128, "tied": False, "dp": 4, "file": {}}
LATENT = {
    "hidden": 128,
    "ffn": 512,
    "seq": 64,
    "layers": 2,
    "tied": False,
    "mla": {
        "q_lora_rank": 48,
        "kv_lora_rank": 32,
        "qk_head_dim": 32,
        "qk_pos_emb_head_dim": 16,
        "v_head_dim": 32,
    },
}
PIPELINE = {"by": "pipelining", **TORCH, "zero": 0, "pp": 4, "layers": 8}

JOBS = {
    # Tensor and pipeline parallelism, with and without sequence parallelism, tied or not.
    "sp_z1": {"tp": 2, "pp": 2, "dp": 2, "sp": True},
    "sp_full": {"tp": 2, "pp": 2, "dp": 2, "sp": True, "recompute": "full"},
    "sp_untied": {"tp": 2, "pp": 2, "dp": 2, "sp": True, "tied": False},
    "nosp4": {"tp": 4, "pp": 2},
    "tied_fp32": {"pp": 4, "dp": 2, "gbs": 16, "grad_fp32": True},
    "untied_pp": {"pp": 4, "dp": 2, "gbs": 16, "tied": False},
    "replicas_inside": {"pp": 4, "dp": 2, "gbs": 16, "order": "tp-cp-ep-pp-dp"},
    "vpp2": {"tp": 2, "pp": 2, "dp": 2, "sp": True, "vpp": 2, "layers": 8, "gbs": 16},
    "vpp2_untied": {"pp": 4, "dp": 2, "vpp": 2, "layers": 8, "gbs": 16, "tied": False},
    # How gradients and parameters are reduced and gathered.
    "z0_bf16": {"tp": 2, "dp": 4, "sp": True, "zero": 0},
    "z0_fp32": {"dp": 8, "zero": 0, "grad_fp32": True},
    "z1_gated": {"tp": 4, "dp": 2, "sp": True, "gated": True, "grad_fp32": True},
    "grouped_queries": {"tp": 4, "dp": 2, "sp": True, "kv": 2, "heads": 8, "gated": True},
    # Latent attention: queries, keys and values compressed by every tensor rank.
    "mla_tp2sp": {"tp": 2, "dp": 2, "sp": True, "gated": True, **LATENT},
    "mla_nosp": {"tp": 2, "dp": 2, "gated": True, **LATENT},
    "mla_whole_queries": {
        "tp": 2,
        "dp": 2,
        "sp": True,
        "gated": True,
        **LATENT,
        "mla": {**LATENT["mla"], "q_lora_rank": None},
    },
    # Layers that predict further tokens, and fewer layers on the last stage.
    "mtp_pp2": {"tp": 2, "pp": 2, "dp": 2, "sp": True, "gated": True, "tied": False, "mtp": 1},
    "mtp_tied": {"tp": 2, "pp": 2, "dp": 2, "gated": True, "mtp": 2},
    "uneven": {
        "tp": 2,
        "pp": 4,
        "sp": True,
        "gated": True,
        "tied": False,
        "layers": 7,
        "on_last": 1,
    },
    # Parts of a sequence.
    "cp_ring": {"cp": 4, "dp": 2, "gated": True, "seq": 128, "cx": "ring"},
    "cp_gather": {"cp": 2, "dp": 4, "gated": True, "seq": 128},
    "cp_a2a": {"cp": 4, "dp": 2, "gated": True, "seq": 128, "cx": "all-to-all"},
    "all_16": {"tp": 2, "cp": 2, "pp": 2, "dp": 2, "sp": True, "seq": 64},
    # Experts.
    "moe_tp2_ep4": {"tp": 2, "dp": 4, "ep": 4, "sp": True, **EXPERTS},
    "moe_etp2": {"tp": 2, "dp": 4, "ep": 2, "etp": 2, "sp": True, **EXPERTS},
    "moe_pp": {"tp": 2, "pp": 2, "dp": 2, "ep": 2, "sp": True, **EXPERTS},
    "moe_shared": {"dp": 8, "ep": 8, "shared": 1, **EXPERTS},
    "moe_dense_first": {"dp": 8, "ep": 4, "dense_layers": 1, **EXPERTS},
    "cp_ep": {"cp": 2, "dp": 4, "ep": 4, "overlap": True, "steps": 3, **EXPERTS},
    # DeepSpeed; a model as small as this would stay gathered.
    "ds_z1": {**DEEPSPEED, "zero": 1},
    "ds_z2": {**DEEPSPEED, "zero": 2},
    "ds_z3": {
        **DEEPSPEED,
        "zero": 3,
        "file": {
            "stage3_max_live_parameters": 0,
            "stage3_max_reuse_distance": 0,
            "stage3_param_persistence_threshold": 0,
        },
    },
    # PyTorch's own.
    "t_fsdp": {"by": "fsdp", **TORCH, "dp": 8, "gbs": 16, "zero": 3},
    "t_hsdp": {"by": "fsdp", **TORCH, "dp": 8, "gbs": 16, "zero": 3, "shard": 4},
    "t_pp_1f1b": PIPELINE,
    "t_pp_gpipe": {**PIPELINE, "schedule": "gpipe"},
    "t_pp_interleaved": {**PIPELINE, "vpp": 2},
}


def whole(job):
    """A job with what it leaves open."""
    cfg = {**DEFAULTS, **job}
    if not cfg["experts"]:
        cfg["etp"] = cfg["tp"]
    return cfg
