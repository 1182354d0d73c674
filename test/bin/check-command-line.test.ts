import { Command } from 'commander';
import { expect, test } from 'vitest';

import { commandLine } from '../../bin/commands/check/command-line.ts';
import { checkOptions } from '../../bin/commands/check/options/all.ts';

test.each([
  ['nothing, for the server that runs here', [], ''],
  ['flags', ['--sender', '--allow-writes'], ' --sender --allow-writes'],
  [
    'no secret',
    ['--key', 'abc', '--secret', 'def'],
    ' --key "$HOOKPROOF_KEY" --secret "$WEBHOOK_SECRET"',
  ],
  ['quotes', ['--fixtures', "my file's/a.yaml"], " --fixtures 'my file'\\''s/a.yaml'"],
  [
    'no text of a command',
    ['--step-command', 'a --key abc'],
    ' --step-command "$HOOKPROOF_STEP_COMMAND"',
  ],
  [
    'no query of a receiver',
    ['--receiver', 'https://a.example/?code=1', '--observer', 'https://a.example/handled'],
    ' --receiver "$HOOKPROOF_RECEIVER" --observer https://a.example/handled',
  ],
  [
    'no value of a header',
    ['--header', 'X-Gate=abcdefgh'],
    ' --header "X-Gate=$HOOKPROOF_HEADER_X_GATE"',
  ],
  [
    'parsed values',
    ['--listen', ':8080', '--retry-window', '90'],
    ' --listen 127.0.0.1:8080 --retry-window 90',
  ],
  ['nothing of one run', ['--only', 'api', '--json', '--report', 'html=a.html'], ''],
])('the line that repeats a run has %s', (_, typed, flags) => {
  const command = new Command('check');
  for (const option of checkOptions()) command.addOption(option);
  command.parse(typed, { from: 'user' });
  expect(commandLine(command)).toBe(`npx hookproof check${flags}`);
});
