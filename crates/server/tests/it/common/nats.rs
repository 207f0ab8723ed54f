//! A real NATS server with JetStream.

use std::ffi::OsString;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::service::{Service, program};

pub(crate) struct Nats(Service);

impl Nats {
    /// A new one; `None` where it is not installed.
    pub(crate) fn start() -> Option<Self> {
        let program = program("nats-server", vec!["/usr/sbin".into(), "/usr/local/bin".into()], "nats-server")?;
        let service = Service::new("nats", "KILL", |folder, port| {
            let line = ["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"].map(OsString::from);
            [program.into_os_string()].into_iter().chain(line).chain([folder.join("data").into_os_string()]).collect()
        });
        let mut nats = Self(service);
        nats.resume();
        Some(nats)
    }

    /// The URL of a bus that nobody else is on.
    pub(crate) fn bus(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        format!("nats://127.0.0.1:{}/test{}", self.0.port, NUMBER.fetch_add(1, Ordering::Relaxed))
    }

    /// Ends it as if it had crashed.
    #[allow(dead_code)] // Not all test programs do.
    pub(crate) fn stop(&mut self) {
        self.0.stop();
    }

    /// Starts it, and waits until it answers.
    pub(crate) fn resume(&mut self) {
        self.0.start();
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.0.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(60), "NATS does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
