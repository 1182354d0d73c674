import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { atMost } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { loadRolldown } from './peers.ts';

const ENTRIES = [
  { what: 'createVerifier alone', exported: '{ createVerifier }' },
  { what: 'verify alone', exported: '{ verify }' },
  { what: 'the whole entry point', exported: '*' },
] as const;

/** Measures how much the verification export adds to a bundled program. */
export const bundleSize: Bench = {
  title: 'size: @hookproof/receiver/verify with all that it imports, minified, gzipped',
  async run() {
    const rows: Row[] = [];
    for (const { what, exported } of ENTRIES) {
      const bytes = gzipSync(await bundle(exported), { level: 9 }).length;
      rows.push({
        what,
        measured: `${bytes} bytes`,
        against: '',
        ratio: null,
        bar: atMost(2048, bytes),
      });
    }
    return rows;
  },
};

async function bundle(exported: string): Promise<string> {
  const rolldown = await loadRolldown();
  const entryPoint = fileURLToPath(import.meta.resolve('@hookproof/receiver/verify'));
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
