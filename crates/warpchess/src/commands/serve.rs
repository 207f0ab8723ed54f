//! `warpchess serve`.

use std::io::{Write, stdout};
use std::net::{IpAddr, SocketAddr};

use clap::Args;
use tracing_subscriber::EnvFilter;
use warpchess_server::{Config, shutdown_signal};

use crate::failure::Failure;

/// Serve the games in the browser
#[derive(Args)]
pub(crate) struct Serve {
    /// The address to listen on; 0.0.0.0 for every address of this machine
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,

    /// The port to listen on; 0 for any that is free
    #[arg(long, value_name = "N", env = "PORT", default_value_t = 8080)]
    port: u16,
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();

        let address = SocketAddr::new(self.listen, self.port);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::failed(format!("cannot start threads: {error}")))?;
        runtime
            .block_on(warpchess_server::serve(address, Config::default(), announce, shutdown_signal()))
            .map_err(Failure::failed)
    }
}

/// Prints the address, for people and for scripts that chose port 0.
fn announce(address: SocketAddr) {
    // Standard output may be closed: that is no reason not to serve.
    let _ = writeln!(stdout(), "Warpchess is at http://{address} (Ctrl-C stops it)");
    let _ = stdout().flush();
}
