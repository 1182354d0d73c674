/** How an app of a framework differs from others. */
export interface Framework {
  /** The page in `docs/recipes` that shows its files. */
  readonly page: string;
  /** An app of the framework has one of these in its package.json. */
  readonly packages: readonly string[];
  /** Files that only a new app gets, because another has its own. */
  readonly scaffold: readonly string[];
  /** The program of a new app. Another has one under a name of its own, and gets only some lines. */
  readonly program?: string;
  /** What the program of an app loads. */
  readonly module?: string;
  /** Whether a bundler resolves the imports. */
  readonly isBundled: boolean;
  /** Whether an app can have its routes, and then all of its scripts, in `src`. */
  readonly canBeInSource?: true;
}

const PROGRAM = { scaffold: [], program: 'app.mjs', isBundled: false } as const;

/** A framework that `hookproof init` knows. */
export type FrameworkName =
  | 'node'
  | 'express'
  | 'fastify'
  | 'koa'
  | 'hono'
  | 'next'
  | 'nest'
  | 'nuxt'
  | 'sveltekit'
  | 'react-router';

/** In the order of the recipes. */
export const FRAMEWORKS: Readonly<Record<FrameworkName, Framework>> = {
  node: { ...PROGRAM, page: 'node', packages: [], module: '(?:node:)?http' },
  express: { ...PROGRAM, page: 'express', packages: ['express'], module: 'express' },
  fastify: { ...PROGRAM, page: 'fastify', packages: ['fastify'], module: 'fastify' },
  koa: { ...PROGRAM, page: 'koa', packages: ['koa'], module: 'koa' },
  hono: { ...PROGRAM, page: 'hono', packages: ['hono'], module: 'hono' },
  next: {
    page: 'next',
    packages: ['next'],
    scaffold: [],
    isBundled: true,
    canBeInSource: true,
  },
  nest: {
    page: 'nestjs',
    packages: ['@nestjs/core'],
    scaffold: ['tsconfig.json', 'src/app.module.ts', 'src/main.ts'],
    isBundled: false,
  },
  nuxt: {
    page: 'nuxt',
    packages: ['nuxt', 'nitropack'],
    scaffold: ['nitro.config.mjs'],
    isBundled: true,
  },
  sveltekit: {
    page: 'sveltekit',
    packages: ['@sveltejs/kit'],
    scaffold: ['svelte.config.js', 'vite.config.js', 'src/app.html'],
    isBundled: true,
  },
  'react-router': {
    page: 'react-router',
    packages: ['@react-router/dev'],
    scaffold: ['vite.config.mjs', 'app/root.jsx', 'app/routes.js', 'server.mjs'],
    isBundled: true,
  },
};

/** Returns whether a word is the name of a framework. */
export function isFramework(word: string): word is FrameworkName {
  return Object.hasOwn(FRAMEWORKS, word);
}

/** Every name, in the order of the recipes. */
export const NAMES: readonly FrameworkName[] = Object.keys(FRAMEWORKS).filter(isFramework);

/** Returns the frameworks that an app has, from the names of its packages. */
export function frameworksOf(packages: ReadonlySet<string>): FrameworkName[] {
  return NAMES.filter((name) => FRAMEWORKS[name].packages.some((one) => packages.has(one)));
}
