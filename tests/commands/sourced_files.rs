//! A script makes `planner import` read the files below its own folder, and no other.

use std::fs;
use std::path::Path;

use crate::support::program::{fresh_folder, planner_in};

const SHAPE: &str = "--num-layers 4 --hidden-size 256 --num-attention-heads 4 --seq-length 512 \
                     --micro-batch-size 1 --global-batch-size 8";

/// Layers of the job of a script that sources a file, after some lines; `None` where it asks.
fn sourced_layers(folder: &Path, lines: &str, file: &str) -> Option<String> {
    let script = format!(
        "{lines}\nsource {file}\ntorchrun --nproc_per_node 8 pretrain_gpt.py {SHAPE} ${{M[@]}}\n"
    );
    fs::write(folder.join("in/run.sh"), script).expect("the folder is this test's own");
    let run = planner_in(folder, &["import", "in/run.sh"]);
    assert!(run.status == 0 || run.status == 2, "{file}: {}", run.stderr);
    let layers = run.stdout.lines().find_map(|line| line.strip_prefix("layers = "));
    layers.map(str::to_owned)
}

#[cfg(unix)]
#[test]
fn a_script_reads_below_its_folder_and_nowhere_else() {
    use std::os::unix::fs::symlink;
    let folder = fresh_folder("sourced");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("its own");
    for name in ["in/sub", "in/folder.sh", "out"] {
        fs::create_dir_all(folder.join(name)).expect("its own");
    }
    write("out/secret.sh", "M=(--num-layers 77)\n");
    write("in/good.sh", "M=(--num-layers 5)\n");
    write("in/sub/deep.sh", "M=(--num-layers 8)\n");
    write("in/huge.sh", &format!("M=(--num-layers 6)\n{}", " ".repeat(2 << 20)));
    let link = |to: &str, name: &str| symlink(to, folder.join(name)).expect("its own");
    link("../out/secret.sh", "in/link.sh");
    link("../out", "in/linked");
    link("good.sh", "in/alias.sh");
    link("/dev/zero", "in/zero.sh");
    link("loop.sh", "in/loop.sh");
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("in/pipe.sh")).status();
    assert!(pipe.expect("it is everywhere").success());
    let away = format!("HOME={0}/out; UP=..; DOTS=sub/../..", folder.display());
    let whole = folder.join("out/secret.sh").display().to_string();
    for file in [
        "../out/secret.sh",
        whole.as_str(),
        "link.sh",
        "linked/secret.sh",
        "~/secret.sh",
        "$HOME/secret.sh",
        "$UP/out/secret.sh",
        "\"${DOTS}\"/out/secret.sh",
        "$(dirname $0)/../out/secret.sh",
        "pipe.sh",
        "folder.sh",
        "zero.sh",
        "/dev/stdin",
        "loop.sh",
        "huge.sh",
    ] {
        assert_eq!(sourced_layers(&folder, &away, file), None, "{file}");
        assert_eq!(sourced_layers(&folder, "cd ..; cd /", file), None, "{file}");
    }
    for (file, layers) in
        [("good.sh", "5"), ("alias.sh", "5"), ("./sub/deep.sh", "8"), ("sub/../good.sh", "5")]
    {
        assert_eq!(sourced_layers(&folder, &away, file).as_deref(), Some(layers), "{file}");
    }
}
