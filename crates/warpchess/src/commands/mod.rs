//! One module a command: its arguments, and what it does with them.

pub(crate) mod serve;
