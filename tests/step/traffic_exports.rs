//! Exports of the matrix: read back, every number in them is the matrix's own.

use std::collections::BTreeMap;

use planner::parallel::{Layout, Placement, Rank, Zero};
use planner::report::matrix::{
    ExportError, blocks_json, heat_map, npy_blocks, write_matrix_csv, write_matrix_npy,
    write_matrix_png, write_matrix_svg,
};
use planner::step::{Step, TrafficKind};
use planner::traffic::{BlockAxis, TrafficMatrix};
use planner::workload::{Framework, Model, Moe};

use crate::support::experts::even_experts;
use crate::support::job::{framework, layout, model, training};

/// GPT-3 175B on nodes of 8 GPUs: 8-way tensor parallel, the stages as asked.
fn gpt3(gpus: u32, pipeline: u32) -> TrafficMatrix {
    let layout = layout(8, gpus / 8 / pipeline, pipeline);
    let model = Model {
        hidden: 12_288,
        heads: 96,
        kv_heads: 96,
        head_dim: 128,
        ffn: 49_152,
        vocab: 51_200,
        sequence: 2048,
        ..model(96)
    };
    let framework = Framework { scatter_pipeline: true, ..framework() };
    let step = Step::new(&model, &training(&layout, 16), &framework, &layout);
    TrafficMatrix::new(&step.expect("the layout runs"), Placement::with_packed_domains(8, 8))
}

/// A mixture of experts on racks of 72 of which 64 are used.
fn experts() -> TrafficMatrix {
    let layout = Layout { expert: 64, zero: Zero::Optimizer, ..layout(1, 128, 8) };
    let moe = Moe { shared_experts: 1, ..even_experts(64, 6, 96) };
    let model = Model { moe: Some(moe), ..model(24) };
    let step = Step::new(&model, &training(&layout, 8), &framework(), &layout);
    let step = step.expect("the layout runs");
    let placement = Placement::with_aligned_domains(&step.grid, 72, 72);
    TrafficMatrix::new(&step, placement)
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> Result<(), ExportError>) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out).expect("a vector takes everything");
    out
}

#[test]
fn sparse_csv_holds_every_pair() {
    let matrix = gpt3(128, 4);
    let text =
        String::from_utf8(written(|out| write_matrix_csv(&matrix, out))).expect("CSV is text");
    let mut lines = text.lines();
    let heading = "from,to,total_bytes,tensor_bytes,pipeline_bytes,data_bytes,context_bytes,\
                   expert_bytes";
    assert_eq!(lines.next(), Some(heading));
    let mut read: BTreeMap<(u32, u32), Vec<u128>> = BTreeMap::new();
    for line in lines {
        let numbers: Vec<u128> = line.split(',').map(|n| n.parse().expect("a count")).collect();
        read.insert((numbers[0] as u32, numbers[1] as u32), numbers[2..].to_vec());
    }
    let mut busy = 0;
    for from in 0..128 {
        for to in 0..128 {
            let pair = matrix.bytes_between(Rank(from), Rank(to));
            if !pair.total_bytes().is_zero() {
                busy += 1;
                let mut expected = vec![pair.total_bytes().count()];
                expected.extend(TrafficKind::ALL.map(|kind| pair.bytes_of_kind(kind).count()));
                assert_eq!(read.get(&(from, to)), Some(&expected));
            }
        }
    }
    assert_eq!(read.len(), busy);
}

#[test]
fn dense_npy_is_what_numpy_reads() {
    let matrix = gpt3(64, 2);
    let file = written(|out| write_matrix_npy(&matrix, out));
    assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
    let header = usize::from(u16::from_le_bytes([file[8], file[9]]));
    assert_eq!((10 + header) % 64, 0, "data start at a multiple of 64");
    let text = std::str::from_utf8(&file[10..10 + header]).expect("the header is text");
    let dictionary = "{'descr': '<u8', 'fortran_order': False, 'shape': (64, 64), }";
    assert_eq!(text.trim_end(), dictionary);
    assert!(text.ends_with('\n'));
    let cells: Vec<u128> = file[10 + header..]
        .chunks_exact(8)
        .map(|cell| u128::from(u64::from_le_bytes(cell.try_into().expect("eight bytes"))))
        .collect();
    assert_eq!(cells.len(), 64 * 64);
    for (k, cell) in cells.iter().enumerate() {
        let pair = matrix.bytes_between(Rank(k as u32 / 64), Rank(k as u32 % 64));
        assert_eq!(pair.total_bytes().count(), *cell);
    }
}

