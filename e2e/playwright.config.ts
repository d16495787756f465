import { defineConfig } from '@playwright/test'
import { findChromium } from './chromium.mjs'

const chromium = await findChromium()

/** Stories told by a user, each against a server of its own worker, in a real browser. */
export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  // A gate is told by itself, because it takes minutes.
  testMatch: process.env.GANTRY_GATE ? `${process.env.GANTRY_GATE}.gate.ts` : '*.e2e.ts',
  outputDir: '../test-results',
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  use: {
    browserName: 'chromium',
    launchOptions: chromium,
    viewport: { width: 1440, height: 900 },
    // Without a picture of every frame, which would take a fifth of the time.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
})
