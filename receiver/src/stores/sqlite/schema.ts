/**
 * `seq` as the row id keeps insertions at the end of the table; the body lies out of the way of the
 * unique index. The partial indexes hold only rows that can be work, so that accepting stays cheap.
 */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS hookproof_events (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    signed_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    starts INTEGER NOT NULL DEFAULT 0,
    run_id TEXT,
    previous_status TEXT,
    current_status TEXT,
    created_at TEXT,
    reason TEXT,
    error TEXT,
    digest BLOB,
    body BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS hookproof_due ON hookproof_events (due_at, seq) WHERE state = 'open';
  CREATE INDEX IF NOT EXISTS hookproof_run ON hookproof_events (run_id, seq) WHERE run_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS hookproof_dead ON hookproof_events (seq) WHERE state = 'dead';
  CREATE INDEX IF NOT EXISTS hookproof_settled ON hookproof_events (received_at)
    WHERE state = 'settled';
  CREATE TABLE IF NOT EXISTS hookproof_leases (
    work TEXT PRIMARY KEY,
    token INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS hookproof_settled_runs (run_id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS hookproof_fence (last_token INTEGER NOT NULL) STRICT;
  INSERT INTO hookproof_fence SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM hookproof_fence);
`;
