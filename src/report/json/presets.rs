//! `planner presets` as programs read it.

use serde::Serialize;

#[derive(Serialize)]
struct PresetsJson<'a> {
    schema: &'static str,
    presets: Vec<PresetJson<'a>>,
}

#[derive(Serialize)]
struct PresetJson<'a> {
    kind: &'a str,
    name: &'a str,
    date: &'a str,
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    active_parameters: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding_parameters: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// The presets as pretty JSON, with their texts where wanted.
pub(in super::super) fn presets_json(
    presets: &[super::super::sheet::Preset],
    texts: bool,
) -> String {
    super::write(&PresetsJson {
        schema: "planner/presets/1",
        presets: presets
            .iter()
            .map(|preset| PresetJson {
                kind: preset.kind,
                name: &preset.name,
                date: &preset.date,
                source: &preset.source,
                parameters: preset.parameters.map(|this_parameters| this_parameters.total),
                active_parameters: preset.parameters.map(|this_parameters| this_parameters.active),
                embedding_parameters: preset
                    .parameters
                    .map(|this_parameters| this_parameters.embedding),
                text: texts.then_some(preset.text.as_str()),
            })
            .collect(),
    })
}
