//! The engine alone, for those who want no more of the program: `engine` speaks UCI.

fn main() -> std::io::Result<()> {
    warpchess_uci::run(std::io::stdin().lock(), std::io::stdout())
}
