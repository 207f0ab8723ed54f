//! `warpchess admin`.

use std::future::Future;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use warpchess_server::admin::{Admin as Database, AdminError};
use warpchess_server::auth::{Password, Scopes};

use crate::failure::Failure;

/// Look after a server's accounts and its database
#[derive(Args)]
pub(crate) struct Admin {
    /// The database: sqlite:FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", env = "WARPCHESS_DATABASE", default_value = "sqlite:warpchess.db", global = true)]
    database: String,

    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make an account
    CreateUser {
        /// 2 to 20 letters, digits, '_' and '-'
        name: String,
        /// A program plays
        #[arg(long)]
        bot: bool,
        /// Read the password from the first line of standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Make an API token for an account, and print it: it cannot be seen again
    CreateToken {
        /// The account
        name: String,
        /// What it may be used for, with commas between: board:play, bot:play, challenge:read, challenge:write,
        /// preference:read, account:manage
        #[arg(long)]
        scopes: Scopes,
        /// What the owner calls it
        #[arg(long, default_value = "made by admin create-token")]
        description: String,
    },
    /// Give an account another password; its sessions end
    ResetPassword {
        /// The account
        name: String,
        /// Read the password from the first line of standard input
        #[arg(long, required = true)]
        password_stdin: bool,
    },
    /// Shut an account out; its sessions and tokens end
    Ban {
        /// The account
        name: String,
    },
    /// Let an account in again that was shut out
    Unban {
        /// The account
        name: String,
    },
    /// Count all games anew for the opening explorer, while the server may run
    RebuildExplorer,
    /// Write a copy of an SQLite database into a new file, while the server may run
    Backup {
        /// The file
        file: PathBuf,
    },
}

impl Admin {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::failed(format!("cannot start: {error}")))?;
        let Self { database, task } = self;
        // What stands on standard input is asked for before anything is opened.
        let password = match &task {
            Task::CreateUser { .. } | Task::ResetPassword { .. } => Some(password()?),
            _ => None,
        };
        runtime.block_on(async {
            // Only the first account may come before the database: the backup of one just made would be empty, and look well.
            let database = match task {
                Task::CreateUser { .. } => told(Database::open(&database)).await?,
                _ => told(Database::open_existing(&database)).await?,
            };
            let done = task.run(&database, password).await;
            database.close().await;
            done
        })
    }
}

impl Task {
    async fn run(self, database: &Database, password: Option<Password>) -> Result<(), Failure> {
        let password = || password.ok_or_else(|| Failure::bad_input("a password is expected on standard input"));
        match self {
            Self::CreateUser { name, bot, .. } => {
                let id = told(database.create_user(&name, password()?, bot)).await?;
                eprintln!("made the account {id}");
                Ok(())
            }
            Self::CreateToken { name, scopes, description } => {
                let token = told(database.create_token(&name, scopes, &description)).await?;
                writeln!(stdout(), "{token}").map_err(|error| Failure::failed(format!("cannot print it: {error}")))
            }
            Self::ResetPassword { name, .. } => told(database.reset_password(&name, password()?)).await,
            Self::Ban { name } => told(database.ban(&name, true)).await,
            Self::Unban { name } => told(database.ban(&name, false)).await,
            Self::RebuildExplorer => {
                let games = told(database.rebuild_explorer()).await?;
                eprintln!("counted {games} games");
                Ok(())
            }
            Self::Backup { file } => told(database.backup(&file)).await,
        }
    }
}

async fn told<T>(work: impl Future<Output = Result<T, AdminError>>) -> Result<T, Failure> {
    work.await.map_err(|error| match error {
        AdminError::Refused(_) | AdminError::NoAccount(_) => Failure::bad_input(error),
        _ => Failure::failed(error),
    })
}

fn password() -> Result<Password, Failure> {
    let mut line = String::new();
    // A line is enough: nobody's password is a megabyte.
    let mut input = std::io::Read::take(stdin().lock(), 4096);
    input.read_line(&mut line).map_err(|error| Failure::failed(format!("cannot read the password: {error}")))?;
    Ok(Password::from(line.trim_end_matches(['\r', '\n']).to_owned()))
}
