import { readdir, stat } from 'node:fs/promises';

/** Returns whether a source of the documents or a generator has changed since the outputs were created. */
export async function isStale(
  outputs: readonly URL[],
  specFolder: URL,
  generators: URL,
): Promise<boolean> {
  const sources = [
    ...(await filesIn(specFolder, /\.(yaml|schema\.json)$/)),
    new URL('../server-reference/companions.yaml', specFolder),
    ...(await filesIn(generators, /\.js$/)),
  ];
  const changed = await Promise.all(sources.map(changeTime));
  const made = await Promise.all(outputs.map(changeTime));
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
