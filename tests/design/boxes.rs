//! Small clusters at random: machines of 4 to 9 GPUs on switches of 8 to 32 ports, so that borders of
//! domains and leaf switches cut groups in every way and a design takes milliseconds.

use crate::support::dice::Dice;

/// One of some.
pub(crate) fn pick<T: Copy>(dice: &mut Dice, items: &[T]) -> T {
    items[dice.roll(items.len() as u64) as usize]
}

/// A spec; `objective` is the table of that name.
pub(crate) fn boxes(dice: &mut Dice, objective: &str) -> String {
    let gpus = dice.between(4, 9);
    let nics = if gpus.is_multiple_of(2) && dice.chance(30) { gpus / 2 } else { gpus };
    let (tensor, pipeline) = (pick(dice, &[1, 2, 4]), pick(dice, &[1, 2, 4]));
    let data = dice.between(3, 16);
    let (ranks, batch) = (tensor * pipeline * data, data * pipeline * 2);
    let order = pick(dice, &["tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "auto"]);
    let model = pick(dice, &["llama3-8b", "llama3-8b", "mixtral-8x7b"]);
    let fabric = pick(dice, &["rail-only", "clos", "rail-optimized", "auto", "auto", "auto"]);
    let switches = pick(dice, &["\"tiny\"", "\"tiny\", \"mid\"", "\"tiny\", \"mid\""]);
    let planes = pick(dice, &[1, 1, 2]);
    let inside = pick(dice, &[900, 200, 100]);
    let (small, large) = (pick(dice, &[8, 16]), pick(dice, &[12, 24, 32]));
    let price = pick(dice, &[1500, 2200, 3100]);
    let owned = if dice.chance(25) { dice.between(1, 12) } else { 0 };
    format!(
        r#"
[model]
preset = "{model}"
[training]
global_batch = {batch}
tokens = "1T"
[parallelism]
tensor = {tensor}
pipeline = {pipeline}
data = {data}
order = "{order}"
[cluster]
gpus = {ranks}
node = "box"
switches = [{switches}]
max_planes = {planes}
fabric = "{fabric}"
[inventory]
tiny = {owned}
[hardware.gpus.own]
peak_bf16 = "1000 TFLOP/s"
memory = "900 GiB"
memory_bandwidth = "3 TB/s"
power = "165 W"
[hardware.nodes.box]
gpu = "own"
gpus = {gpus}
hb_bandwidth = "{inside} GB/s"
nics = {nics}
nic = "ndr-400g"
power = "5 kW"
price = "$100k"
[hardware.switches.tiny]
ports = {small}
port_speed = "400 Gb/s"
power = "100 W"
price = "$1000"
[hardware.switches.mid]
ports = {large}
port_speed = "400 Gb/s"
power = "180 W"
price = "${price}"
[objective]
{objective}
"#
    )
}
