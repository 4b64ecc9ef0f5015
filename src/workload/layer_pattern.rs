//! Layers of unlike kinds: what a layer is made of, and the text that says it of each layer. Counts
//! no elements and no work.

use std::fmt;

/// What mixes the tokens of a sequence in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mixer {
    /// Attention with scores between tokens.
    Attention,
    /// A state-space model with a scan over the sequence (Mamba-2, arXiv 2405.21060).
    Mamba,
    /// Linear attention with the gated delta rule (arXiv 2412.06464).
    Delta,
}

/// What works on each token by itself in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeedForward {
    /// A feed-forward block.
    Dense,
    /// Routed experts.
    Experts,
}

/// What a layer is made of. A mixer and a network are two residual blocks with a norm each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Attention and a feed-forward block.
    Dense,
    /// Attention and routed experts.
    Moe,
    /// Attention alone.
    Attention,
    /// A Mamba-2 mixer alone.
    Mamba,
    /// A mixer with the gated delta rule alone.
    Delta,
    /// A feed-forward block alone.
    FeedForward,
    /// Routed experts alone.
    Experts,
    /// A Mamba-2 mixer and a feed-forward block.
    MambaDense,
    /// A Mamba-2 mixer and routed experts.
    MambaMoe,
    /// A mixer with the gated delta rule and a feed-forward block.
    DeltaDense,
    /// A mixer with the gated delta rule and routed experts.
    DeltaMoe,
    /// Attention to the last tokens alone, and a feed-forward block.
    WindowDense,
    /// Attention to the last tokens alone, and routed experts.
    WindowMoe,
    /// Attention to the last tokens alone.
    Window,
}

impl Layer {
    /// All kinds; those of a transformer first.
    pub const ALL: [Self; 14] = [
        Self::Dense,
        Self::Moe,
        Self::Attention,
        Self::Mamba,
        Self::Delta,
        Self::FeedForward,
        Self::Experts,
        Self::MambaDense,
        Self::MambaMoe,
        Self::DeltaDense,
        Self::DeltaMoe,
        Self::WindowDense,
        Self::WindowMoe,
        Self::Window,
    ];

    /// What mixes tokens; `None` where nothing does.
    #[must_use]
    pub const fn mixer(self) -> Option<Mixer> {
        match self {
            Self::Dense | Self::Moe | Self::Attention => Some(Mixer::Attention),
            Self::WindowDense | Self::WindowMoe | Self::Window => Some(Mixer::Attention),
            Self::Mamba | Self::MambaDense | Self::MambaMoe => Some(Mixer::Mamba),
            Self::Delta | Self::DeltaDense | Self::DeltaMoe => Some(Mixer::Delta),
            Self::FeedForward | Self::Experts => None,
        }
    }

    /// What works on each token; `None` where nothing does.
    #[must_use]
    pub const fn network(self) -> Option<FeedForward> {
        match self {
            Self::Dense
            | Self::FeedForward
            | Self::MambaDense
            | Self::DeltaDense
            | Self::WindowDense => Some(FeedForward::Dense),
            Self::Moe | Self::Experts | Self::MambaMoe | Self::DeltaMoe | Self::WindowMoe => {
                Some(FeedForward::Experts)
            }
            Self::Attention | Self::Mamba | Self::Delta | Self::Window => None,
        }
    }

    /// True where attention sees the last tokens alone.
    #[must_use]
    pub const fn has_window(self) -> bool {
        matches!(self, Self::WindowDense | Self::WindowMoe | Self::Window)
    }

    /// A layer of this kind with attention to the last tokens alone; itself where nothing attends.
    #[must_use]
    pub const fn with_window(self) -> Self {
        match self {
            Self::Dense => Self::WindowDense,
            Self::Moe => Self::WindowMoe,
            Self::Attention => Self::Window,
            other => other,
        }
    }

    /// Residual blocks: mixer, network, or both.
    #[must_use]
    pub const fn residual_blocks(self) -> u32 {
        self.mixer().is_some() as u32 + self.network().is_some() as u32
    }

    /// Name in tables that programs read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Moe => "moe",
            Self::Attention => "attention",
            Self::Mamba => "mamba",
            Self::Delta => "delta",
            Self::FeedForward => "feed-forward",
            Self::Experts => "experts",
            Self::MambaDense => "mamba-dense",
            Self::MambaMoe => "mamba-moe",
            Self::DeltaDense => "delta-dense",
            Self::DeltaMoe => "delta-moe",
            Self::WindowDense => "window-dense",
            Self::WindowMoe => "window-moe",
            Self::Window => "window",
        }
    }

    /// Its letters in a pattern.
    fn pattern_letters(self) -> impl Iterator<Item = char> {
        let mixer = self.mixer().map(|this_mixer| find_letter(MIXERS, this_mixer));
        mixer.into_iter().chain(self.network().map(|forward| find_letter(NETWORKS, forward)))
    }

    /// The layer of a mixer, a network, or both, attention to all tokens. Which of a model's layers
    /// have a window is said beside its pattern.
    fn from_blocks(mixer: Option<Mixer>, network: Option<FeedForward>) -> Option<Self> {
        let is = |layer: &Self| {
            layer.mixer() == mixer && layer.network() == network && !layer.has_window()
        };
        Self::ALL.into_iter().find(is)
    }
}

