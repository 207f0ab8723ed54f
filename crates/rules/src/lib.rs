//! Rules of chess and of variants whose pieces leave their squares in other ways.
#![forbid(unsafe_code)]
