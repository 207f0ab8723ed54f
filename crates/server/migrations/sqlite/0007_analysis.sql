-- Games that are to be analysed, and what was found (see jobs/).
CREATE TABLE analysis_jobs (
    game_id TEXT PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    -- queued, running, done or failed
    state TEXT NOT NULL,
    -- Who asked: user.NAME or session.ID
    requester TEXT NOT NULL,
    requested_at BIGINT NOT NULL,
    -- How far a position is searched.
    nodes BIGINT NOT NULL,
    -- Whoever works on it, and until when it is that worker's alone.
    claimed_by TEXT,
    lease_until BIGINT,
    -- How often it was taken on. Whoever takes it on names the number that was seen.
    attempts BIGINT NOT NULL DEFAULT 0,
    -- Positions that are done, of so many.
    done BIGINT NOT NULL DEFAULT 0,
    total BIGINT NOT NULL,
    error TEXT,
    engine TEXT,
    finished_at BIGINT
);
CREATE INDEX analysis_jobs_open ON analysis_jobs (state, requested_at) WHERE state IN ('queued', 'running');
CREATE INDEX analysis_jobs_requester ON analysis_jobs (requester, requested_at);

-- What a position of a game is worth, from White's view.
CREATE TABLE analysis_plies (
    game_id TEXT NOT NULL REFERENCES analysis_jobs (game_id) ON DELETE CASCADE,
    -- How many plies were played before it.
    ply BIGINT NOT NULL,
    -- One of the two: hundredths of a pawn, or moves to mate.
    cp BIGINT,
    mate BIGINT,
    -- What is best there, and how it goes on, in UCI form with spaces between; empty where the game is over.
    line TEXT NOT NULL,
    PRIMARY KEY (game_id, ply)
) WITHOUT ROWID;
