import type { RowBatch } from '@gantry/control-plane/db/dump'

/** Raised when older programs could no longer read what newer ones write. */
export const FORMAT = 1

/** The first entry of a backup. */
export interface Manifest {
  format: number
  product: 'gantry'
  version: string
  id: string
  time: string
  /** What the database had been brought up to. */
  migrations: string[]
}

/** The last entry, without which a backup is not whole. */
export interface Totals {
  rows: Record<string, number>
  objects: number
  /** Of disks, snapshots and images that hold anything. */
  bytes: number
  /** SHA-256 in hex of all that stands before this entry. */
  sha256: string
}

/** An object of the block store; the pieces of it that hold anything follow. */
export interface ObjectHead {
  id: string
  size: number
}

export const names = {
  manifest: 'manifest.json',
  totals: 'totals.json',
  rows: (table: string, number: number) => `rows/${table}/${number}.json`,
  object: (number: number) => `blocks/${number}/object.json`,
  piece: (number: number, chunk: number) => `blocks/${number}/${chunk}`,
}

/** Larger than any entry: rows come in batches, bytes in chunks. */
export const MAX_ENTRY = 256 * 1024 * 1024

export type Read =
  | { kind: 'rows'; batch: RowBatch }
  | { kind: 'object'; head: ObjectHead }
  | { kind: 'piece'; chunk: number; bytes: Uint8Array }

const text = new TextDecoder('utf-8', { fatal: true })
export const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
export const parsed = (bytes: Uint8Array): unknown => JSON.parse(text.decode(bytes))

/** What an entry is; undefined for one that this format does not have. */
export function readEntry(name: string, bytes: Uint8Array): Read | undefined {
  if (/^rows\/\w+\/\d+\.json$/.test(name)) return { kind: 'rows', batch: parsed(bytes) as RowBatch }
  if (/^blocks\/\d+\/object\.json$/.test(name)) return { kind: 'object', head: parsed(bytes) as ObjectHead }
  const piece = /^blocks\/\d+\/(\d+)$/.exec(name)
  return piece ? { kind: 'piece', chunk: Number(piece[1]), bytes } : undefined
}
