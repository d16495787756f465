import { defineConfig } from '@playwright/test'
import { engineOptions } from './support/engine.ts'

/** A gate runs only if it is named. */
const gate = process.env.GANTRY_GATE

/** Browser tests, each worker against its own server. */
export default defineConfig({
  testDir: '.',
  globalSetup: './support/global-setup.ts',
  // Gates are excluded, because they take minutes.
  testMatch: gate ? `**/${gate}.gate.ts` : '**/*.e2e.ts',
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
