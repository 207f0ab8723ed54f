//! How the protocol's measures of strength are mapped to the engine's levels.

use warpchess_engine::Level;

/// What the levels are said to be worth, weakest first. An estimate: the steps are those that matches between levels show at the
/// least, the place on the scale of people is a guess.
const ELO: [i64; 8] = [600, 800, 1000, 1200, 1400, 1650, 1900, 2200];

const _: () = assert!(ELO.len() == (Level::MAX - Level::MIN + 1) as usize);

/// Range of `UCI_Elo`.
pub(crate) const ELO_RANGE: (i64, i64) = (ELO[0], ELO[7]);
/// `Skill Level` without any limit.
pub(crate) const FULL_SKILL: i64 = 20;

/// The level nearest to a rating.
pub(crate) fn level_of_elo(elo: i64) -> Option<Level> {
    Level::all().zip(ELO).min_by_key(|(_, worth)| (worth - elo).abs()).map(|(level, _)| level)
}

/// The level of a skill from 0; `None` for the full one.
pub(crate) fn level_of_skill(skill: i64) -> Option<Level> {
    let levels = i64::from(Level::MAX - Level::MIN);
    let number = i64::from(Level::MIN) + skill.max(0) * levels / (FULL_SKILL - 1);
    (skill < FULL_SKILL).then(|| u8::try_from(number).ok().and_then(|n| Level::new(n).ok())).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_scales_are_the_weakest_and_the_strongest() {
        let number = |level: Option<Level>| level.map(Level::number);
        assert_eq!(number(level_of_elo(ELO_RANGE.0)), Some(1));
        assert_eq!(number(level_of_elo(ELO_RANGE.1)), Some(8));
        assert_eq!(number(level_of_elo(1390)), Some(5));
        assert_eq!(number(level_of_skill(0)), Some(1));
        assert_eq!(number(level_of_skill(19)), Some(8));
        assert_eq!(level_of_skill(20), None);
        let numbers: Vec<_> = (0..20).map(|skill| number(level_of_skill(skill))).collect();
        assert!(numbers.is_sorted() && !numbers.contains(&None));
    }
}
