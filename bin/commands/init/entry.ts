import { posix } from 'node:path';

import type { AppFolder } from './app-folder.ts';

/** The file of an app that makes its server. */
export interface Entry {
  readonly file: string;
  readonly text: string;
  /** The port that it listens on, if it says so. */
  readonly port: number | null;
}

const NAMES = ['index', 'main', 'server', 'app'];
const PLACES = ['src/', '', 'server/'];
const SCRIPT = /[\w./-]+\.[cm]?[jt]s\b/g;
const BUILT = /^(?:dist|build|out|lib)\//;

/** Finds the file of an app that loads a module, such as `express`; without one, the file that it starts with. */
export function findEntry(app: AppFolder, module: string): Entry | null {
  const named = [app.main ?? '', ...['start', 'dev'].map((name) => app.scripts.get(name) ?? '')]
    .flatMap((text) => text.match(SCRIPT) ?? [])
    .map((name) => posix.normalize(name))
    .flatMap((name) => (BUILT.test(name) ? [name.replace(BUILT, 'src/')] : [name]));
  const usual = PLACES.flatMap((place) => NAMES.map((name) => `${place}${name}.js`));
  const found = [...named, ...usual].flatMap((name) => {
    const file = app.existing(name);
    const text = file === null ? null : app.read(file);
    return file === null || text === null ? [] : [{ file, text }];
  });
  const loads = new RegExp(`(?:from|import|require\\(|import\\()\\s*['"]${module}['"]`);
  const entry = found.find(({ text }) => loads.test(text)) ?? found[0];
  return entry === undefined ? null : { ...entry, port: portOf(entry.text) };
}

/** The number of `listen(3000)`, `port: 3000` or `PORT || 3000`. */
function portOf(text: string): number | null {
  const found =
    /\bPORT\b['"\])]*\s*(?:\?\?|\|\|)\s*['"]?(\d{2,5})/.exec(text) ??
    /\b(?:listen\(|port\s*[:=]\s*)\s*(\d{2,5})/i.exec(text);
  return found === null ? null : Number(found[1]);
}
