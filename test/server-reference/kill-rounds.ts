import { Agent, request } from 'undici';
import { expect } from 'vitest';

import { startServerProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

/** One writer of one review request: the number in its title only grows. */
interface Writer {
  readonly reviewId: string;
  sent: number;
  acknowledged: number;
}

/**
 * Kills a server repeatedly while it writes, each time after another number of responses.
 * After each restart every acknowledged write must exist, and none that was never sent.
 *
 * @returns the number of acknowledged writes
 */
export async function killRounds(folder: string, rounds: number): Promise<number> {
  let server = await startServerProcess(folder);
  const { draftReviewId, openReviewId, pausedReviewId } = server.world.fixtures;
  const writers: Writer[] = [draftReviewId, openReviewId, pausedReviewId].map((reviewId) => ({
    reviewId,
    sent: 0,
    acknowledged: 0,
  }));
  try {
    for (let round = 0; round < rounds; round += 1) {
      await writeUntilKilled(server, writers, 1 + ((round * 7) % 23));
      server = await startServerProcess(folder);
      const titles = await readTitles(server);
      for (const writer of writers) {
        const kept = Number(/^write (\d+)$/.exec(titles.get(writer.reviewId) ?? '')?.[1] ?? 0);
        expect(kept, `round ${round}: an acknowledged write is lost`).toBeGreaterThanOrEqual(
          writer.acknowledged,
        );
        expect(kept, `round ${round}: a write that was never sent`).toBeLessThanOrEqual(
          writer.sent,
        );
      }
    }
  } finally {
    await server.kill();
  }
  return writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
}

async function writeUntilKilled(
  server: ServerProcess,
  writers: readonly Writer[],
  responsesBeforeKill: number,
): Promise<void> {
  const dispatcher = new Agent();
  let responseCount = 0;
  const killings: Promise<void>[] = [];
  const write = async (writer: Writer): Promise<void> => {
    while (killings.length === 0) {
      writer.sent += 1;
      const number = writer.sent;
      try {
        const response = await request(reviewUrl(server, writer.reviewId), {
          method: 'PATCH',
          dispatcher,
          headers: {
            authorization: `Bearer ${server.world.keys.wildcard}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({ title: `write ${number}` }),
        });
        await response.body.dump();
        expect(response.statusCode).toBe(200);
      } catch (error) {
        if (killings.length === 0) throw error;
        return;
      }
      writer.acknowledged = number;
      responseCount += 1;
      if (responseCount === responsesBeforeKill) killings.push(server.kill());
    }
  };
  await Promise.all(writers.map(write));
  await Promise.all(killings);
  await dispatcher.destroy();
}

function reviewUrl({ baseUrl, world }: ServerProcess, reviewId: string): string {
  return `${baseUrl}/v1/automations/${world.fixtures.reviewAutomationId}/dataset-review-requests/${reviewId}`;
}

async function readTitles({ baseUrl, world }: ServerProcess): Promise<Map<string, string>> {
  const { statusCode, body } = await request(`${baseUrl}/v1/dataset-review-requests?limit=100`, {
    headers: { authorization: `Bearer ${world.keys.reviewer}` },
  });
  const list = (await body.json()) as { data: { id: string; title: string }[] };
  expect(statusCode).toBe(200);
  return new Map(list.data.map(({ id, title }) => [id, title]));
}
