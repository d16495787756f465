import { defineConfig } from 'vitest/config'

/** Long tests: one file after the other, each with the host to itself. */
export default defineConfig({
  test: {
    include: ['gates/**/*.gate.ts'],
    pool: 'threads',
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    // Figures are printed as they arrive.
    disableConsoleIntercept: true,
  },
})
