import { bodyDigest, sameBytes } from '../body-digest.ts';
import type { AcceptOutcome, IncomingEvent } from '../store.ts';
import type { Database } from './driver.ts';
import { bytesOrNull } from './rows.ts';

/** The one insertion that decides who was first, over all processes on the file. */
export function acceptEvent(database: Database): (event: IncomingEvent) => AcceptOutcome {
  const insert = database.prepare(
    `INSERT INTO hookproof_events (id, signed_at, received_at, due_at, body)
     VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const known = database.prepare('SELECT body, digest FROM hookproof_events WHERE id = ?');

  return ({ id, body, timestamp, receivedAt }) => {
    const { changes } = insert.run(id, timestamp, receivedAt, receivedAt, body);
    if (Number(changes) === 1) return 'new';
    const row = known.get(id) ?? {};
    const knownBody = bytesOrNull(row, 'body');
    const digest = bytesOrNull(row, 'digest');
    if (knownBody !== null) return sameBytes(knownBody, body) ? 'duplicate' : 'conflict';
    return digest !== null && sameBytes(digest, bodyDigest(body)) ? 'duplicate' : 'conflict';
  };
}
