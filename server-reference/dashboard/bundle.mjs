// Bundles the dashboard into server-reference/dist/dashboard, which the server serves and the package contains.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const room = fileURLToPath(new URL('.', import.meta.url));
const output = new URL('../dist/dashboard/', import.meta.url);

const { outputFiles } = await build({
  absWorkingDir: room,
  entryPoints: { app: 'main.tsx', style: 'style.css' },
  outdir: fileURLToPath(output),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  write: false,
});
const pages = ['index.html', 'icon.svg'].map(async (name) => ({
  name,
  contents: await readFile(new URL(name, import.meta.url)),
}));
const bundled = outputFiles.map(({ path, contents }) => ({
  name: path.replace(/.*[\\/]/, ''),
  contents: Buffer.from(contents),
}));

await mkdir(output, { recursive: true });
for (const { name, contents } of [...bundled, ...(await Promise.all(pages))]) {
  const file = new URL(name, output);
  const before = await readFile(file).catch(() => null);
  if (before?.equals(contents)) continue;
  // The rename is atomic, so a server never reads half a file.
  const draft = new URL(`${name}.${process.pid}`, output);
  await writeFile(draft, contents);
  await rename(draft, file);
}
