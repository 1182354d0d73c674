import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { applyConfigFile } from '../../bin/dist/command-line/config-file.js';
import { createProgram } from '../../bin/dist/main.js';
import { emptyFolder } from './hookproof.ts';

const CONFIG_FILE = 'hookproof.config.json';

function folderWith(config: string): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, CONFIG_FILE), config);
  return folder;
}

describe('hookproof.config.json', () => {
  test('may begin with a byte order mark, as editors on Windows write it', async () => {
    const program = await createProgram({ writeOut: () => {}, writeErr: () => {} });
    const serve = program.commands.find((command) => command.name() === 'serve');
    const file = join(folderWith('\uFEFF{"serve": {"port": 4200}}'), CONFIG_FILE);
    if (serve !== undefined) applyConfigFile(serve, file);
    expect(serve?.opts()).toMatchObject({ port: 4200 });
  });

  test.each([
    ['{"serve": {"port": "x"}}', 'serve.port must be an integer from 0 to 65535, got "x".'],
    ['{"serve": {"prot": 1}}', 'unknown option "prot" in serve; expected one of port, '],
    ['{"serve": {"json": "yes"}}', 'serve.json must be true or false, got "yes".'],
    ['{"serve": {"clock": "lunar"}}', 'serve.clock must be one of real, virtual, got "lunar".'],
    ['{"serve": {"seed": {}}}', 'serve.seed must be a string or a number, got {}.'],
    ['{"serve": 7}', 'serve must be a JSON object, got 7.'],
    ['[]', 'must contain a JSON object, such as {"key": "value"}.'],
    ['{', 'must be a readable JSON file: '],
  ])('%s is a usage error that names the place', async (config, message) => {
    const program = await createProgram({ writeOut: () => {}, writeErr: () => {} });
    const serve = program.commands.find((command) => command.name() === 'serve');
    const file = join(folderWith(config), CONFIG_FILE);
    expect(() => serve !== undefined && applyConfigFile(serve, file)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    );
  });
});
