import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { Gantry } from './gantry.ts'
import { apiOf, serverStage } from './stage-server.ts'
import type { Stage } from './stage.ts'

/**
 * Runs a test on a server of its own that began at an earlier time: `before` runs then, and the server is off from there
 * until now.
 */
export async function onServerBegun(
  browser: Browser,
  time: number,
  before: (api: Stage['api']) => Promise<unknown>,
  now: (stage: Stage) => Promise<unknown>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'gantry-earlier-'))
  const offset = path.join(folder, 'offset')
  const clock = new URL('other-clock.mjs', import.meta.url)
  clock.searchParams.set('offset', offset)
  writeFileSync(offset, String(time - Date.now()))
  const gantry = await new Gantry({ nodeOptions: ['--import', clock.href] }).start()
  const stage = serverStage(browser, gantry)
  try {
    await before(apiOf(gantry))
    await gantry.kill('SIGTERM')
    writeFileSync(offset, '0')
    await gantry.start()
    await now(stage)
  } finally {
    await stage.clear()
    await gantry.remove()
    rmSync(folder, { recursive: true })
  }
}
