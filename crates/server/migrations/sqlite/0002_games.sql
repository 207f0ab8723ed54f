-- Games, what happened in them, and what was said.
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    variant TEXT NOT NULL,
    -- The rules by which it was begun: replayed by others its moves may not be legal.
    rules_version BIGINT NOT NULL,
    -- NULL for the game's own beginning.
    initial_fen TEXT,
    -- In UCI form, with spaces between.
    moves TEXT NOT NULL DEFAULT '',
    ply BIGINT NOT NULL DEFAULT 0,
    -- Number of the last event. Whoever changes the row names the version that was seen.
    version BIGINT NOT NULL DEFAULT 0,
    -- The clocks after each ply, in milliseconds, with spaces between; empty without clocks.
    clocks TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL,
    winner TEXT,
    reason TEXT,
    rated BIGINT NOT NULL DEFAULT 0,
    speed TEXT NOT NULL,
    -- At most one pair is set: live or correspondence.
    limit_ms BIGINT,
    increment_ms BIGINT,
    days BIGINT,
    white_user TEXT,
    white_session TEXT,
    white_level BIGINT,
    white_name TEXT NOT NULL,
    white_rating BIGINT,
    white_provisional BIGINT NOT NULL DEFAULT 0,
    white_rating_diff BIGINT,
    white_ms BIGINT,
    white_lag_ms BIGINT NOT NULL DEFAULT 0,
    black_user TEXT,
    black_session TEXT,
    black_level BIGINT,
    black_name TEXT NOT NULL,
    black_rating BIGINT,
    black_provisional BIGINT NOT NULL DEFAULT 0,
    black_rating_diff BIGINT,
    black_ms BIGINT,
    black_lag_ms BIGINT NOT NULL DEFAULT 0,
    -- When the side to move began to think, and when its time is over; NULL while no clock runs.
    turn_started_at BIGINT,
    deadline_at BIGINT,
    -- Set while the computer is to move: until then somebody computes its move.
    engine_due_at BIGINT,
    -- Who offers; NULL for nobody.
    draw_offer TEXT,
    takeback_offer TEXT,
    rematch_offer TEXT,
    rematch_id TEXT,
    rematch_of TEXT,
    created_at BIGINT NOT NULL,
    last_move_at BIGINT,
    ended_at BIGINT
);
CREATE INDEX games_deadline ON games (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX games_engine ON games (engine_due_at) WHERE engine_due_at IS NOT NULL;
CREATE INDEX games_white_user ON games (white_user, created_at) WHERE white_user IS NOT NULL;
CREATE INDEX games_black_user ON games (black_user, created_at) WHERE black_user IS NOT NULL;
CREATE INDEX games_white_session ON games (white_session, created_at) WHERE white_session IS NOT NULL;
CREATE INDEX games_black_session ON games (black_session, created_at) WHERE black_session IS NOT NULL;

-- One row a change of a game, numbered without gaps: what a client that was away has missed.
CREATE TABLE game_events (
    game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    -- The client's own name for its move, after the letter of its color: a move that comes again is known by it.
    move_id TEXT,
    at BIGINT NOT NULL,
    PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;

CREATE TABLE chat (
    game_id TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    -- players or spectators
    room TEXT NOT NULL,
    author TEXT NOT NULL,
    author_user TEXT,
    -- white or black for a player
    color TEXT,
    text TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game_id, seq)
) WITHOUT ROWID;

CREATE TABLE challenges (
    id TEXT PRIMARY KEY,
    -- open (in the lobby), link (for who has the link) or user (for one account)
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    variant TEXT NOT NULL,
    initial_fen TEXT,
    limit_ms BIGINT,
    increment_ms BIGINT,
    days BIGINT,
    -- The creator's color: white, black or random
    color TEXT NOT NULL,
    rated BIGINT NOT NULL,
    min_rating BIGINT,
    max_rating BIGINT,
    creator_user TEXT,
    creator_session TEXT,
    creator_name TEXT NOT NULL,
    creator_rating BIGINT,
    creator_provisional BIGINT NOT NULL DEFAULT 0,
    target_user TEXT,
    decline_reason TEXT,
    game_id TEXT REFERENCES games (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX challenges_status ON challenges (status, expires_at);
CREATE INDEX challenges_target ON challenges (target_user, status) WHERE target_user IS NOT NULL;
