import { readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

const crc = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Rewrites a file as releases with this format wrote it: no line has facts, and all records are `[table, record]`. */
export async function writeFormerFormat(path: string, format: 6 | 7): Promise<void> {
  const [first = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const texts = lines
    .filter((line) => !line.startsWith('batch '))
    .map((line) => line.slice(9).split('\t'))
    .map(([change = '', , record]) =>
      record === undefined ? change : `[${change.split(',', 1)[0]?.slice(1)},${record}]`,
    );
  const kind = first.slice(9).replace('8]', `${format}]`);
  const written = texts.map((text) => `${crc(text)} ${text}\n`).join('');
  const batch = `batch ${texts.length} ${Buffer.byteLength(written)}`;
  const start = path.endsWith('.journal') ? `${batch} ${crc(batch)}\n` : '';
  await writeFile(path, `${crc(kind)} ${kind}\n${start}${written}`);
}
