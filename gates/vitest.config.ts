import { defineConfig } from 'vitest/config'

/** What takes minutes: one file after the other, each with the machine to itself. */
export default defineConfig({
  test: {
    include: ['gates/**/*.gate.ts'],
    pool: 'threads',
    fileParallelism: false,
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    // Figures are printed as they come.
    disableConsoleIntercept: true,
  },
})
