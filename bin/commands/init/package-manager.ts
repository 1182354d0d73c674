/** What installs the packages of an app. */
export type PackageManager = keyof typeof LOCK_FILES;

const LOCK_FILES = {
  npm: ['package-lock.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
} as const;

type Replacement = readonly [before: RegExp, after: string];

/** What another package manager calls a command of npm. The first that matches counts. */
const COMMANDS: Readonly<Record<PackageManager, readonly Replacement[]>> = {
  npm: [],
  pnpm: [
    [/^npm install --save-dev /, 'pnpm add --save-dev '],
    [/^npm install /, 'pnpm add '],
    [/^npm ci$/, 'pnpm install --frozen-lockfile'],
    [/^npx --yes /, 'pnpm dlx '],
    [/^npx /, 'pnpm exec '],
    [/^npm (?=run |start)/, 'pnpm '],
  ],
  yarn: [
    [/^npm install --save-dev /, 'yarn add --dev '],
    [/^npm install /, 'yarn add '],
    [/^npm ci$/, 'yarn install --immutable'],
    [/^npx (?!--yes )/, 'yarn '],
    [/^npm (?=run |start)/, 'yarn '],
  ],
  bun: [
    [/^npm install --save-dev /, 'bun add --dev '],
    [/^npm install /, 'bun add '],
    [/^npm ci$/, 'bun install --frozen-lockfile'],
    [/^npx (?:--yes )?/, 'bunx '],
    [/^npm (?:run )?/, 'bun run '],
  ],
};

/** Returns the package manager whose lock file an app has; npm without one. */
export function packageManagerOf(hasFile: (name: string) => boolean): PackageManager {
  const managers = ['pnpm', 'yarn', 'bun'] as const;
  return managers.find((manager) => LOCK_FILES[manager].some(hasFile)) ?? 'npm';
}

/** Returns a command of npm as another package manager has it. */
export function commandOf(manager: PackageManager, command: string): string {
  const found = COMMANDS[manager].find(([before]) => before.test(command));
  return found === undefined ? command : command.replace(...found);
}

/** Returns the steps with which a workflow sets up a package manager, before Node.js. */
export function workflowSteps(manager: PackageManager): string {
  if (manager === 'pnpm') return '      - uses: pnpm/action-setup@v4\n';
  return manager === 'bun' ? '      - uses: oven-sh/setup-bun@v2\n' : '';
}
