//! Names beside points, where there is room: none over a point, over another name or over an edge.
//! A name that finds no room is left out; the words of the picture have it.

use super::{Ink, LabelAnchor, Mark};

/// Units that a letter takes at most, on average, and that a line of letters is high.
pub(super) const LETTER: f64 = 8.5;
const LETTER_HEIGHT: f64 = 14.0;
/// Units between a point's middle and its name, to the side and to the base line.
const ASIDE: f64 = 8.0;
const ABOVE: f64 = 7.0;
/// Units below the base line that letters take, and that are kept free beside a name.
const BELOW: f64 = 4.0;
const APART: f64 = 6.0;
/// Units from the middle of a point that are its own.
const OWN: f64 = 5.5;
/// Most letters of a name; longer ones are sentences.
const MOST: usize = 24;

/// A part of the picture that is taken.
#[derive(Clone, Copy)]
struct Room {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Room {
    const fn has_overlap_with(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// The names as marks, each to the right of its point and above it, else below, else to the left.
/// Names lie between `edges`, and over no text that is among `drawn`.
pub(super) fn place_labels<'a>(
    dots: &[(f64, f64)],
    drawn: &[Mark],
    names: impl Iterator<Item = (&'a str, (f64, f64))>,
    edges: (f64, f64),
) -> Vec<Mark> {
    let of_dot =
        |(x, y): &(f64, f64)| Room { left: x - OWN, right: x + OWN, top: y - OWN, bottom: y + OWN };
    let mut taken: Vec<Room> = dots.iter().map(of_dot).collect();
    taken.extend(drawn.iter().filter_map(|mark| match mark {
        Mark::Text { x, y, anchor, text, .. } => Some(room_of_text(*x, *y, *anchor, text)),
        _ => None,
    }));
    let mut marks = Vec::new();
    for (name, (x, y)) in names.filter(|(name, _)| name.chars().count() <= MOST) {
        let lines = [y - ABOVE, y + ABOVE + LETTER_HEIGHT / 2.0];
        let tried = [(LabelAnchor::Start, x + ASIDE), (LabelAnchor::End, x - ASIDE)]
            .into_iter()
            .flat_map(|(anchor, at)| lines.map(|line| (anchor, at, line)));
        let free = tried.into_iter().find_map(|(anchor, at, line)| {
            let room = room_of_text(at, line, anchor, name);
            let inside = room.left >= edges.0 && room.right <= edges.1;
            (inside && !taken.iter().any(|this_room| this_room.has_overlap_with(&room)))
                .then_some((anchor, at, line, room))
        });
        let Some((anchor, at, line, room)) = free else { continue };
        taken.push(Room { left: room.left - APART, right: room.right + APART, ..room });
        let text = name.to_owned();
        marks.push(Mark::Text { x: at, y: line, anchor, strong: false, ink: Ink::Text, text });
    }
    marks
}

/// The room of a text: from its letters' feet below the base line up.
fn room_of_text(x: f64, y: f64, anchor: LabelAnchor, text: &str) -> Room {
    let wide = text.chars().count() as f64 * LETTER;
    let left = if anchor == LabelAnchor::Start { x } else { x - wide };
    Room { left, right: left + wide, top: y - LETTER_HEIGHT, bottom: y + BELOW }
}

#[cfg(test)]
mod tests {
    use super::place_labels;
    use crate::report::picture::Mark;

    /// Names that find room, with where they stand.
    fn placed(points: &[(&str, (f64, f64))]) -> Vec<(String, f64, f64)> {
        let dots: Vec<(f64, f64)> = points.iter().map(|pair| pair.1).collect();
        let text = |mark| match mark {
            Mark::Text { text, x, y, .. } => Some((text, x, y)),
            _ => None,
        };
        place_labels(&dots, &[], points.iter().copied(), (0.0, 360.0))
            .into_iter()
            .filter_map(text)
            .collect()
    }

    #[test]
    fn a_name_stands_to_the_right_and_above_unless_an_edge_is_there() {
        assert_eq!(placed(&[("8", (100.0, 100.0))]), [("8".to_owned(), 108.0, 93.0)]);
        let right = placed(&[("1024", (350.0, 100.0))]);
        assert_eq!(right, [("1024".to_owned(), 342.0, 93.0)]);
    }

    #[test]
    fn no_name_hides_a_point_or_another_name() {
        // Another point where the first name would be: it goes below.
        let crowded = placed(&[("1024", (100.0, 100.0)), ("2048", (120.0, 88.0))]);
        assert_eq!(crowded[0], ("1024".to_owned(), 108.0, 114.0));
        let many: Vec<(&str, (f64, f64))> = vec![("1024", (100.0, 100.0)); 9];
        assert_eq!(placed(&many).len(), 4, "on either side, above and below");
        assert_eq!(placed(&[("a name that is rather a sentence", (9.0, 9.0))]), []);
    }
}
