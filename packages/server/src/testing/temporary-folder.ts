import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }))
  return folder
}
