import type { Scaffold } from './scaffold.ts';

const LISTEN = "app.listen(3000, () => console.log('listening'));\n";

/** An Express app in TypeScript that becomes CommonJS below `src`, as most were until 2025. */
export const EXPRESS_COMMONJS: Scaffold = {
  name: 'Express, TypeScript, module commonjs, rootDir src',
  make: ['mkdir -p app/src'],
  files: {
    'package.json': {
      private: true,
      scripts: { build: 'tsc', start: 'node dist/index.js' },
      dependencies: { express: '^5' },
      devDependencies: { typescript: '^5', '@types/express': '^5' },
    },
    'tsconfig.json': {
      compilerOptions: {
        target: 'es2022',
        module: 'commonjs',
        rootDir: './src',
        outDir: './dist',
        strict: true,
        esModuleInterop: true,
        skipLibCheck: true,
      },
      include: ['src'],
    },
    'src/index.ts': `import express from 'express';\n\nconst app = express();\napp.use(express.json());\napp.get('/', (_request, response) => {\n  response.send('home');\n});\n${LISTEN}`,
  },
  anchor: /^const app = express\(\);$/m,
};

/** Apps whose authors wrote the program themselves. */
const WRITTEN: readonly Scaffold[] = [
  {
    name: 'Express, JavaScript, type commonjs',
    make: ['mkdir app && cd app && npm init --yes && npm install express'],
    files: {
      'index.js': `const express = require('express');\n\nconst app = express();\napp.use(express.json());\n${LISTEN}`,
    },
    anchor: /^const app = express\(\);$/m,
  },
  {
    name: 'Fastify, TypeScript, ES modules, nodenext',
    make: ['mkdir -p app/src'],
    files: {
      'package.json': {
        private: true,
        type: 'module',
        scripts: { build: 'tsc', start: 'node dist/server.js' },
        dependencies: { fastify: '^5' },
        devDependencies: { typescript: '^7', '@types/node': '^22' },
      },
      'tsconfig.json': {
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          rootDir: 'src',
          outDir: 'dist',
          strict: true,
          verbatimModuleSyntax: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
        },
      },
      'src/server.ts':
        "import Fastify from 'fastify';\n\nconst app = Fastify();\napp.get('/', () => 'home');\nawait app.listen({ port: 3000 });\n",
    },
    anchor: /^const app = Fastify\(\);$/m,
  },
  {
    name: 'Hono, TypeScript, run by tsx',
    make: ['mkdir -p app/src'],
    files: {
      'package.json': {
        private: true,
        type: 'module',
        scripts: { dev: 'tsx watch src/index.ts', build: 'tsc', start: 'node dist/index.js' },
        dependencies: { hono: '^4', '@hono/node-server': '^2' },
        devDependencies: { typescript: '^5', tsx: '^4', '@types/node': '^20' },
      },
      'tsconfig.json': {
        compilerOptions: {
          target: 'ESNext',
          module: 'NodeNext',
          strict: true,
          verbatimModuleSyntax: true,
          skipLibCheck: true,
          types: ['node'],
          jsx: 'react-jsx',
          jsxImportSource: 'hono/jsx',
          outDir: './dist',
        },
        exclude: ['node_modules'],
      },
      'src/index.ts':
        "import { serve } from '@hono/node-server';\nimport { Hono } from 'hono';\n\nconst app = new Hono();\napp.get('/', (c) => c.text('home'));\nserve({ fetch: app.fetch, port: 3000 });\n",
    },
    anchor: /^const app = new Hono\(\);$/m,
  },
  {
    name: 'Koa, JavaScript, ES modules',
    make: ['mkdir app && cd app && npm init --yes && npm pkg set type=module && npm install koa'],
    files: {
      'server.js': `import Koa from 'koa';\n\nconst app = new Koa();\n${LISTEN}`,
    },
    anchor: /^const app = new Koa\(\);$/m,
  },
  {
    name: 'Koa, TypeScript, CommonJS through nodenext',
    make: ['mkdir -p app'],
    files: {
      'package.json': {
        private: true,
        dependencies: { koa: '^3' },
        devDependencies: { typescript: '^6', '@types/koa': '^3' },
        scripts: { build: 'tsc', start: 'node index.js' },
      },
      'tsconfig.json':
        '{\n  // CommonJS\n  "compilerOptions": {\n    "module": "node16",\n    "target": "es2022",\n    "strict": true,\n    "skipLibCheck": true,\n  },\n}\n',
      'index.ts': `import Koa from 'koa';\n\nconst app = new Koa();\n${LISTEN}`,
    },
    anchor: /^const app = new Koa\(\);$/m,
  },
  {
    name: 'Vite with a server of Express, TypeScript',
    make: [
      'npx --yes create-vite@latest app --template vanilla-ts --no-interactive',
      'cd app && npm install express tsx && npm install --save-dev @types/express && npm pkg set scripts.start="tsx src/server.ts"',
    ],
    files: {
      'src/server.ts': `import express from 'express';\n\nconst app = express();\napp.use(express.static('dist'));\n${LISTEN}`,
    },
    anchor: /^const app = express\(\);$/m,
  },
];

