-- What has to outlive a node: time that was given, clocks that were started by hand, who was there, and who waits in the lobby.
-- Time that players gave each other, as ply, color and milliseconds (12w15000), with spaces between.
ALTER TABLE games ADD COLUMN given TEXT NOT NULL DEFAULT '';
-- 1 when the clocks run before both have moved.
ALTER TABLE games ADD COLUMN clocks_started BIGINT NOT NULL DEFAULT 0;
-- 1 once the player was connected to the game: only one who was there can have left.
ALTER TABLE games ADD COLUMN white_came BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN black_came BIGINT NOT NULL DEFAULT 0;
-- When the challenger was last seen to be connected; NULL for one who never was.
ALTER TABLE challenges ADD COLUMN seen_at BIGINT;
CREATE INDEX challenges_creator_user ON challenges (creator_user, status) WHERE creator_user IS NOT NULL;
CREATE INDEX challenges_creator_session ON challenges (creator_session, status) WHERE creator_session IS NOT NULL;
