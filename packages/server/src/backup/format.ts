import type { RowBatch } from '@gantry/control-plane/db/dump'

/** Raised when older programs can no longer read the files of newer ones. */
export const FORMAT = 1

/** The first entry of a backup. */
export interface Manifest {
  format: number
  product: 'gantry'
  version: string
  id: string
  time: string
  /** The migrations applied to the database. */
  migrations: string[]
}

/** The last entry; without it, a backup is incomplete. */
export interface Totals {
  rows: Record<string, number>
  objects: number
  /** Non-empty bytes of disks, snapshots and images. */
  bytes: number
  /** SHA-256 in hex of everything before this entry. */
  sha256: string
}

/** An object of the block store, or the disk of a real machine; its non-empty pieces follow. */
export interface ObjectHead {
  id: string
  size: number
  isVolume?: true
}

/** By which rows know the host of the disks of real machines. */
export interface FleetHead {
  host: string
}

export const names = {
  manifest: 'manifest.json',
  totals: 'totals.json',
  fleet: 'fleet.json',
  rows: (table: string, number: number) => `rows/${table}/${number}.json`,
  object: (number: number) => `blocks/${number}/object.json`,
  piece: (number: number, chunk: number) => `blocks/${number}/${chunk}`,
}

/** Larger than any entry: rows come in batches, bytes in chunks. */
export const MAX_ENTRY = 256 * 1024 * 1024

export type Read =
  | { kind: 'rows'; batch: RowBatch }
  | { kind: 'fleet'; head: FleetHead }
  | { kind: 'object'; head: ObjectHead }
  | { kind: 'piece'; chunk: number; bytes: Uint8Array }

const text = new TextDecoder('utf-8', { fatal: true })
export const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** An entry whose contents do not match its name. The message never repeats the contents. */
export class Misshapen extends Error {}

export function parsed(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text.decode(bytes))
  } catch (cause) {
    throw new Misshapen('it is not JSON', { cause })
  }
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  throw new Misshapen('it is no object')
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

export function readManifest(bytes: Uint8Array): Manifest {
  const value = parsed(bytes)
  const { format, product, version, id, time, migrations } = value
  const isOne =
    isCount(format) && product === 'gantry' && isText(version) && isText(id) && areTexts(migrations)
  if (isOne && isText(time) && !Number.isNaN(Date.parse(time)))
    return { format, product, version, id, time, migrations }
  throw new Misshapen('it does not begin like one')
}

function readBatch(bytes: Uint8Array): RowBatch {
  const { table, columns, rows } = parsed(bytes)
  const isRow = (row: unknown): boolean =>
    Array.isArray(row) &&
    row.length === (columns as string[]).length &&
    row.every((value) => value === null || isText(value))
  if (isText(table) && areTexts(columns) && Array.isArray(rows) && rows.every(isRow))
    return { table, columns, rows: rows as RowBatch['rows'] }
  throw new Misshapen('its rows have another shape')
}

function readHead(bytes: Uint8Array): ObjectHead {
  const { id, size, isVolume } = parsed(bytes)
  if (isText(id) && isCount(size) && (isVolume === undefined || isVolume === true))
    return { id, size, ...(isVolume && { isVolume }) }
  throw new Misshapen('it has another shape')
}

function readFleet(bytes: Uint8Array): FleetHead {
  const { host } = parsed(bytes)
  if (isText(host) && /^[0-9a-f-]{36}$/.test(host)) return { host }
  throw new Misshapen('it has another shape')
}

/** Parses an entry; undefined for a name unknown to this format. */
export function readEntry(name: string, bytes: Uint8Array): Read | undefined {
  if (/^rows\/\w+\/\d+\.json$/.test(name)) return { kind: 'rows', batch: readBatch(bytes) }
  if (name === names.fleet) return { kind: 'fleet', head: readFleet(bytes) }
  if (/^blocks\/\d+\/object\.json$/.test(name)) return { kind: 'object', head: readHead(bytes) }
  const piece = /^blocks\/\d+\/(\d+)$/.exec(name)
  return piece ? { kind: 'piece', chunk: Number(piece[1]), bytes } : undefined
}