/** Apps of the scaffolders that npm has. */
const SCAFFOLDED: readonly Scaffold[] = [
  {
    name: 'create-next-app --empty, TypeScript',
    make: [
      'npx --yes create-next-app@latest app --empty --ts --eslint --tailwind --app --no-src-dir --yes --skip-install --disable-git',
    ],
    scripts: ['lint'],
    dev: { command: 'npx next dev', port: 3000, handlers: 'handlers.ts' },
  },
  {
    name: 'create-next-app --empty --js --src-dir',
    make: [
      'npx --yes create-next-app@latest app --empty --js --src-dir --no-tailwind --no-eslint --yes --skip-install --disable-git',
    ],
  },
  {
    name: 'sv create, TypeScript',
    make: ['npx --yes sv create app --template minimal --types ts --no-add-ons --no-install'],
    scripts: ['check'],
    dev: { command: 'npx vite dev', port: 5173, handlers: 'src/lib/server/handlers.ts' },
  },
  {
    name: 'sv create, JavaScript',
    make: ['npx --yes sv create app --template minimal --no-types --no-add-ons --no-install'],
  },
  {
    name: 'nest new',
    make: [
      // Without a terminal it asks nothing, and its default is ES modules with Vitest.
      'npx --yes @nestjs/cli@latest new app --skip-git --skip-install --package-manager=npm 2>&1 | cat',
    ],
    scripts: ['lint', 'test'],
    handled: 'invoice written',
  },
  {
    // A terminal is asked for the module system, and `nest new` has no option for the answer.
    name: 'nest new, CommonJS with Jest',
    make: [
      'npx --yes --package @nestjs/cli@latest schematics @nestjs/schematics:application --name=app --type=cjs --language=ts --package-manager=npm 2>&1 | cat',
    ],
    scripts: ['lint', 'test'],
    handled: 'invoice written',
  },
  {
    name: 'nest new of NestJS 11, Jest',
    make: [
      'npx --yes @nestjs/cli@11 new app --skip-git --skip-install --package-manager=npm 2>&1 | cat',
    ],
    scripts: ['lint', 'test'],
    handled: 'invoice written',
  },
  {
    name: 'express-generator',
    make: [
      'npx --yes express-generator@latest app --no-view',
      'cd app && npm pkg set dependencies.express=^5',
    ],
    anchor: /^var app = express\(\);$/m,
  },
];

/** The scaffolders of these fetch a template from GitHub. Compare them by hand with what they make. */
const STORED: readonly Scaffold[] = [
  {
    name: 'React Router, TypeScript (stored)',
    make: ['mkdir app'],
    files: {
      'package.json': {
        private: true,
        type: 'module',
        scripts: {
          build: 'react-router build',
          dev: 'react-router dev',
          start: 'react-router-serve ./build/server/index.js',
          typecheck: 'react-router typegen && tsc',
        },
        dependencies: {
          '@react-router/node': '7.18.4',
          '@react-router/serve': '7.18.4',
          isbot: '^5.1.36',
          react: '^19.2.6',
          'react-dom': '^19.2.6',
          'react-router': '7.18.4',
        },
        devDependencies: {
          '@react-router/dev': '7.18.4',
          '@types/node': '^22',
          '@types/react': '^19.2.14',
          '@types/react-dom': '^19.2.3',
          typescript: '^5.9.3',
          vite: '^8.0.3',
        },
      },
      'vite.config.ts':
        'import { reactRouter } from "@react-router/dev/vite";\nimport { defineConfig } from "vite";\n\nexport default defineConfig({ plugins: [reactRouter()] });\n',
      'tsconfig.json': {
        include: ['**/*', '.react-router/types/**/*'],
        compilerOptions: {
          lib: ['DOM', 'DOM.Iterable', 'ES2022'],
          types: ['node', 'vite/client'],
          target: 'ES2022',
          module: 'ES2022',
          moduleResolution: 'bundler',
          jsx: 'react-jsx',
          rootDirs: ['.', './.react-router/types'],
          esModuleInterop: true,
          verbatimModuleSyntax: true,
          noEmit: true,
          skipLibCheck: true,
          strict: true,
        },
      },
      'app/routes.ts':
        'import { type RouteConfig, index } from "@react-router/dev/routes";\n\nexport default [index("routes/home.tsx")] satisfies RouteConfig;\n',
      'app/root.tsx':
        'import { Outlet, Scripts } from "react-router";\n\nexport default function App() {\n  return (\n    <html lang="en">\n      <body>\n        <Outlet />\n        <Scripts />\n      </body>\n    </html>\n  );\n}\n',
      'app/routes/home.tsx': 'export default function Home() {\n  return <h1>Home</h1>;\n}\n',
      '.gitignore': '.DS_Store\n.env\n/node_modules/\n/.react-router/\n/build/\n',
    },
    scripts: ['typecheck'],
    dev: {
      command: 'npx react-router dev',
      port: 5173,
      handlers: 'app/handlers.server.ts',
    },
  },
  {
    name: 'Nuxt, TypeScript (stored)',
    make: ['mkdir app'],
    files: {
      'package.json': {
        private: true,
        type: 'module',
        scripts: {
          build: 'nuxt build',
          dev: 'nuxt dev',
          preview: 'nuxt preview',
          postinstall: 'nuxt prepare',
        },
        dependencies: { nuxt: '^4', vue: '^3.5.39' },
      },
      'nuxt.config.ts':
        "export default defineNuxtConfig({\n  compatibilityDate: '2025-07-15',\n  devtools: { enabled: true },\n});\n",
      'tsconfig.json': {
        files: [],
        references: [
          { path: './.nuxt/tsconfig.app.json' },
          { path: './.nuxt/tsconfig.server.json' },
          { path: './.nuxt/tsconfig.shared.json' },
          { path: './.nuxt/tsconfig.node.json' },
        ],
      },
      'app/app.vue': '<template>\n  <h1>Home</h1>\n</template>\n',
      '.gitignore': '.output\n.nuxt\nnode_modules\n.env\n.env.*\n!.env.example\n',
    },
  },
];

/** Every scaffold but the one that the second group types. */
export const SCAFFOLDS: readonly Scaffold[] = [...SCAFFOLDED, ...WRITTEN, ...STORED];
