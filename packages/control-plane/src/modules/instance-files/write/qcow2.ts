import { type DiskBytes, type LaidOut, readUnits, unitBytes, writtenUnits } from './written-units.ts'

/*
 * Images of QEMU, version 3 (QEMU's docs/interop/qcow2.txt): without compression, so that its size follows from which
 * clusters are written. In order: the header, the first-level table, the refcount table and its blocks, the second-level
 * tables, and the written clusters.
 */

const cluster = unitBytes
const clusterBits = 16
const headerLength = 104
const entryBytes = 8
/** Clusters that a second-level table leads to. */
const perTable = cluster / entryBytes
/** Clusters that a block of refcounts of 16 bits counts. */
const perRefcountBlock = cluster / 2
/** The refcount of what an entry leads to is one. */
const COPIED = 1n << 63n

export async function qcow2Of(disk: DiskBytes): Promise<LaidOut> {
  const units = await writtenUnits(disk, perTable)
  const l1Entries = units.perGroup.length
  const l1Clusters = Math.ceil((l1Entries * entryBytes) / cluster)
  const l2Tables = units.perGroup.reduce((sum, own) => sum + (own > 0 ? 1 : 0), 0)
  const { blocks, tableClusters } = refcountsFor(1 + l1Clusters + l2Tables + units.count)
  const refcountTable = 1 + l1Clusters
  const firstBlock = refcountTable + tableClusters
  const firstL2 = firstBlock + blocks
  const firstData = firstL2 + l2Tables
  const total = firstData + units.count

  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield header(disk.size, { l1Entries, refcountTable, tableClusters })
    let table = firstL2
    yield entries(l1Clusters, l1Entries, (at) =>
      units.perGroup[at] ? BigInt(table++ * cluster) | COPIED : 0n,
    )
    yield entries(tableClusters, blocks, (at) => BigInt((firstBlock + at) * cluster))
    for (let block = 0; block < blocks; block++) yield refcounts(total - block * perRefcountBlock)
    let next = firstData
    for (const [group, own] of units.perGroup.entries())
      if (own > 0)
        yield entries(1, perTable, (at) =>
          units.has(group * perTable + at) ? BigInt(next++ * cluster) | COPIED : 0n,
        )
    for await (const { bytes } of readUnits(disk, units, 0, Math.ceil(disk.size / cluster))) yield bytes
  }
  return { size: total * cluster, pieces }
}

/** Refcounts count their own clusters too. */
function refcountsFor(others: number): { blocks: number; tableClusters: number } {
  let blocks = 0
  let tableClusters = 0
  for (;;) {
    const needed = Math.ceil((others + blocks + tableClusters) / perRefcountBlock)
    const neededTable = Math.ceil((needed * entryBytes) / cluster)
    if (needed === blocks && neededTable === tableClusters) return { blocks, tableClusters }
    blocks = needed
    tableClusters = neededTable
  }
}

function header(
  size: number,
  at: { l1Entries: number; refcountTable: number; tableClusters: number },
): Uint8Array {
  const bytes = new Uint8Array(cluster)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0x514649fb)
  view.setUint32(4, 3)
  view.setUint32(20, clusterBits)
  view.setBigUint64(24, BigInt(size))
  view.setUint32(36, at.l1Entries)
  view.setBigUint64(40, BigInt(cluster))
  view.setBigUint64(48, BigInt(at.refcountTable * cluster))
  view.setUint32(56, at.tableClusters)
  // Refcounts of 2 to the power of 4 bits.
  view.setUint32(96, 4)
  view.setUint32(100, headerLength)
  return bytes
}

function entries(clusters: number, count: number, entry: (at: number) => bigint): Uint8Array {
  const bytes = new Uint8Array(clusters * cluster)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < count; at++) view.setBigUint64(at * entryBytes, entry(at))
  return bytes
}

function refcounts(count: number): Uint8Array {
  const bytes = new Uint8Array(cluster)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < Math.min(count, perRefcountBlock); at++) view.setUint16(at * 2, 1)
  return bytes
}
