-- Accounts. The id is the name in lower case; the skeleton is the name without what is easily confused (see names.rs).
CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    skeleton TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    bot BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    seen_at BIGINT NOT NULL,
    banned_at BIGINT
);

-- Names of accounts that were deleted, which nobody gets again: the hash of the skeleton, which names nobody.
CREATE TABLE retired_names (
    skeleton_hash TEXT PRIMARY KEY
);

-- API tokens. The token itself is not kept, only its SHA-256 hash.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    token_hash TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    description TEXT NOT NULL,
    -- With commas between.
    scopes TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at BIGINT,
    -- NULL for never.
    expires_at BIGINT
);
CREATE INDEX tokens_user ON tokens (user_id);

-- How strong an account is in a game at a speed (see rating.rs).
CREATE TABLE ratings (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    speed TEXT NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    volatility DOUBLE PRECISION NOT NULL,
    wins BIGINT NOT NULL DEFAULT 0,
    draws BIGINT NOT NULL DEFAULT 0,
    losses BIGINT NOT NULL DEFAULT 0,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, variant, speed)
);
CREATE INDEX ratings_top ON ratings (variant, speed, rating);

-- What each rated game did to a rating: a game is rated once.
CREATE TABLE rating_changes (
    game_id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    variant TEXT NOT NULL,
    speed TEXT NOT NULL,
    before_rating DOUBLE PRECISION NOT NULL,
    rating DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game_id, user_id)
);
CREATE INDEX rating_changes_user ON rating_changes (user_id, variant, speed, at);
