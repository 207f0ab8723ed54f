//! Texts of others, as they may be shown: in chats, as names, in exported files.

/// A text without what cannot be seen: controls and invisible characters are spaces, and of several spaces one is left.
pub(crate) fn visible(text: &str) -> String {
    let seen: String = text.chars().map(|c| if c.is_control() || is_invisible(c) { ' ' } else { c }).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters that show nothing, or turn the text around them: of Unicode those with the property
/// Default_Ignorable_Code_Point or Bidi_Control, but for the variation selectors, which belong to the character before; and
/// the separators of lines.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_or_turns_the_text_is_taken_out() {
        for hidden in
            ['\u{202e}', '\u{2066}', '\u{61c}', '\u{200b}', '\u{feff}', '\u{e0041}', '\u{2028}', '\u{7}', '\u{3164}']
        {
            assert_eq!(visible(&format!("a{hidden}b")), "a b", "{hidden:?}");
            assert_eq!(visible(&hidden.to_string()), "", "{hidden:?}");
        }
        for shown in ["¡Qué partida! Ничья?", "שחמט", "国际象棋", "♞\u{fe0f}"] {
            assert_eq!(visible(shown), shown);
        }
    }
}
