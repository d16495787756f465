import { defineConfig } from 'vitest/config'

/** Every unit and server test in one run: files share their modules, which is seconds faster and hides nothing. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
