import type { AppFolder } from './app-folder.ts';
import type { FrameworkName } from './frameworks.ts';
import { compilesToCommonJs } from './type-script.ts';

/** A change of a file that the app has and `hookproof init` does not edit. */
export interface Change {
  readonly file: string;
  /** The lines as they are; null if the place was not found. */
  readonly before: string | null;
  /** The lines as they must be. */
  readonly after: string;
}

/** Returns what the settings of a framework and of TypeScript must say, as far as they do not say it. */
export function configChanges(name: FrameworkName, app: AppFolder): Change[] {
  if (app.isNew) return [];
  return [
    ...(FRAMEWORK_CHANGES[name]?.(app) ?? []),
    ...typeScriptChanges(name, app),
    ...jestChanges(app),
  ];
}

const FRAMEWORK_CHANGES: Partial<Record<FrameworkName, (app: AppFolder) => Change[]>> = {
  next: nextChanges,
  nest: nestChanges,
  sveltekit: svelteKitChanges,
  'react-router': reactRouterChanges,
};

/** The store runs in a thread of its own, so Next.js must not bundle the package. */
function nextChanges(app: AppFolder): Change[] {
  const file = app.existing('next.config.mjs') ?? 'next.config.mjs';
  const text = app.read(file) ?? '';
  if (text.includes('@hookproof/receiver')) return [];
  const quote = quoteOf(text);
  const item = `${quote}@hookproof/receiver${quote}`;
  const list = lineWith(text, /serverExternalPackages:\s*\[/);
  if (list !== null) return [{ file, before: list, after: list.replace('[', `[${item}, `) }];
  const object = lineWith(
    text,
    /^(?:const \w+(?::.*)? = |export default |module\.exports = )\{\s*$/m,
  );
  const line = `serverExternalPackages: [${item}],`;
  if (object !== null) return [{ file, before: object, after: `${object}\n  ${line}` }];
  return [{ file, before: null, after: line }];
}

/** The adapter of a new app knows only hosts that end the server after a response. */
function svelteKitChanges(app: AppFolder): Change[] {
  const files = ['svelte.config.js', 'vite.config.js'].flatMap((name) => app.existing(name) ?? []);
  const file = files.find((name) => app.read(name)?.includes('@sveltejs/adapter-'));
  if (file === undefined) {
    const after = "import adapter from '@sveltejs/adapter-node';";
    return [{ file: files[0] ?? 'svelte.config.js', before: null, after }];
  }
  const before = lineWith(app.read(file) ?? '', /@sveltejs\/adapter-(?!node\b)/);
  if (before === null) return [];
  return [{ file, before, after: before.replace(/adapter-[\w-]+/, 'adapter-node') }];
}

/** The module is imported, and the hooks of shutdown close its receiver. */
function nestChanges(app: AppFolder): Change[] {
  const module = app.read('src/app.module.ts') ?? '';
  const main = app.read('src/main.ts') ?? '';
  const quote = quoteOf(module);
  const ending = app.isModule ? '.js' : '';
  const imported = `import { WebhooksModule } from ${quote}./webhooks.module${ending}${quote};`;
  const lastImport = module.match(/^import .*;$/gm)?.at(-1) ?? null;
  const imports = lineWith(module, /^\s*imports:\s*\[/m);
  const decorator = lineWith(module, /^@Module\(\{\s*$/m);
  const listen = lineWith(main, /\bapp\.listen\(/);
  const indent = /^\s*/.exec(listen ?? '')?.[0] ?? '';
  const hooks = `${indent}app.enableShutdownHooks();`;
  const file = 'src/app.module.ts';
  return [
    ...(module.includes('WebhooksModule')
      ? []
      : [
          addedBelow(file, lastImport, imported),
          imports === null
            ? addedBelow(file, decorator, '  imports: [WebhooksModule],')
            : {
                file,
                before: imports,
                after: imports
                  .replace(/\[(?=\s*\])/, '[WebhooksModule')
                  .replace(/\[(?=\s*\w+[,\]])(?!WebhooksModule)/, '[WebhooksModule, ')
                  .replace(/\[\s*$/, '[WebhooksModule,'),
              },
        ]),
    ...(main.includes('enableShutdownHooks')
      ? []
      : [
          {
            file: 'src/main.ts',
            before: listen,
            after: listen === null ? hooks : `${hooks}\n${listen}`,
          },
        ]),
  ];
}

/** Routes are listed, unless they follow from the names of the files. */
function reactRouterChanges(app: AppFolder): Change[] {
  const file = app.existing('app/routes.js') ?? 'app/routes.js';
  const text = app.read(file) ?? '';
  if (/flatRoutes|\/hooks\.[jt]s/.test(text)) return [];
  const quote = quoteOf(text);
  const extension = app.typeScript === null ? 'js' : 'ts';
  const route = `route(${quote}hooks${quote}, ${quote}./routes/hooks.${extension}${quote})`;
  const imported = lineWith(text, /^import \{.*\} from ["']@react-router\/dev\/routes["']/m);
  const list = lineWith(text, /export default \[/);
  return [
    ...(imported === null || /\broute\b(?!s)/.test(imported)
      ? []
      : [{ file, before: imported, after: imported.replace(/\s*\} from/, ', route } from') }]),
    list === null
      ? { file, before: null, after: `${route},` }
      : {
          file,
          before: list,
          after: /\[\s*$/.test(list)
            ? `${list}\n  ${route},`
            : list.replace('[', `[${route}, `).replace(', ]', ']'),
        },
  ];
}

/** Where the types of Node.js are not found, and where an import of an ES module is an error. */
function typeScriptChanges(name: FrameworkName, app: AppFolder): Change[] {
  const { typeScript } = app;
  if (typeScript === null || !typeScript.hasConfig) return [];
  const file = 'tsconfig.json';
  const text = app.read(file) ?? '';
  const { options, major } = typeScript;
  const given = options.types;
  const needsTypes =
    given === undefined
      ? major >= 6 && !BRINGS_NODE_TYPES.has(name)
      : !given.some((type) => type === 'node' || type === '*');
  const isOldModule = /^node1[68]$/i.test(options.module ?? '');
  const module = lineWith(text, /"module"\s*:/);
  return [
    ...(needsTypes ? [typesChange(file, text, given ?? [])] : []),
    ...(isOldModule && compilesToCommonJs(typeScript, app.isModule)
      ? [
          {
            file,
            before: module,
            after: module?.replace(/(:\s*)"[^"]*"/, '$1"nodenext"') ?? '"module": "nodenext",',
          },
        ]
      : []),
  ];
}

/** Jest loads ES modules only with a flag of Node.js. */
function jestChanges(app: AppFolder): Change[] {
  const { testRunner, scripts } = app;
  if (testRunner !== 'jest' || !/^jest\b/.test(scripts.get('test') ?? '')) return [];
  const file = 'package.json';
  const before = lineWith(app.read(file) ?? '', /"test"\s*:\s*"jest\b/);
  const flagged = 'node --experimental-vm-modules node_modules/jest/bin/jest.js';
  return before === null
    ? []
    : [{ file, before, after: before.replace(/(:\s*")jest\b/, `$1${flagged}`) }];
}

/** The packages of these refer to the types of Node.js. */
const BRINGS_NODE_TYPES: ReadonlySet<FrameworkName> = new Set(['next', 'nuxt', 'sveltekit']);

function typesChange(file: string, text: string, given: readonly string[]): Change {
  const line = lineWith(text, /^\s*"types"\s*:\s*\[.*\]/m);
  const types = [...given, 'node'].map((type) => JSON.stringify(type)).join(', ');
  if (line !== null) return { file, before: line, after: line.replace(/\[.*\]/, `[${types}]`) };
  const options = lineWith(text, /"compilerOptions"\s*:\s*\{\s*$/m);
  return addedBelow(file, options, `    "types": [${types}],`);
}

function addedBelow(file: string, before: string | null, line: string): Change {
  return { file, before, after: before === null ? line.trim() : `${before}\n${line}` };
}

/** The whole line in which a pattern is found. */
function lineWith(text: string, pattern: RegExp): string | null {
  const found = pattern.exec(text);
  if (found === null) return null;
  const start = text.lastIndexOf('\n', found.index + found[0].search(/\S/)) + 1;
  const end = text.indexOf('\n', start);
  return (end === -1 ? text.slice(start) : text.slice(start, end)).replace(/\r$/, '');
}

function quoteOf(text: string): '"' | "'" {
  return (text.match(/"/g)?.length ?? 0) > (text.match(/'/g)?.length ?? 0) ? '"' : "'";
}
