//! A challenge, as clients are told.

use serde_json::{Value, json};

use super::{add, perf_form, time_control, title, variant_form, variant_key};
use crate::games::challenges::Challenge;
use crate::games::{Speed, players};
use crate::store::{Db, StoreError, accounts};
use crate::{App, perf};

/// Reasons to decline: what clients send, and the sentence for the challenger.
pub(crate) const REASONS: [(&str, &str); 11] = [
    ("generic", "I'm not accepting challenges at the moment."),
    ("later", "This is not the right time for me, please ask again later."),
    ("tooFast", "This time control is too fast for me, please challenge again with a slower game."),
    ("tooSlow", "This time control is too slow for me, please challenge again with a faster game."),
    ("timeControl", "I'm not accepting challenges with this time control."),
    ("rated", "Please send me a rated challenge instead."),
    ("casual", "Please send me a casual challenge instead."),
    ("standard", "I'm not accepting variant challenges right now."),
    ("variant", "I'm not willing to play this variant right now."),
    ("noBot", "I'm not accepting challenges from bots."),
    ("onlyBot", "I'm only accepting challenges from bots."),
];

/// A challenge as `user` sees it.
pub(crate) async fn form(app: &App, db: &mut Db, it: &Challenge, user: Option<&str>) -> Result<Value, StoreError> {
    let variant = it.variant.parse().unwrap_or_default();
    let speed: Speed = it.control.speed();
    let by = match &it.by.user {
        Some(id) => {
            let mut by = json!({ "id": id, "name": it.by.name, "title": title(db, Some(id)).await? });
            add(&mut by, "rating", it.by.rating);
            if it.by.provisional {
                by["provisional"] = json!(true);
            }
            by
        }
        None => Value::Null,
    };
    let to = match &it.to {
        Some(id) => match accounts::by_id(db, id).await? {
            Some(account) => {
                let shown = players::current(db, id, it.variant, speed, app.now()).await?;
                let mut to = json!({ "id": id, "name": account.name, "title": account.bot.then_some("BOT") });
                to["rating"] = json!(shown.rating);
                if shown.provisional {
                    to["provisional"] = json!(true);
                }
                to
            }
            None => Value::Null,
        },
        None => Value::Null,
    };
    let status = match it.status {
        "open" => "created",
        "expired" => "canceled",
        status => status,
    };
    let mut perf_form = perf_form(variant, speed);
    perf_form["icon"] = json!("");
    perf_form["key"] = json!(perf::Perf { variant, speed }.to_string());
    let mut form = json!({
        "id": it.id,
        "url": app.url(&format!("/challenge/{}", it.id)),
        "status": status,
        "challenger": by,
        "destUser": to,
        "variant": variant_form(variant),
        "rated": it.rated,
        "speed": it.speed,
        "timeControl": time_control(it.control),
        "color": it.color,
        "perf": perf_form,
    });
    if it.color != "random" {
        form["finalColor"] = json!(it.color);
    }
    if let Some(user) = user {
        let own = it.by.user.as_deref() == Some(user);
        form["direction"] = json!(if own { "out" } else { "in" });
    }
    add(&mut form, "initialFen", it.fen.as_deref());
    if it.status == "declined" {
        let key = it.reason.as_deref().unwrap_or("generic");
        let sentence = REASONS.iter().find(|(known, _)| *known == key).map_or(key, |(_, sentence)| sentence);
        form["declineReasonKey"] = json!(key);
        form["declineReason"] = json!(sentence);
    }
    debug_assert_eq!(form["variant"]["key"], variant_key(variant));
    Ok(form)
}
