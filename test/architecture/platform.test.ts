import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { DELIVERY_FAULT_NAMES } from '@hookproof/spec/control';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';

import type * as PlatformModule from '../../server-reference/src/platform/platform.ts';
import type * as ClockModule from '../../server-reference/src/platform/clock/clock.ts';
import type * as LoggerModule from '../../server-reference/src/platform/logger.ts';
import type * as RetryModule from '../../server-reference/src/platform/sender/retry.ts';
import type * as StateModule from '../../server-reference/src/platform/state/state.ts';
import type * as StorageModule from '../../server-reference/src/platform/store/open-storage.ts';
import { ROOT } from '../compiled-program.ts';
import { importedFiles, readText, sourceFile, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import type { TenantId, UserId, WorldId } from '../../server-reference/src/platform/state/ids.ts';
import { asId } from '../server-reference/state-by-text.ts';

const PLATFORM = 'server-reference/src/platform/';

const platformFiles = sourceFiles().filter(({ path }) => path.startsWith(PLATFORM));

/** Words that only the lab may use, and every quoted name of a delivery fault. */
const LAB_TEXT = new RegExp(`sink|patholog|(['"\`])(?:${DELIVERY_FAULT_NAMES.join('|')})\\1`, 'gi');

/** Folders of the platform that do not even know the types of the control interface. */
const WITHOUT_CONTROL = /^(?:sender|http|routes|access|store|runs)\//;

/** Names of the lab that the stored state still has, with the only files of the platform that may use them. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  controlToken: ['state/state.ts', 'store/change-log.ts', 'store/stored-record.ts'],
  deliveryFault: ['sender/settle.ts', 'state/deliveries.ts'],
  worlds: ['runs/events.ts', 'state/shapes.ts', 'state/state.ts', 'store/stored-record.ts'],
};

function labNames(text: string): string[] {
  return Object.keys(LEFT).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
}

function controlImports({ path, imports }: SourceFile): string[] {
  const inside = path.slice(PLATFORM.length);
  return imports.filter(
    (specifier) => WITHOUT_CONTROL.test(inside) && specifier === '@hookproof/spec/control',
  );
}

function labTexts(text: string): string[] {
  return [...text.matchAll(LAB_TEXT)].map(([found]) => found);
}

test('the platform names no delivery fault and no sink', () => {
  const found = platformFiles.flatMap(({ path }) =>
    labTexts(readText(path)).map((text) => `${path} contains ${text}`),
  );
  expect(found).toEqual([]);
});

test('names of the lab are in the stored state of the platform only', () => {
  const found = platformFiles.flatMap(({ path }) =>
    labNames(readText(path)).map((name) => `${name} in ${path.slice(PLATFORM.length)}`),
  );
  const left = Object.entries(LEFT).flatMap(([name, paths]) =>
    paths.map((path) => `${name} in ${path}`),
  );
  expect(found.toSorted()).toEqual(left.toSorted());
  expect(labNames('state.worlds; controlTokens')).toEqual(['worlds']);
});

test('the working folders of the platform import nothing of the control interface', () => {
  const found = platformFiles.filter((file) => controlImports(file).length > 0);
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('a text of the lab is found in a name, a comment and a string', () => {
  const text = `const toSink = 'duplicate'; // pathological
    const other = "wrong_secret_extra" + duplicate;`;
  expect(labTexts(text)).toEqual(['Sink', "'duplicate'", 'patholog']);
});

test('an import of the control interface is found in a working folder only', () => {
  const text = "import type { World } from '@hookproof/spec/control';";
  const imports = (path: string): string[] =>
    controlImports(sourceFile('server-reference/src', `${PLATFORM}${path}`, text));
  expect(imports('sender/x.ts')).toEqual(['@hookproof/spec/control']);
  expect(imports('state/x.ts')).toEqual([]);
});

test('the platform imports nothing of the lab', () => {
  const outside = platformFiles.flatMap((file) =>
    importedFiles(file)
      .filter((path) => !path.startsWith(PLATFORM))
      .map((path) => `${file.path} imports ${path}`),
  );
  expect(outside).toEqual([]);
});

test(
  'the platform compiles without the lab, and serves a request',
  { timeout: 60_000 },
  async () => {
    const folder = compiledCopy();
    const load = <T>(path: string): Promise<T> => import(pathToFileURL(join(folder, path)).href);
    const { Platform } = await load<typeof PlatformModule>('platform/platform.js');
    const { realClock } = await load<typeof ClockModule>('platform/clock/clock.js');
    const { consoleLogger } = await load<typeof LoggerModule>('platform/logger.js');
    const { RETRY_PROFILES } = await load<typeof RetryModule>('platform/sender/retry.js');
    const { emptyState } = await load<typeof StateModule>('platform/state/state.js');
    const { openStorage } = await load<typeof StorageModule>('platform/store/open-storage.js');

    const state = emptyState(1, 'unused');
    const createdAt = '2026-07-01T00:00:00.000Z';
    const tenant = {
      id: asId<TenantId>('tenant_1'),
      worldId: asId<WorldId>('world_1'),
      slug: 'one',
      name: 'One',
      createdAt,
    };
    state.tenants.add(tenant);
    const user = {
      id: asId<UserId>('user_1'),
      tenantId: tenant.id,
      email: 'a@example.com',
      name: 'A',
    };
    state.users.add(user);
    state.apiKeys.add({
      id: asId('key_1'),
      tenantId: tenant.id,
      userId: user.id,
      name: 'Key',
      key: asId('hp_key'),
      scope: [],
      wildcardGranted: true,
      createdAt,
      revokedAt: null,
    });
    const platform = new Platform({
      ...(await openStorage({ kind: 'memory' }, state, consoleLogger)),
      clock: realClock(),
      retryProfile: RETRY_PROFILES.fast,
      rateLimit: null,
      settings: {
        bodyLimitBytes: 1_000_000,
        uploadLimitBytes: 1_000_000,
        uploadTransport: 'presigned-put',
        redirectAboveBytes: null,
        signedUrlSeconds: 300,
      },
      logger: consoleLogger,
      host: '127.0.0.1',
      servesHost: () => true,
      port: 0,
      appPort: null,
    });
    onTestFinished(() => platform.close());
    platform.start();
    const { baseUrl } = await platform.listen();
    const headers = { authorization: 'Bearer hp_key' };
    const response = await request(`${baseUrl}/v1/auth/check`, { headers });
    expect(response.statusCode).toBe(200);
    expect(await response.body.json()).toMatchObject({ tenantId: tenant.id });
  },
);

/** Folder with the compiled form of a copy of `platform/`, which has no `lab/` beside it. */
function compiledCopy(): string {
  // Inside the repository's node_modules, so that the copy finds its dependencies.
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'hookproof-platform-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, PLATFORM), join(folder, 'src/platform'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const project = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { composite: false, incremental: false, rootDir: 'src', outDir: 'dist' },
    include: ['src/**/*.ts'],
    references: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project));
  execFileSync('npx', ['tsc', '-p', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return join(folder, 'dist');
}