#[test]
fn a_dense_matrix_that_nobody_can_open_is_refused() {
    let mut out = Vec::new();
    let refused = write_matrix_npy(&gpt3(32_768, 16), &mut out).expect_err("8 GiB are too much");
    assert!(out.is_empty(), "nothing is written before it is refused");
    assert_eq!(
        refused.to_string(),
        "a dense matrix of 32768 GPUs takes `8589934592` bytes, and at most 4294967296 are \
         written: ask for blocks by domain, or for sparse CSV"
    );
}

#[test]
fn block_exports_add_up_to_the_whole() {
    let matrix = experts();
    let blocks = matrix.sum_by_blocks(BlockAxis::Domain, 256);
    let total = matrix.summary().total.count();
    let file = written(|out| npy_blocks(&blocks, out));
    let side = blocks.blocks_per_side() as usize;
    let cells = &file[file.len() - side * side * 8..];
    let sum: u128 = cells
        .chunks_exact(8)
        .map(|cell| u128::from(u64::from_le_bytes(cell.try_into().expect("eight bytes"))))
        .sum();
    assert_eq!(sum, total);
    let file = written(|out| blocks_json(&blocks, BlockAxis::Domain, out));
    let json: serde_json::Value = serde_json::from_slice(&file).expect("the export is JSON");
    assert_eq!(json["schema"], "planner/traffic-blocks/1");
    assert_eq!(json["by"], "domain");
    let cells = json["cells"].as_array().expect("cells are a list");
    let sum: u64 = cells.iter().filter_map(|cell| cell["total_bytes"].as_u64()).sum();
    assert_eq!(u128::from(sum), total);
}

/// Pictures are kept for people to look at; what is tested is that they can be read and show
/// every kind that the matrix has.
#[test]
fn pictures_can_be_read_and_show_every_kind() {
    for (name, matrix, colours) in [
        ("gpt3-1024", gpt3(1024, 8), &["#005aa0", "#008c64", "#d55e00"][..]),
        ("gpt3-32768", gpt3(32_768, 16), &["#005aa0", "#008c64", "#d55e00"][..]),
        ("experts-1024", experts(), &["#c88200"][..]),
    ] {
        let title = format!("{name}: bytes of one step");
        let picture = written(|out| write_matrix_png(&title, &matrix, out));
        let drawing = written(|out| write_matrix_svg(&title, &matrix, out));
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(folder.join(format!("{name}.png")), &picture).expect("a picture is kept");
        std::fs::write(folder.join(format!("{name}.svg")), &drawing).expect("a drawing is kept");

        let mut reader =
            ::png::Decoder::new(std::io::Cursor::new(picture)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size that fits")];
        let frame = reader.next_frame(&mut pixels).expect("a whole picture");
        let drawing = String::from_utf8(drawing).expect("SVG is text");
        for colour in colours {
            assert!(drawing.contains(&format!("fill=\"{colour}\"")), "{name} lacks {colour}");
            let channel = |k: usize| u8::from_str_radix(&colour[k..k + 2], 16).expect("hex");
            let wanted = [channel(1), channel(3), channel(5)];
            let found = pixels[..frame.buffer_size()].chunks_exact(3).any(|pixel| pixel == wanted);
            assert!(found, "{name}.png lacks {colour}");
        }
        assert_eq!(drawing.matches("<svg").count(), drawing.matches("</svg>").count());
    }
}

#[test]
fn terminal_maps_fit_their_width() {
    let matrix = gpt3(1024, 8);
    let plain = heat_map(&matrix, BlockAxis::Gpu, 64, false);
    assert!(plain.lines().take(32).all(|line| line.chars().count() <= 64));
    assert!(!plain.contains('\u{1b}'), "no escape codes without colour");
    let coloured = heat_map(&matrix, BlockAxis::Stage, 64, true);
    assert!(coloured.contains('\u{1b}'));
    // Eight stages: each sends inside itself and to its neighbours, the ends to each other.
    let stages: Vec<String> =
        heat_map(&matrix, BlockAxis::Stage, 64, false).lines().take(8).map(str::to_owned).collect();
    let busy = |line: &String| line.chars().filter(|c| *c != ' ').count() / 2;
    assert_eq!(stages.iter().map(busy).collect::<Vec<_>>(), [3, 3, 3, 3, 3, 3, 3, 3]);
}
