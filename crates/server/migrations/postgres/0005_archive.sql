-- The archive: how games began, and games that were taken in for study.
-- The first characters of the moves, of games that have ended and began as usual: what lines are looked for by.
-- Compared byte by byte, whatever the language of the database.
ALTER TABLE games ADD COLUMN opening TEXT COLLATE "C";
-- 1 for games that were not played here.
ALTER TABLE games ADD COLUMN imported BIGINT NOT NULL DEFAULT 0;
-- Their players' names in lower case.
ALTER TABLE games ADD COLUMN white_key TEXT;
ALTER TABLE games ADD COLUMN black_key TEXT;
UPDATE games SET opening = substr(moves, 1, 60) WHERE status = 'ended' AND initial_fen IS NULL;
CREATE INDEX games_created ON games (created_at, id);
CREATE INDEX games_variant ON games (variant, created_at, id);
CREATE INDEX games_opening ON games (variant, opening) WHERE opening IS NOT NULL;
CREATE INDEX games_white_key ON games (white_key, created_at) WHERE white_key IS NOT NULL;
CREATE INDEX games_black_key ON games (black_key, created_at) WHERE black_key IS NOT NULL;

CREATE TABLE imports (
    game_id TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    -- Who took it in; NULL once the account is gone.
    importer_user TEXT,
    importer_session TEXT,
    imported_at BIGINT NOT NULL,
    -- With its tags, comments and variations, as this program writes them.
    pgn TEXT NOT NULL
);
CREATE INDEX imports_user ON imports (importer_user, imported_at) WHERE importer_user IS NOT NULL;
CREATE INDEX imports_session ON imports (importer_session, imported_at) WHERE importer_session IS NOT NULL;
