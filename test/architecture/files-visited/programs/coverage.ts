import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface VisitedFile {
  /** Path of the source, from the project's root. */
  readonly path: string;
  /** How many of its functions were called at least once. */
  readonly functions: number;
}

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const COMPILED = /^(spec|receiver|server-reference|conformance)\/dist\//;

/** Precise coverage of this process, read by V8 itself. */
export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Files of the project with a function that was called since the last look; module code does not count. */
  take(): VisitedFile[] {
    return this.#counts()
      .map(({ url, functions }) => ({
        path: projectPath(url),
        functions: functions.filter(wasCalled).length,
      }))
      .filter(({ path, functions }) => COMPILED.test(path) && functions > 0)
      .map(({ path, functions }) => ({ path: sourcePath(path), functions }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** A session of the same thread calls back before `post` returns. */
  #counts(): Profiler.ScriptCoverage[] {
    let result: Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error !== null) throw error;
      ({ result } = taken);
    });
    return result;
  }
}

/** The function that spans a whole script from its first character is the module itself. */
function wasCalled({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  if (range === undefined || range.count === 0) return false;
  return functionName !== '' || range.startOffset > 0;
}

function projectPath(url: string): string {
  return url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).split(sep).join('/') : '';
}

function sourcePath(path: string): string {
  return path.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
}