/// Letters as Megatron-Core writes them.
const MIXERS: &[(char, Mixer)] =
    &[('*', Mixer::Attention), ('M', Mixer::Mamba), ('G', Mixer::Delta)];
const NETWORKS: &[(char, FeedForward)] = &[('-', FeedForward::Dense), ('E', FeedForward::Experts)];

fn find_letter<T: PartialEq>(letters: &[(char, T)], item: T) -> char {
    letters.iter().find(|(_, known)| *known == item).map_or('?', |(letter, _)| *letter)
}

/// The kinds of a model's layers, bottom to top; repeated until all layers have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    layers: Vec<Layer>, // Invariant: at least one.
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternProblem {
    /// There is no layer in it.
    Empty,
    /// A letter that stands for nothing.
    Letter(char),
    /// Letters between spaces that are no layer: a layer is a mixer, a network, or a mixer before a
    /// network.
    Layer(String),
}

impl Pattern {
    /// The pattern of a text: a letter for each layer, or words between spaces, each the one or two
    /// letters of a layer.
    ///
    /// # Errors
    /// The first letter or word that stands for no layer.
    pub fn parse(text: &str) -> Result<Self, PatternProblem> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let layers = match words[..] {
            [] => return Err(PatternProblem::Empty),
            [one] => one.chars().map(|letter| parse_layer(&letter.to_string())).collect(),
            _ => words.into_iter().map(parse_layer).collect::<Result<Vec<_>, _>>(),
        }?;
        Ok(Self { layers })
    }

    /// Layers until it repeats.
    #[must_use]
    pub fn period(&self) -> u32 {
        u32::try_from(self.layers.len()).unwrap_or(u32::MAX)
    }

    /// The kind of a layer, from 0.
    #[must_use]
    pub fn layer_kind(&self, index: u32) -> Layer {
        self.layers[index as usize % self.layers.len()]
    }

    /// True where some layer has that.
    #[must_use]
    pub fn has_layer(&self, is: impl Fn(Layer) -> bool) -> bool {
        self.layers.iter().any(|layer| is(*layer))
    }
}

fn parse_layer(word: &str) -> Result<Layer, PatternProblem> {
    let (mut mixer, mut network) = (None, None);
    for letter in word.chars() {
        let none = || PatternProblem::Layer(word.to_owned());
        if let Some((_, this_mixer)) = MIXERS.iter().find(|(known, _)| *known == letter) {
            if mixer.replace(*this_mixer).is_some() || network.is_some() {
                return Err(none());
            }
        } else if let Some((_, forward)) = NETWORKS.iter().find(|(known, _)| *known == letter) {
            if network.replace(*forward).is_some() {
                return Err(none());
            }
        } else {
            return Err(PatternProblem::Letter(letter));
        }
    }
    Layer::from_blocks(mixer, network).ok_or(PatternProblem::Empty)
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let single = self.layers.iter().all(|layer| layer.residual_blocks() == 1);
        for (index, layer) in self.layers.iter().enumerate() {
            if index > 0 && !single {
                f.write_str(" ")?;
            }
            layer.pattern_letters().try_for_each(|letter| write!(f, "{letter}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for PatternProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a pattern names at least one layer"),
            Self::Letter(letter) => write!(f, "`{letter}` stands for no kind of layer"),
            Self::Layer(word) => write!(f, "`{word}` is no layer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Layer, Pattern, PatternProblem};

    #[track_caller]
    fn parsed(text: &str) -> Vec<Layer> {
        let pattern = Pattern::parse(text).expect(text);
        assert_eq!(Pattern::parse(&pattern.to_string()), Ok(pattern.clone()), "{text}");
        (0..pattern.period()).map(|index| pattern.layer_kind(index)).collect()
    }

    #[test]
    fn a_letter_or_a_word_is_a_layer() {
        use Layer::{Attention, DeltaMoe, Experts, FeedForward, Mamba, Moe};
        assert_eq!(parsed("M-*E"), [Mamba, FeedForward, Attention, Experts]);
        assert_eq!(parsed("GE GE *E"), [DeltaMoe, DeltaMoe, Moe]);
        assert_eq!(parsed(" M "), [Mamba]);
    }

    #[test]
    fn what_stands_for_no_layer_is_refused() {
        let case = |text, problem| assert_eq!(Pattern::parse(text), Err(problem), "{text}");
        case("", PatternProblem::Empty);
        case("MX", PatternProblem::Letter('X'));
        case("M- -M", PatternProblem::Layer("-M".into()));
        case("MM- M", PatternProblem::Layer("MM-".into()));
    }
}
