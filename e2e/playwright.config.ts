import { defineConfig } from '@playwright/test'
import { engineOptions } from './support/engine.ts'
import { repeatedPattern, unrepeatedPattern } from './support/recordings/stories.ts'

/** A gate runs only if it is named. */
const gate = process.env.GANTRY_GATE
/** It repeats what the browser tests do. */
const replays = gate === 'recordings'

/** Browser tests, each worker against its own server. */
export default defineConfig({
  testDir: '.',
  globalSetup: './support/global-setup.ts',
  // Gates are excluded, because they take minutes.
  testMatch: gate && !replays ? `**/${gate}.gate.ts` : '**/*.e2e.ts',
  ...(replays && { grep: repeatedPattern, grepInvert: unrepeatedPattern }),
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  use: {
    viewport: { width: 1440, height: 900 },
    // Traces take a fifth of the time; `--trace retain-on-failure` records them.
    trace: 'off',
    screenshot: 'only-on-failure',
    ...(await engineOptions()),
  },
})
