import { defineConfig } from '@playwright/test'
import { findChromium } from './chromium.mjs'

const chromium = await findChromium()
/** A gate, whose stories are run only by its name. */
const gate = process.env.GANTRY_GATE

/** Stories told by a user, each against a server of its own worker, in a real browser. */
export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  // A gate is told by itself, because it takes minutes.
  testMatch: gate ? `**/${gate}.gate.ts` : '*.e2e.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  snapshotPathTemplate: '{testDir}/pictures/{arg}{ext}',
  use: {
    browserName: 'chromium',
    launchOptions: chromium,
    viewport: { width: 1440, height: 900 },
    // Without a picture of every frame, which would take a fifth of the time.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
})
