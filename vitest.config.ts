import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', '**/dist/**', '**/node_modules/**'],
    reporters: process.env['CI'] === undefined ? ['dot'] : ['default'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    server: { deps: { external: [/\/(spec|receiver|server-reference|conformance)\/dist\//] } },
  },
});
