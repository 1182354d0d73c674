#!/usr/bin/env node
// An older Node.js parses this file, but not what it imports.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `hookproof needs Node.js 20.19 or newer, this is ${process.versions.node}. Install a newer version.`,
  );
  process.exit(2);
}
const { guardProcess, run } = await import('./dist/main.js');

guardProcess(process);
process.exitCode = await run(process.argv);
