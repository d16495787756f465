import os from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests wait for databases and processes for two fifths of their time, so two more than cores keep these busy.
const maxWorkers = os.availableParallelism() + 2
const provide = { triesAll: process.env['GANTRY_ALL_ROUNDS'] !== undefined }
const common = {
  provide,
  pool: 'threads',
  setupFiles: [`${import.meta.dirname}/tools/lib/real-timers.mjs`],
  maxWorkers,
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const

/**
 * Every unit and server test in one run. Files share their modules, which is many seconds faster; only the
 * preview's, which stand in for what a browser does to `Request` and `Response`, have a world of their own.
 */
export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: [{ find: /^#\//, replacement: `${import.meta.dirname}/packages/console/src/` }] },
        test: {
          ...common,
          name: 'shared',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['packages/preview/**', '**/node_modules/**'],
          isolate: false,
        },
      },
      { test: { ...common, name: 'preview', include: ['packages/preview/src/**/*.test.ts'], isolate: true } },
    ],
  },
})
