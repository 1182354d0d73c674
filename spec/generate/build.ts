import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';

// The last step of a build creates the JSON copies of the YAML files. It runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

const COPIES = [
  'openapi',
  'control',
  'bundled-openapi',
  'bundled-control',
  'requirements',
  'freedoms',
].map((name) => new URL(`generated/${name}.json`, specFolder));

if (await isStale()) {
  // Imported only if needed, because the parser and the validator take longer to load than all other work.
  const { copies } = await import('./steps.ts');
  await mkdir(new URL('generated/', specFolder), { recursive: true });
  for (const { output, render } of copies) {
    // The rename is atomic, so a reader never sees half a file.
    const draft = new URL(`${output}.${randomUUID()}`, specFolder);
    await writeFile(draft, await render(specFolder));
    await rename(draft, new URL(output, specFolder));
  }
}

/** Returns whether a source or a generator has changed since the copies were created. */
async function isStale(): Promise<boolean> {
  const sources = [
    ...(await filesIn(specFolder, /\.(yaml|schema\.json)$/)),
    ...(await filesIn(new URL('./', import.meta.url), /\.js$/)),
  ];
  const changed = await Promise.all(sources.map(changeTime));
  const made = await Promise.all(COPIES.map(changeTime));
  return Math.max(...changed) >= Math.min(...made);
}

async function filesIn(folder: URL, pattern: RegExp): Promise<URL[]> {
  const names = await readdir(folder);
  return names.filter((name) => pattern.test(name)).map((name) => new URL(name, folder));
}

/** Returns milliseconds since the epoch, or 0 if the file does not exist. */
async function changeTime(file: URL): Promise<number> {
  return (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}
