import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { loadRolldown } from './peers.ts';

const KIB = 1024;

const ENTRIES = [
  { door: 'verify', exported: '{ createVerifier }', bytes: 2 * KIB },
  { door: 'verify-web', exported: '{ createVerifier }', bytes: Math.floor(1.3 * KIB) },
  { door: 'verify-web', exported: '{ createVerifier, decodeEvent }', bytes: 2 * KIB },
  { door: 'verify', exported: '*', bytes: null },
  { door: 'verify-web', exported: '*', bytes: null },
] as const;

/** Measures how much the verification exports add to a bundled program. */
export const bundleSize: Bench = {
  title: 'size: the doors with all that they import, minified, gzipped',
  async run() {
    const rows: Row[] = [];
    for (const { door, exported, bytes: most } of ENTRIES) {
      const bytes = gzipSync(await bundle(door, exported), { level: 9 }).length;
      rows.push({
        what: `/${door} ${exported}`,
        measured: `${bytes} bytes`,
        against: '',
        ratio: null,
        bar: most === null ? null : atMost(most, bytes),
      });
    }
    return rows;
  },
};

async function bundle(door: string, exported: string): Promise<string> {
  const rolldown = await loadRolldown();
  const entryPoint = fileURLToPath(import.meta.resolve(`@hookproof/receiver/${door}`));
  const entry = `export ${exported} from ${JSON.stringify(entryPoint)};`;
  const { output } = await rolldown.build({
    input: 'entry',
    platform: 'node',
    plugins: [
      {
        name: 'entry',
        resolveId: (id: string) => (id === 'entry' ? id : null),
        load: (id: string) => (id === 'entry' ? entry : null),
      },
    ],
    write: false,
    output: { minify: true },
  });
  return output.map(({ code }) => code).join('');
}
