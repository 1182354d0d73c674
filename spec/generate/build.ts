import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';

// The last step of a build: makes the JSON copies of the YAML files. Runs compiled, from spec/generate/dist.
const specFolder = new URL('../../', import.meta.url);

const COPIES = ['openapi', 'control', 'requirements', 'freedoms'].map(
  (name) => new URL(`generated/${name}.json`, specFolder),
);

if (await isStale()) {
  // Loaded only here: loading the parser and the validator takes longer than everything else.
  const { copies } = await import('./steps.ts');
  await mkdir(new URL('generated/', specFolder), { recursive: true });
  for (const { output, render } of copies) {
    // Renamed into place, so that no reader sees half a file.
    const draft = new URL(`${output}.${randomUUID()}`, specFolder);
    await writeFile(draft, await render(specFolder));
    await rename(draft, new URL(output, specFolder));
  }
}

/** Whether a source or a generator has changed since the copies were made. */
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

/** Milliseconds since the epoch, 0 for a file that does not exist. */
async function changeTime(file: URL): Promise<number> {
  return (await stat(file).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}
