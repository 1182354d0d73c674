import type { SOURCE_FOLDERS } from './source-files.ts';

interface ImportRule {
  /** The manifest whose dependencies the folder may use. */
  readonly manifest: string;
  /** Whether it may also use the development dependencies of the manifest. Default false. */
  readonly bundled?: true;
  /** Entry points of our own packages that the folder may import. */
  readonly own: readonly RegExp[];
  /** Files of the folder that may use `node:` modules. */
  readonly node: RegExp;
}

const ANY_FILE = /./;

/** Who may import whom: design section 2, as data. */
export const IMPORT_TABLE: Record<(typeof SOURCE_FOLDERS)[number], ImportRule> = {
  'spec/src': { manifest: 'spec', own: [], node: ANY_FILE },
  'spec/generate': {
    manifest: '.',
    own: [/^@hookproof\/spec(\/(control|openapi|requirements|vectors))?$/],
    node: ANY_FILE,
  },
  'conformance/generate': {
    manifest: '.',
    own: [/^@hookproof\/(spec\/(control|requirements)|conformance(\/proof)?)$/],
    node: ANY_FILE,
  },
  'receiver/src': {
    manifest: 'receiver',
    own: [],
    node: /^receiver\/src\/((adapters|store-contract|stores|verify|explain|testing)\/|(diagnostics|processor-options)\.ts$)/,
  },
  'receiver/examples': {
    manifest: '.',
    own: [/^@hookproof\/receiver(\/|$)/],
    node: ANY_FILE,
  },
  'server-reference/src': {
    manifest: 'server-reference',
    own: [/^@hookproof\/spec(\/|$)/],
    node: ANY_FILE,
  },
  // Bundled when it is built, so its packages are no dependencies of the server.
  'server-reference/dashboard': {
    manifest: 'server-reference',
    bundled: true,
    own: [/^@hookproof\/spec(\/control)?$/],
    node: /^$/,
  },
  'conformance/src': { manifest: 'conformance', own: [/^@hookproof\/spec(\/|$)/], node: ANY_FILE },
  bin: {
    manifest: '.',
    own: [/^@hookproof\/(spec|receiver|server-reference|conformance)(\/|$)/],
    node: ANY_FILE,
  },
  'test/bench': {
    manifest: '.',
    own: [/^@hookproof\/(spec|receiver|server-reference|conformance)(\/|$)/],
    node: ANY_FILE,
  },
};
