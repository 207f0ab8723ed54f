//! The router on a port.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::{App, Config, StartError, connections, router};

/// How long requests under way may take to end once the server was asked to stop.
const GRACE: Duration = Duration::from_secs(10);

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error("cannot listen on {0}: another program does; choose another port with --port N or PORT=N")]
    Taken(SocketAddr),
    /// The port is one that only a privileged program may use.
    #[error(
        "cannot listen on {0}: that takes a permission this program has not; choose a port above 1023 with --port N or PORT=N"
    )]
    Forbidden(SocketAddr),
    /// The address is none of this machine's, or the like.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The database, or what else the server needs, cannot be had.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The server ran, and then could not.
    #[error("the server failed: {0}")]
    Failed(#[from] io::Error),
}

impl ServeError {
    fn listen(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(address),
            io::ErrorKind::PermissionDenied => ServeError::Forbidden(address),
            _ => ServeError::Listen { address, source },
        }
    }
}

/// Serves on `address` until `stop` is done, then lets requests under way end, for ten seconds at most.
///
/// `ready` is called once with the address in use, when connections are accepted; with port 0 the system chose one.
///
/// # Errors
/// [`ServeError`] when the address cannot be had, or when the server fails later.
pub async fn serve(
    address: SocketAddr,
    config: Config,
    ready: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let listener = TcpListener::bind(address).await.map_err(|source| ServeError::listen(address, source))?;
    let app = App::start(config).await?;
    ready(listener.local_addr()?);
    let (stopping, stopped) = oneshot::channel();
    let asked = app.clone();
    let server = connections::serve(listener, router(app.clone()), app.config().limits.clone(), async move {
        stop.await;
        // Streams that would go on forever end, and requests under way are answered.
        asked.begin_to_stop();
        let _ = stopping.send(());
    });
    let overdue = async {
        if stopped.await.is_ok() {
            tokio::time::sleep(GRACE).await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = server => {}
        () = overdue => tracing::warn!("stopped with requests still under way"),
    }
    app.stop().await;
    Ok(())
}

/// Done when the process is asked to stop: by Ctrl-C, or by the signal that service managers send.
pub async fn shutdown_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
