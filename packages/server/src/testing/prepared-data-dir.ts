import { rmSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '@gantry/control-plane/db/migrate'
import type { Tables } from '@gantry/control-plane/db/tables'
import { Kysely } from 'kysely'
import { openDatabase } from '../database/open.ts'

/** Kept for every test file of a worker. */
let template: Promise<string> | undefined

/**
 * Gives a data directory an embedded database with the schema and no rows. It is copied, because creating one takes
 * ten seconds of a processor.
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  template ??= makeTemplate()
  await fs.cp(await template, dataDir, { recursive: true })
}

async function makeTemplate(): Promise<string> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-test-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const { dialect, close } = await openDatabase({ dataDir: folder })
  await migrate(new Kysely<Tables>({ dialect }))
  await close()
  return folder
}
