import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '@hookproof/conformance';
import { expect, test } from 'vitest';

import { emptyFolder } from '../../empty-folder.ts';
import { hookproof, serve } from '../hookproof.ts';
import { changesIn, targetArgs, UNCHANGED } from './deployment.ts';

test.each(['file/journal', '/proc/missing/journal'])(
  'a journal that cannot be written keeps every check from changing something: %s',
  async (journal) => {
    const server = await serve(['--clock', 'virtual']);
    const folder = emptyFolder();
    writeFileSync(join(folder, 'file'), '');
    const file = join(folder, 'report.json');
    const only = ['--only', 'api.review-update,sender.end'];
    const { code, stderr } = await hookproof(
      ['check', ...targetArgs(server, server.controlUrl), ...only, '--report', `json=${file}`],
      { env: { HOOKPROOF_JOURNAL: resolve(folder, journal) } },
    );
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/report\.json is written \(json report\)\.\n$/),
    });
    const report: Report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(
      report.checks.map(() => 'could-not-run'),
    );
    for (const { message } of report.checks) {
      expect(message).toContain('the journal of changes cannot be written');
    }
    expect(report.wire.writes).toBe(0);
    expect(await changesIn(server)).toEqual(UNCHANGED);
  },
);
