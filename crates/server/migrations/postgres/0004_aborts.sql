-- Who called games off lately: somebody who does it again and again has to wait.
CREATE TABLE aborts (
    -- The game.
    game_id TEXT PRIMARY KEY,
    -- An account or a session, as the bus names them: user.NAME or session.ID.
    player TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX aborts_player ON aborts (player, at);
