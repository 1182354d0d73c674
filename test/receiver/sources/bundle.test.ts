import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Returns the files of the receiver that a bundled app loads before it asks for more. */
async function filesOf(contents: string): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: dirname(fileURLToPath(import.meta.url)) },
    bundle: true,
    minify: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir: 'bundle',
    write: false,
    metafile: true,
  });
  const { outputs } = metafile;
  const loaded = new Set(
    Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === '<stdin>'),
  );
  // What a chunk imports is loaded with it; `import()` loads later.
  for (const name of loaded) {
    for (const { path, kind } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement') loaded.add(path);
    }
  }
  return [...loaded].flatMap((name) =>
    Object.entries(outputs[name]?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) => {
      const [, file] = /receiver\/dist\/(.*)$/.exec(path) ?? [];
      return file === undefined || bytesInOutput === 0 ? [] : [file];
    }),
  );
}

const app = (door: string, source: string) => `
  import { createReceiver } from '@hookproof/receiver${door}';
  import { memoryStore } from '@hookproof/receiver/memory';
  import { ${source} } from '@hookproof/receiver/${source}';
  const sources = { one: ${source}({ secrets: 'whsec_x' }) };
  createReceiver({ store: memoryStore(), sources }).start();
`;

test.each(['stripe', 'github'])(
  'a bundle with %s alone has no other sender in it',
  async (source) => {
    const files = await filesOf(app('/core', source));
    expect(files).toContain(`sources/${source}.js`);
    const others = /^(?:runs|order|fetch-run|explain)\/|^sources\/(?:stripe|github|standard-)/;
    expect(files.filter((file) => others.test(file))).toEqual([`sources/${source}.js`]);
  },
);

test('a bundle of the package itself has the platform, whose short form it is', async () => {
  const files = await filesOf(app('', 'stripe'));
  expect(files).toEqual(expect.arrayContaining(['runs/platform.js', 'order/resolve-timeline.js']));
});
