import { createHash } from 'node:crypto'
import path from 'node:path'
import type { RowBatch } from '@gantry/control-plane/db/dump'
import { knownMigrations } from '@gantry/control-plane/db/migrate'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { readArchive } from '../backup/archive-reader.ts'
import { backUp } from '../backup/back-up.ts'
import type { Manifest } from '../backup/format.ts'
import { restore } from '../backup/restore.ts'
import { fileBlocks } from '../blocks/blocks-files.ts'
import { openDatabase } from '../database/open.ts'

/** The location of a server's data: its data directory, and a database elsewhere or inside it. */
export interface DataLocation {
  dataDir: string
  database: string | undefined
}

/** A control plane over existing data, as `gantry serve` would start it. */
export async function controlPlaneOn({ dataDir, database }: DataLocation): Promise<TestBed> {
  const { dialect } = await openDatabase(database === undefined ? { dataDir } : { url: database })
  const blocks = await fileBlocks(path.join(dataDir, 'blocks'))
  return testControlPlane({ dialect, environment: { blocks } })
}

const { signal } = new AbortController()
export const backUpTo = (file: string, kept: DataLocation) =>
  backUp({ ...kept, file, version: '1.2.3', signal })
export const restoreFrom = (file: string, kept: DataLocation) => restore({ ...kept, file, signal })

/** The manifest of a backup that this version can restore. */
export const manifest: Manifest = {
  format: 1,
  product: 'gantry',
  version: '9.9.9',
  id: 'b',
  time: '2026-01-02T03:04:05.000Z',
  migrations: [...knownMigrations],
}

/** The contents of a backup, with sorted rows: their order depends on the source database's rules. */
export async function contentsOf(file: string) {
  const rows: Record<string, string[]> = {}
  const objects: { id: string; size: number; pieces: string[] }[] = []
  for await (const read of readArchive(file, () => {})) {
    if (read.kind === 'rows') (rows[read.batch.table] ??= []).push(...rowsOf(read.batch))
    else if (read.kind === 'object') objects.push({ ...read.head, pieces: [] })
    else if (read.kind === 'piece') objects.at(-1)?.pieces.push(`${read.chunk} ${sha256(read.bytes)}`)
  }
  for (const each of Object.values(rows)) each.sort()
  return { rows, objects }
}

const rowsOf = ({ columns, rows }: RowBatch): string[] =>
  rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]]))))

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
