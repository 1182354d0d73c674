import { join } from 'node:path';

import { test } from 'vitest';

import { ROOT } from '../../compiled-program.ts';
import type { Step } from '../../../bin/dist/commands/init/recipe.js';
import { readerFolder } from '../recipes/reader-folder.ts';
import { follow, inShell } from '../recipes/type-recipe.ts';
import { canIsolate, openShell } from '../recipes/typed-shell.ts';
import { frontPage, PAGE, typeUse } from './front-page.ts';

/** The clone on this machine stands in for the repository on the network. */
const CLONE = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: `url.${ROOT}.insteadOf`,
  GIT_CONFIG_VALUE_0: 'https://github.com/hookproof/hookproof.git',
  GIT_CONFIG_KEY_1: 'safe.directory',
  GIT_CONFIG_VALUE_1: '*',
};

/** Node.js before 22.13 needs this line too, as the page says. */
const SQLITE: Step = {
  kind: 'command',
  line: 0,
  command: 'npm install @photostructure/sqlite@1',
};
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const more = major > 22 || (major === 22 && minor >= 13) ? [] : [SQLITE];

test('the front page works as typed, from the clone to the last command', async () => {
  const reader = await readerFolder([], ROOT);
  try {
    const environment = { ...reader.environment, ...CLONE };
    const folder = await reader.copy();
    await inShell(await openShell(folder, environment, false), (shell) =>
      follow(PAGE, [...frontPage().install, ...more], folder, shell),
    );
    await typeUse(join(folder, 'your-app'), environment, canIsolate());
  } finally {
    await reader.remove();
  }
});
