import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { compiledProgram } from '../compiled-program.ts';

const LOADED_AHEAD = compiledProgram(new URL('programs/loaded-ahead.ts', import.meta.url));

test.skipIf(process.platform === 'win32')(
  'a server without file descriptors serves what was not called before',
  async () => {
    const command = `ulimit -n 400; exec node ${LOADED_AHEAD}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', command], { timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({ first: 200, refusal: 'EMFILE', later: [200, 201, 200] });
  },
);
