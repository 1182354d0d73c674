import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Report } from '@hookproof/conformance';
import { expect, test } from 'vitest';

import { emptyFolder } from '../empty-folder.ts';
import { hookproof, optionsOf, serve } from './hookproof.ts';

test('hookproof check of hookproof serve is conformant with all access allowed, API and sender', async () => {
  const server = await serve();
  const folder = emptyFolder();
  const [html, json] = [join(folder, 'report.html'), join(folder, 'report.json')];
  const access = ['--key', server.keys.wildcard, '--sender', '--allow-writes', '--allow-deletes'];
  const reports = ['--json', '--report', `html=${html}`, '--report', `json=${json}`];
  const args = ['check', ...optionsOf(server), ...access, ...reports];
  const { code, stdout } = await hookproof(args);
  const report: Report = JSON.parse(stdout);
  const others = report.checks
    .filter((check) => check.verdict !== 'pass')
    .map(({ id, verdict }) => [id, verdict]);
  // This server redirects nothing, is never busy and its clock is real; the contract states no delivery timeout.
  expect(others).toEqual(
    [
      'api.file-content.redirect',
      'api.file.run-input-expires',
      'api.file.builder-attachment-expires',
      'api.file.temporary-lives',
      'api.file.durable',
      'api.file-content.short-lived',
      'api.export.short-lived',
      'api.status-code.size-cap',
      'api.status-code.retry-after-suffices',
      'api.status-code.passing-429',
      'api.status-code.passing-503',
      'sender.status-changed.hours-later',
      'sender.envelope.created-at-later',
      'sender.retry.backoff',
      'sender.retry.on-timeout',
    ].map((id) => [id, 'not-applicable']),
  );
  expect(report.outcome).toBe('conformant');
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual(report);
  expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html>/i);
});
