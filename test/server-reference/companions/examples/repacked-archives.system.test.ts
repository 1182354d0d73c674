import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';

import { testWith } from '../../../services/local-server.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { importInto, openDataset } from '../../api/datasets/dataset-app.ts';

const PYTHON = `
import sys, zipfile
way = sys.argv[1]
class Pipe:
    def __init__(self, file): self.file = file
    def write(self, data): return self.file.write(data)
    def flush(self): self.file.flush()
with zipfile.ZipFile('export.zip') as source, open('packed.zip', 'wb') as out:
    method = zipfile.ZIP_STORED if way == 'stored' else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(Pipe(out) if way == 'piped' else out, 'w', method) as target:
        for info in reversed(source.infolist()):
            entry = zipfile.ZipInfo(info.filename, (2024, 5, 5, 5, 5, 5))
            entry.compress_type = method
            with target.open(entry, 'w', force_zip64=way == 'zip64') as file: file.write(source.read(info))
`;

const unpack = 'unzip -q export.zip -d whole && cd whole &&';
const INFO_ZIP: readonly (readonly [how: string, script: string])[] = [
  ['deflated, with folders', `${unpack} zip -qr ../packed.zip examples`],
  ['stored', `${unpack} zip -qr0 ../packed.zip examples`],
  ['with Zip64', `${unpack} zip -qr -fz ../packed.zip examples`],
  ['with descriptors', `${unpack} zip -qr -fd ../packed.zip examples`],
  ['through a pipe', `${unpack} zip -qr - examples | cat > ../packed.zip`],
];

describe.each(['append', 'replace'])(
  'mode %s imports what was unpacked and packed again',
  (mode) => {
    /** Exports a dataset, packs it again, imports that and returns both exports. */
    async function roundTrip(command: string, args: readonly string[]): Promise<readonly Buffer[]> {
      const { get, post, upload, ...dataset } = await openDataset();
      const { id } = (await post('/examples', { name: 'Grün 文', input: { a: [1e20] } })).body;
      await upload(`/examples/${id}/input`, {
        'ä b/big.bin': Buffer.alloc(300_000, 'abc'),
        empty: '',
      });
      const first = (await get('/dataset/export')).bytes;
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'export.zip'), first);
      const { status, stderr } = spawnSync(command, args, { cwd: folder });
      expect([status, stderr.toString()]).toEqual([0, '']);
      for (const one of (await get('/examples?limit=100')).body.data) {
        if (mode === 'append') await dataset.remove(`/examples/${one.id}`);
      }
      const packed = await readFile(join(folder, 'packed.zip'));
      const { body } = await importInto({ get, post, upload, ...dataset }, packed, mode);
      expect(body).toMatchObject({ mode, created: 9 });
      return [first, (await get('/dataset/export')).bytes];
    }

    testWith('python').each(['deflated', 'stored', 'piped', 'zip64'])(
      'by zipfile of Python, %s',
      async (way) => {
        const [first, again] = await roundTrip('python3', ['-c', PYTHON, way]);
        expect(again?.equals(first ?? Buffer.of())).toBe(true);
      },
    );

    testWith('zip').each(INFO_ZIP)('by Info-ZIP, %s', async (_how, script) => {
      const [first, again] = await roundTrip('sh', ['-c', script]);
      expect(again?.equals(first ?? Buffer.of())).toBe(true);
    });
  },
);
