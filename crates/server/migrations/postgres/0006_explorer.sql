-- What was played in which position, counted by kinds of games (see explorer/).
CREATE TABLE explorer (
    variant TEXT NOT NULL,
    -- The first eight bytes of the SHA-256 of the game's id, a space, and the FEN without the two clocks at its end.
    position BIGINT NOT NULL,
    uci TEXT NOT NULL,
    speed TEXT NOT NULL,
    -- rated, casual, computer or import
    mode TEXT NOT NULL,
    -- The mean rating of the players is at least this; -1 for none.
    rating_group BIGINT NOT NULL,
    white BIGINT NOT NULL,
    draws BIGINT NOT NULL,
    black BIGINT NOT NULL,
    -- The sum of the mean ratings of the games that have them, and how many these are.
    rating_sum BIGINT NOT NULL,
    rating_games BIGINT NOT NULL,
    -- Ids of the last games, the latest first, with spaces between.
    recent TEXT NOT NULL,
    -- When the last of them ended.
    last_at BIGINT NOT NULL,
    PRIMARY KEY (variant, position, uci, speed, mode, rating_group)
);
-- Whether a game is among what was counted.
ALTER TABLE games ADD COLUMN counted BIGINT NOT NULL DEFAULT 0;
CREATE INDEX games_uncounted ON games (ended_at, id) WHERE counted = 0 AND status = 'ended';
