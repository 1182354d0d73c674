import { expect } from 'vitest';

import { note } from './walk.ts';
import type { Steps } from './walk.ts';

const CORRECTED = Buffer.from('carrier;pallets\nNorthway;14\n');

export const reviewSteps: Steps = {
  async 'writes, reads and clears a review'(walk) {
    const { client } = walk;
    const path = `/runs/${note(walk, 'runId')}/reviews`;
    expect((await client.call('GET', path)).body).toEqual({ review: null });
    const sent = {
      verdict: 'incorrect',
      note: 'The count is wrong.',
      corrections: [{ kind: 'field', path: '/pallets/count', correctedValue: 14 }],
    };
    const { body } = await client.call('PUT', path, sent);
    expect(body.review).toMatchObject({ ...sent, status: 'open' });
    expect((await client.call('GET', path)).body).toEqual(body);
    const cleared = (await client.call('DELETE', path)).body;
    expect(cleared.review).toMatchObject({ corrections: [] });
    expect((await client.call('GET', path)).body).toEqual({ review: null });
  },

  async 'adds, renames, downloads and deletes a corrected file'(walk) {
    const { client } = walk;
    const path = `/runs/${note(walk, 'runId')}/reviews/expected`;
    const file = { name: 'file', filename: 'count.csv', type: 'text/csv', bytes: CORRECTED };
    const added = await client.sendForm(path, [{ name: 'name', text: 'tables/a b.csv' }, file]);
    expect(added).toMatchObject({ status: 201, body: { name: 'tables/a b.csv' } });
    const renamed = await client.call('PATCH', `${path}/${client.writePath('tables/a b.csv')}`, {
      name: 'tables/ä.csv',
    });
    expect(renamed.body).toEqual({ name: 'tables/ä.csv' });
    expect((await client.call('GET', path)).body.files).toMatchObject([{ name: 'tables/ä.csv' }]);
    const address = `${path}/${client.writePath('tables/ä.csv')}`;
    expect((await client.download(address, 'stored')).bytes.equals(CORRECTED)).toBe(true);
    expect((await client.call('DELETE', address)).status).toBe(204);
    expect((await client.call('GET', path)).body.files).toEqual([]);
  },

  async 'copies an output file to the corrected files'(walk) {
    const { client } = walk;
    const run = `/runs/${note(walk, 'runId')}`;
    const { artifacts } = (await client.call('GET', `${run}/artifacts`)).body;
    const output = artifacts.find((one: { role: string }) => one.role === 'output');
    const { status, body } = await client.call('POST', `${run}/reviews/expected`, {
      outputFileName: output.name,
    });
    expect(status).toBe(201);
    expect(body).toEqual({ name: output.name });
  },
};
