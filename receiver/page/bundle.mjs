// Bundles the page of the inbox into one module of @hookproof/receiver, which needs no file system to serve it.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const room = fileURLToPath(new URL('.', import.meta.url));
const output = new URL('../dist/inbox/', import.meta.url);

const { outputFiles } = await build({
  absWorkingDir: room,
  entryPoints: { script: 'main.tsx', style: 'style.css' },
  outdir: fileURLToPath(output),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  write: false,
});
const texts = outputFiles.map(({ path, text }) => {
  const name = path.endsWith('.css') ? 'STYLE' : 'SCRIPT';
  return `export const ${name} = ${JSON.stringify(text)};\n`;
});

await mkdir(output, { recursive: true });
// The rename is atomic, so nobody imports half a file.
const draft = new URL(`page-files.${process.pid}`, output);
await writeFile(draft, texts.join(''));
await rename(draft, new URL('page-files.js', output));
