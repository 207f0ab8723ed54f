//! What the store promises, on every database.

use std::sync::Arc;

use crate::common::Database;
use sqlx::{Connection, Executor, Row};
use warpchess_server::store::sessions::{self, Session};
use warpchess_server::store::{Store, StoreError};

fn session(id: &str) -> Session {
    Session { id: id.into(), user: None, created_at: 1, seen_at: 2 }
}

async fn insert(store: &Store, id: &str) -> Result<(), StoreError> {
    let session = session(id);
    store
        .write(move |db| Box::pin(async move { sessions::insert(db, &session, &format!("hash {}", session.id)).await }))
        .await
}

async fn count(store: &Store) -> i64 {
    let mut db = store.read().await.unwrap();
    sqlx::query("SELECT COUNT(*) FROM sessions").fetch_one(&mut *db).await.unwrap().get(0)
}

#[tokio::test]
async fn what_was_written_is_there_after_opening_again() {
    for database in Database::all().await {
        let store = database.open().await;
        insert(&store, "a").await.unwrap();
        store.close().await;
        let store = database.open().await;
        let mut db = store.read().await.unwrap();
        let found = sessions::by_token_hash(&mut db, "hash a").await.unwrap();
        assert_eq!(found, Some(session("a")), "{}", database.name);
        assert_eq!(sessions::by_token_hash(&mut db, "hash b").await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_failed_job_leaves_nothing_and_spoils_no_other() {
    for database in Database::all().await {
        let store = database.open().await;
        insert(&store, "taken").await.unwrap();
        let failing = store.write(|db| {
            Box::pin(async move {
                sessions::insert(db, &session("half"), "hash half").await?;
                sessions::insert(db, &session("taken"), "another").await
            })
        });
        let (failed, one, two) = tokio::join!(failing, insert(&store, "one"), insert(&store, "two"));
        assert!(failed.unwrap_err().is_unique_violation(), "{}", database.name);
        one.unwrap();
        two.unwrap();
        assert_eq!(count(&store).await, 3, "{}", database.name);
    }
}

#[tokio::test]
async fn a_job_that_panics_is_an_error_and_others_go_on() {
    for database in Database::all().await {
        let store = database.open().await;
        let panicking = store.write(|_| Box::pin(async move { panic!("on purpose") }));
        let failed: Result<(), StoreError> = panicking.await;
        failed.unwrap_err();
        insert(&store, "after").await.unwrap();
        assert_eq!(count(&store).await, 1, "{}", database.name);
    }
}

#[tokio::test]
async fn a_job_is_done_although_its_asker_went_away() {
    for database in Database::all().await {
        let store = database.open().await;
        let (began, has_begun) = tokio::sync::oneshot::channel();
        let (go, may_go) = tokio::sync::oneshot::channel();
        let asker = tokio::spawn({
            let store = store.clone();
            async move {
                let job = store.write(|db| {
                    Box::pin(async move {
                        began.send(()).unwrap();
                        let _ = may_go.await;
                        sessions::insert(db, &session("a"), "hash a").await
                    })
                });
                job.await
            }
        });
        has_begun.await.unwrap();
        asker.abort();
        let _ = asker.await;
        go.send(()).unwrap();
        while count(&store).await == 0 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

#[tokio::test]
async fn many_write_at_once() {
    for database in Database::all().await {
        let store = Arc::new(database.open().await);
        let writes = (0..500).map(|i| {
            let store = store.clone();
            tokio::spawn(async move { insert(&store, &format!("s{i}")).await })
        });
        for write in writes.collect::<Vec<_>>() {
            write.await.unwrap().unwrap();
        }
        assert_eq!(count(&store).await, 500, "{}", database.name);
    }
}

#[tokio::test]
async fn two_may_bring_the_same_database_up_to_date_at_once() {
    for database in Database::all().await {
        let opened = futures_util::future::join_all((0..4).map(|_| Store::open(&database.url))).await;
        for store in opened {
            assert_eq!(count(&store.unwrap()).await, 0, "{}", database.name);
        }
    }
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused() {
    for database in Database::all().await {
        let store = database.open().await;
        let job = store.write(|db| {
            Box::pin(async move {
                db.execute("INSERT INTO migrations (name) VALUES ('9999_future')").await.map_err(StoreError::from)
            })
        });
        job.await.unwrap();
        let error = Store::open(&database.url).await.unwrap_err();
        assert!(matches!(&error, StoreError::Newer(step) if step == "9999_future"), "{error}");
    }
}

#[tokio::test]
async fn a_database_that_cannot_be_had_is_an_error_that_says_which() {
    let error = Store::open("mysql://me:secret@host/x").await.unwrap_err().to_string();
    assert!(error.contains("mysql://me@host/x") && error.contains("sqlite:FILE"), "{error}");
    let error = Store::open("sqlite:/no/such/folder/x.db").await.unwrap_err().to_string();
    assert!(error.contains("/no/such/folder/x.db") && !error.contains('\n'), "{error}");
}

#[tokio::test]
async fn a_transaction_is_on_the_disk_before_it_is_acknowledged() {
    // What makes it so in SQLite: a full synchronisation of every transaction.
    let database = Database::sqlite();
    let store = database.open().await;
    let level: Result<i64, StoreError> = store
        .write(|db| {
            Box::pin(async move {
                Ok(sqlx::query("PRAGMA synchronous").fetch_one(db).await.map_err(StoreError::from)?.get(0))
            })
        })
        .await;
    assert_eq!(level.unwrap(), 2);
    // And another program sees it.
    insert(&store, "a").await.unwrap();
    let mut other = sqlx::SqliteConnection::connect(&database.url).await.unwrap();
    let row = other.fetch_one("SELECT COUNT(*) FROM sessions").await.unwrap();
    assert_eq!(row.get::<i64, _>(0), 1);
}
