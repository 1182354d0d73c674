import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

import { hookproof } from './hookproof.ts';

/** The folder of every call: `folder` has something in it. */
const FILES = {
  'list.json': '[]',
  'object.json': '{"a": 1}',
  'review.json': '{"openReviewID": "x"}',
  'package.json': '{"dependencies": {"express": "5", "next": "16"}}',
  'folder/mine.txt': 'mine',
};

/**
 * What is typed after `hookproof`, with variables before it, the exit code, and the first line on standard error. What
 * the operating system or a later release may say is `…`. No server runs.
 */
const CALLS: readonly (readonly [typed: string, code: number, line: string])[] = [
  ['frobnicate', 2, "error: unknown command 'frobnicate'"],
  ['help nope', 2, 'error: help must be followed by a command, got nope.'],
  ['help serv', 2, 'error: help must be followed by a command, got serv. Did you mean serve?'],
  [
    'init',
    2,
    'error: init requires one framework, but package.json has express and next. Name the one that receives the webhooks: hookproof init express',
  ],
  [
    'init expres',
    2,
    'error: There is no framework expres. Did you mean express? All of them: node, express, fastify, koa, hono, next, nest, nuxt, sveltekit, react-router.',
  ],
  [
    'serve --port 70000',
    2,
    "error: option '--port <number>' argument '70000' is invalid. Expected an integer from 0 to 65535.",
  ],
  [
    'serve --port 1e3',
    2,
    "error: option '--port <number>' argument '1e3' is invalid. Expected an integer from 0 to 65535.",
  ],
  [
    'HOOKPROOF_PORT=x serve',
    2,
    "error: option '--port <number>' value 'x' from env 'HOOKPROOF_PORT' is invalid. Expected an integer from 0 to 65535.",
  ],
  ['serve --log --quiet', 2, "error: option '--quiet' cannot be used with option '--log'"],
  [
    'serve --rate-limit 100',
    2,
    "error: option '--rate-limit <requests/seconds>' argument '100' is invalid. Expected requests/seconds such as 100/60, with 1 to 86400 seconds.",
  ],
  [
    'serve --rate-limit 0/60',
    2,
    "error: option '--rate-limit <requests/seconds>' argument '0/60' is invalid. Expected requests/seconds such as 100/60, with 1 to 86400 seconds.",
  ],
  [
    'serve --upload-transport put',
    2,
    "error: option '--upload-transport <way>' argument 'put' is invalid. Expected presigned-put, multipart or a size in bytes.",
  ],
  [
    'serve --body-limit -1',
    2,
    "error: option '--body-limit <bytes>' argument '-1' is invalid. Expected an integer from 0 to 999999999999999.",
  ],
  [
    'serve --app-port 4010',
    2,
    'error: --app-port must differ from --port, got 4010 for both. Leave --app-port out to share one port.',
  ],
  [
    'serve --now 2026-07',
    2,
    "error: option '--now <time>' argument '2026-07' is invalid. Expected a UTC time such as 2026-07-01T00:00:00Z.",
  ],
  [
    'serve --now 0001-01-01T00:00:00Z',
    2,
    "error: option '--now <time>' argument '0001-01-01T00:00:00Z' is invalid. Expected a time in the years 1970 to 9999.",
  ],
  [
    'serve --now 2026-07-01T00:00:00Z',
    2,
    'error: --now requires --clock virtual, got --clock real. Add it, or leave --now out.',
  ],
  [
    'serve --clock lunar',
    2,
    "error: option '--clock <kind>' argument 'lunar' is invalid. Allowed choices are real, virtual.",
  ],
  [
    'serve --data=',
    2,
    "error: option '--data <folder>' argument '' is invalid. Expected the path of a folder.",
  ],
  ['serve --data /proc/x/y', 2, 'error: The data folder /proc/x/y is unusable (…'],
  [
    'serve --data list.json',
    2,
    'error: The data folder must be a folder, got the file list.json. Use the path of a folder, which is created if it is missing.',
  ],
  [
    'serve --host=',
    2,
    "error: option '--host <address>' argument '' is invalid. Expected a name or an address without a port, such as 0.0.0.0.",
  ],
  [
    'serve --host http://x',
    2,
    "error: option '--host <address>' argument 'http://x' is invalid. Expected a name or an address without a port, such as 0.0.0.0.",
  ],
  [
    'serve --port 0 --host nosuch.invalid',
    2,
    'error: --host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, got nosuch.invalid (…',
  ],
  [
    'serve --port 0 --host 192.0.2.1',
    2,
    'error: --host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, got 192.0.2.1 (…',
  ],
  [
    'serve --allow-host http://x',
    2,
    "error: option '--allow-host <names>' argument 'http://x' is invalid. Expected names or addresses without a scheme and a port, such as platform.test.",
  ],
  [
    'serve --allow-host a:80',
    2,
    "error: option '--allow-host <names>' argument 'a:80' is invalid. Expected names or addresses without a scheme and a port, such as platform.test.",
  ],
  [
    'serve --cors http://a/b',
    2,
    "error: option '--cors <origins>' argument 'http://a/b' is invalid. Expected origins such as http://localhost:5173.",
  ],
  [
    'serve --port 0 --state-file /proc/x/y',
    2,
    'error: --state-file must be a file that this user can write, but /proc/x/y cannot be written: …',
  ],
  [
    'serve --port 0 --world list.json',
    2,
    'error: --world list.json must contain a JSON object, such as {"key": "value"}.',
  ],
  ['serve --port 0 --world object.json', 2, 'error: --world object.json: a is not a known field.'],
  [
    'serve --secret whsec_x',
    2,
    'error: --secret requires --forward-to. Add it with the URL of your app.',
  ],
  [
    'serve --print-secret',
    2,
    'error: --print-secret requires --forward-to. Add it with the URL of your app.',
  ],
  [
    'serve --forward-to localhost:3000',
    2,
    "error: option '--forward-to <url>' argument 'localhost:3000' is invalid. Expected a URL such as http://localhost:3000/.",
  ],
  [
    'serve --forward-to http://x/ --secret x',
    2,
    'error: --secret must be whsec_ and 1 to 200 visible characters, got another form. Check WEBHOOK_SECRET too.',
  ],
  [
    'serve --forward-to http://x/ --write-env none/.env',
    2,
    'error: --write-env none/.env must name a file in an existing folder, but none is none. Create the folder first.',
  ],
  [
    'serve --port 0 --forward-to http://169.254.169.254/',
    2,
    'error: --forward-to is refused: it points to 169.254.169.254, a link-local or cloud metadata address, which may serve credentials. Use the URL of your receiver; loopback and private networks are allowed.',
  ],
  [
    'serve --port 0 --defect end-after-409',
    2,
    'error: --defect must be a known id, got end-after-409. Did you mean end-after-408? All of them: hookproof serve --list-defects',
  ],
  [
    'serve --app-port 0 --defect end-after-408',
    2,
    'error: --defect and --app-port exclude each other. Leave --app-port out.',
  ],
  ['serve --prot', 2, "error: unknown option '--prot'"],
  ['serve --port', 2, "error: option '--port <number>' argument missing"],
  [
    'HOOKPROOF_DATA=list.json serve --port 0',
    2,
    'error: The data folder must be a folder, got the file list.json. Use the path of a folder, which is created if it is missing.',
  ],
  [
    'trigger --to http://127.0.0.1:9/',
    2,
    'error: --to requires --secret. Add it, or set WEBHOOK_SECRET.',
  ],
  [
    'trigger --secret whsec_mine',
    2,
    'error: --secret requires --to. Add it with the URL of your app.',
  ],
  [
    'trigger --to ftp://x/',
    2,
    "error: option '--to <url>' argument 'ftp://x/' is invalid. Expected a URL such as http://localhost:3000/.",
  ],
  [
    'trigger --to http://x/ --secret mine',
    2,
    'error: --secret must be whsec_ and 1 to 200 visible characters, got another form. Check WEBHOOK_SECRET too.',
  ],
  [
    'trigger --to http://169.254.169.254/ --secret whsec_mine',
    2,
    'error: --to points to 169.254.169.254, a link-local or cloud metadata address, which may serve credentials. Use the URL of your receiver; loopback and private networks are allowed.',
  ],
  [
    'trigger --times 0',
    2,
    "error: option '--times <number>' argument '0' is invalid. Expected an integer from 1 to 10000.",
  ],
  [
    'trigger --seed -1',
    2,
    "error: option '--seed <number>' argument '-1' is invalid. Expected an integer from 0 to 4294967295.",
  ],
  [
    'trigger --expect ok',
    2,
    "error: option '--expect <status>' argument 'ok' is invalid. Expected 2xx, 4xx or another class, or a status such as 401.",
  ],
  [
    'trigger --payload a --from b',
    2,
    "error: option '--payload <file>' cannot be used with option '--from <folder>'",
  ],
  [
    'trigger finished',
    2,
    'error: There is no scenario finished. Did you mean failed? All of them: hookproof trigger --list',
  ],
  ['trigger nope', 2, 'error: There is no scenario nope. All of them: hookproof trigger --list'],
  [
    'trigger',
    2,
    'error: No local platform is running. Start one with hookproof serve --forward-to URL, or send with --to URL --secret SECRET.',
  ],
  [
    'redeliver',
    2,
    'error: No local platform is running. Start one with hookproof serve --forward-to URL.',
  ],
  ['redeliver a b', 2, "error: too many arguments for 'redeliver'. Expected 1 argument but got 2."],
  [
    'clock later',
    2,
    'error: clock must be followed by +DURATION or next, got later. An example is hookproof clock +1h.',
  ],
  [
    'clock +',
    2,
    'error: A duration must be a number with ms, s, m, h or d, up to 366d, got nothing. An example is 1h30m.',
  ],
  [
    'clock +3',
    2,
    'error: A duration must be a number with ms, s, m, h or d, up to 366d, got 3. An example is 1h30m.',
  ],
  [
    'clock +367d',
    2,
    'error: A duration must be a number with ms, s, m, h or d, up to 366d, got 367d. An example is 1h30m.',
  ],
  ['clock +1h 2h', 2, "error: too many arguments for 'clock'. Expected 1 argument but got 2."],
  [
    'clock',
    2,
    'error: No local platform is running. Start one with hookproof serve --clock virtual.',
  ],
  [
    'fault 999',
    2,
    'error: fault must be a status such as 503, reset, none, or one of duplicate, reorder, delay, drop-then-redeliver, stale-timestamp, future-timestamp, wrong-secret, tampered-body, truncated-body, slow-drip, got 999.',
  ],
  [
    'fault wrong-secret --retry-after 1',
    2,
    'error: --retry-after is for faults of the API, but wrong-secret is one of deliveries. Leave it out.',
  ],
  ['fault 503', 2, 'error: No local platform is running. Start one with hookproof serve.'],
  [
    'listen --secret abc',
    2,
    'error: --secret must be whsec_ and 1 to 200 visible characters, got another form. Check WEBHOOK_SECRET too.',
  ],
  [
    'listen --forward-to localhost:3000',
    2,
    "error: option '--forward-to <url>' argument 'localhost:3000' is invalid. Expected a URL such as http://localhost:3000/.",
  ],
  [
    'listen --forward-to http://a/ --respond 200',
    2,
    "error: option '--respond <status>' cannot be used with option '--forward-to <url>'",
  ],
  [
    'listen --save=',
    2,
    "error: option '--save <folder>' argument '' is invalid. Expected the path of a folder.",
  ],
  [
    'listen --save /dev/null/x',
    2,
    'error: --save /dev/null/x must be a folder that this user can write: …',
  ],
  [
    'listen --host=',
    2,
    "error: option '--host <address>' argument '' is invalid. Expected a name or an address without a port, such as 0.0.0.0.",
  ],
  [
    'listen --port 0 --host nosuch.invalid',
    2,
    'error: --host must be an address of this machine, such as 127.0.0.1 or 0.0.0.0, got nosuch.invalid (…',
  ],
  [
    'inbox',
    2,
    'error: inbox requires --store. Give --store sqlite:FILE or postgres://…, or set HOOKPROOF_STORE.',
  ],
  [
    'inbox --store mysql://localhost',
    2,
    'error: --store must be sqlite:FILE or postgres://…, got mysql:. An example is --store sqlite:events.db.',
  ],
  [
    'inbox --store sqlite:none/events.db',
    2,
    'error: --store must be the file of a store, but there is no none/events.db. Name the file of sqliteStore({ file }).',
  ],
  [
    'inbox pause done --store mysql:',
    2,
    'error: --store must be sqlite:FILE or postgres://…, got mysql:. An example is --store sqlite:events.db.',
  ],
  [
    'inbox replay --reason handler_failed',
    2,
    'error: --reason must be given with inbox dead, redrive, discard, got inbox replay. Leave it out.',
  ],
  [
    'inbox waiting --since 2026-07-01T00:00Z',
    2,
    'error: --since must be given with inbox dead, redrive, discard, replay, got inbox waiting. Leave it out.',
  ],
  [
    'inbox replay --since today',
    2,
    "error: option '--since <time>' argument 'today' is invalid. Expected a UTC time such as 2026-07-01T00:00:00Z.",
  ],
  [
    'inbox drop --store mysql:',
    2,
    "error: command-argument value 'drop' is invalid for argument 'action'. Allowed choices are stats, waiting, dead, runs, show, redrive, discard, replay, pause, resume.",
  ],
  [
    'explain',
    2,
    'error: explain takes one delivery, got none. Name a folder, or add --delivery last.',
  ],
  [
    'explain folder --delivery last',
    2,
    'error: explain takes one delivery, got two. Name a folder, or add --delivery last.',
  ],
  ['explain folder', 2, 'error: folder must be a folder that hookproof listen --save wrote: …'],
  ['explain nope', 2, 'error: nope must be a folder that hookproof listen --save wrote: …'],
  [
    'explain --delivery dlv_1',
    2,
    'error: No local platform is running. Start one with hookproof serve.',
  ],
  [
    'WEBHOOK_SECRET=a explain folder',
    2,
    'error: folder must be a folder that hookproof listen --save wrote: …',
  ],
  [
    'check',
    2,
    'error: check requires --base-url or --receiver. Add --base-url for an API (and --sender for its webhooks), or --receiver for a receiver. The server that runs here is checked only if no option names a target.',
  ],
  [
    'check --base-url ftp://x',
    2,
    "error: option '--base-url <url>' argument 'ftp://x' is invalid. Expected a URL such as http://127.0.0.1:4010.",
  ],
  [
    'check --report pdf=x',
    2,
    "error: option '--report <kind=file>' argument 'pdf=x' is invalid. Expected kind=FILE, with one of the kinds html, json, junit, markdown.",
  ],
  [
    'check --listen 8080',
    2,
    "error: option '--listen <host:port>' argument '8080' is invalid. Expected HOST:PORT such as 0.0.0.0:8080.",
  ],
  [
    'check --listen localhost:70000',
    2,
    "error: option '--listen <host:port>' argument 'localhost:70000' is invalid. Expected HOST:PORT such as 0.0.0.0:8080.",
  ],
  [
    'check --base-url http://127.0.0.1:9 --sender --listen 0.0.0.0:0',
    2,
    'error: --listen 0.0.0.0 is every address of this machine: add publicUrl, the URL under which the target reaches it.',
  ],
  [
    'check --fuzz 60,x',
    2,
    "error: option '--fuzz <seconds>' argument '60,x' is invalid. Expected seconds from 1 to 86400, such as 60, or 60,7 with the seed 7.",
  ],
  [
    'check --update-baseline team-a',
    2,
    "error: option '--update-baseline <text>' argument 'team-a' is invalid. Expected \"OWNER: REASON\", who fixes the failures and why they are accepted.",
  ],
  [
    'check --base-url http://127.0.0.1:9 --only=-api.none',
    2,
    'error: --only must be the id of a check or the beginning of one, got api.none. Did you mean api.scope? All of them: hookproof check --list',
  ],
  [
    'check --base-url http://127.0.0.1:9 --only api.template.lits',
    2,
    'error: --only must be the id of a check or the beginning of one, got api.template.lits. Did you mean api.template? All of them: hookproof check --list',
  ],
  [
    'check --base-url http://127.0.0.1:9 --only api.tempate',
    2,
    'error: --only must be the id of a check or the beginning of one, got api.tempate. Did you mean api.template? All of them: hookproof check --list',
  ],
  [
    'check --list api.tempate.total',
    2,
    'error: --list must be the id of a check or a requirement, or its beginning, got api.tempate.total. Did you mean api.template.total? All of them: hookproof check --list',
  ],
  [
    'check --list delivery.succes',
    2,
    'error: --list must be the id of a check or a requirement, or its beginning, got delivery.succes. Did you mean delivery.success? All of them: hookproof check --list',
  ],
  [
    'check --base-url http://127.0.0.1:9 --step-command true',
    2,
    'error: --step-command requires --sender. Add --sender and --allow-writes.',
  ],
  [
    'check --sender --ask',
    2,
    'error: --ask requires a terminal, got a pipe. Use --step-command COMMAND where no person can be asked.',
  ],
  [
    'check --prove --fuzz 60',
    2,
    "error: option '--prove' cannot be used with option '--fuzz <seconds>'",
  ],
  [
    'check --prove --step-command a',
    2,
    "error: option '--prove' cannot be used with option '--step-command <command>'",
  ],
  [
    'check --receiver http://127.0.0.1:9/',
    2,
    'error: --receiver requires --secret. Add it, or set WEBHOOK_SECRET.',
  ],
  [
    'check --receiver http://127.0.0.1:9/ --secret whsec_0123456789 --app-url http://127.0.0.1:9',
    2,
    'error: --app-url requires --base-url. Add it, or set HOOKPROOF_BASE_URL.',
  ],
  [
    'check --control-url http://127.0.0.1:9/',
    2,
    'error: --control-url requires --control-token. Add it, or set HOOKPROOF_CONTROL_TOKEN.',
  ],
  [
    'check --control-token token',
    2,
    'error: --control-token requires --control-url. Add it, or set HOOKPROOF_CONTROL_URL.',
  ],
  [
    'check --secret whsec_of_mine',
    2,
    'error: --secret requires --receiver. Add it, or set HOOKPROOF_RECEIVER.',
  ],
  [
    'check --secret-encoding base64',
    2,
    'error: --secret-encoding requires --receiver. Add it, or set HOOKPROOF_RECEIVER.',
  ],
  ['check --listen :0', 2, 'error: --listen requires --sender. Add it.'],
  ['check --retry-window 90', 2, 'error: --retry-window requires --sender. Add it.'],
  [
    'check --prove --secret whsec_of_mine',
    2,
    'error: --secret requires --receiver. Add it, or set HOOKPROOF_RECEIVER.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --fixtures none.json',
    2,
    'error: --fixtures none.json must be a readable YAML or JSON file: …',
  ],
  [
    'check --base-url http://127.0.0.1:9 --fixtures list.json',
    2,
    'error: --fixtures list.json must contain a JSON object, such as {"key": "value"}.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --fixtures review.json',
    2,
    'error: Unknown fixtures.openReviewID. Did you mean openReviewId?',
  ],
  [
    'check --base-url http://127.0.0.1:9 --key short',
    2,
    'error: --key must have at least 8 characters, so that reports can hide it.',
  ],
  [
    'HOOKPROOF_KEY=short check --base-url http://127.0.0.1:9',
    2,
    'error: HOOKPROOF_KEY must have at least 8 characters, so that reports can hide it.',
  ],
  [
    'WEBHOOK_SECRET=short check --receiver http://127.0.0.1:9',
    2,
    'error: WEBHOOK_SECRET must have at least 8 characters, so that reports can hide it.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --control-url http://127.0.0.1:9 --control-token short',
    2,
    'error: --control-token must have at least 8 characters, so that reports can hide it.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --header X-Gate',
    2,
    'error: --header must be NAME=VALUE, such as CF-Access-Client-Id=abc.',
  ],
  [
    'HOOKPROOF_KEY=key-0123456789 check --base-url http://127.0.0.1:9 --header Authorization=Basic',
    2,
    'error: headers.Authorization must not be set: it carries the API key. Use another header of the gateway, or let it allow this client.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --baseline none.json',
    2,
    'error: --baseline none.json does not exist. Add --update-baseline "OWNER: REASON" to write it.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --baseline list.json',
    2,
    'error: --baseline list.json must contain a JSON object, such as {"key": "value"}.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --update-baseline a:b',
    2,
    'error: --update-baseline requires --baseline. Add the file to write.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --init-fixtures list.json',
    2,
    'error: --init-fixtures list.json must not exist yet. Use it with --fixtures, or choose another name.',
  ],
  ['check --compare a b c', 2, 'error: --compare takes one or two files, got 3. Leave some out.'],
  [
    'check --compare none.json none.json',
    2,
    'error: --compare none.json must be a readable JSON file: …',
  ],
  [
    'check --compare object.json object.json',
    2,
    'error: --compare object.json: expected a JSON report of hookproof check, got a file without suite. Write it again with this version.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --report html=none/a.html',
    2,
    'error: --report html=none/a.html must name a file in an existing folder, but none is none. Create the folder first.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --report html=folder',
    2,
    'error: --report html=folder must name a file, got the folder folder.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --report html=list.json/a',
    2,
    'error: --report html=list.json/a must name a file in an existing folder, but list.json is none. Create the folder first.',
  ],
  [
    'check --base-url http://127.0.0.1:9 --report html=a --report json=a',
    2,
    'error: --report json=a must name a file of its own, but another report has the same. Use another file.',
  ],
  [
    'GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=none/a check --base-url http://127.0.0.1:9',
    2,
    'error: GITHUB_STEP_SUMMARY must name a file in an existing folder, but none is none. Create the folder first.',
  ],
  [
    'demo --out /proc/x',
    2,
    'error: --out must name a place that this user can write, but /proc/x cannot be written: …',
  ],
  ['demo --out list.json', 2, 'error: --out must be a folder, got the file list.json.'],
  [
    'demo --out folder',
    2,
    'error: --out must be a new folder or that of an earlier demo, but folder contains other files. Choose another folder.',
  ],
];

const cwd = mkdtempSync(join(tmpdir(), 'hookproof-usage-'));
mkdirSync(join(cwd, 'folder'));
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test.each(CALLS)('hookproof %s: exit %d, %s', async (typed, expected, line) => {
  const words = typed.split(' ');
  const first = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(words.slice(0, first).map((word) => word.split('=')));
  const { code, stdout, stderr } = await hookproof(words.slice(first), { cwd, env });
  const [shown = ''] = stderr.split('\n');
  const isPart = line.endsWith('…');
  expect(isPart ? `${shown.slice(0, line.length - 1)}…` : shown).toBe(line);
  expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
  expect(stderr).not.toMatch(/\n\s+at /);
});
