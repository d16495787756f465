import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { BoundedPGlite } from '@gantry/control-plane/db/bounded-pglite.js'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import fs from 'node:fs'
import { parsers } from '../values.js'
import { useBallast } from './use-ballast.js'
import { syncFolder } from './sync-files.js'

/** Returned by a wasm system call when the disk failed (`__WASI_ERRNO_IO`). */
const IO_ERROR = 29

/**
 * PGlite's own file system has no `fsync`, and its shim reports success without one, so a power cut could
 * lose or tear acknowledged writes. This one passes every sync of the database to the disk.
 */
class DurableNodeFS extends NodeFS {
  /** @type {string | undefined} */
  #ballast

  /**
   * @param {string} directory
   * @param {string | undefined} ballast
   */
  constructor(directory, ballast) {
    super(directory)
    this.#ballast = ballast
  }

  /**
   * @param {Parameters<NodeFS['init']>[0]} pg
   * @param {Parameters<NodeFS['init']>[1]} options
   * @override
   */
  async init(pg, options) {
    const { emscriptenOpts } = await super.init(pg, options)
    const ballast = this.#ballast
    const hooks = ballast === undefined ? [syncForReal] : [syncForReal, useBallast(ballast)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), ...hooks] } }
  }
}

/** @param {{ NODEFS: any }} module The Emscripten module, which has no types. */
function syncForReal(module) {
  const nodefs = module.NODEFS
  nodefs.stream_ops.fsync = (/** @type {{ nfd?: number, node: unknown }} */ stream) => {
    try {
      // Emscripten opens no descriptor for a directory, but its entries need syncing as much as files do.
      if (stream.nfd === undefined) syncFolder(nodefs.realPath(stream.node))
      else fs.fsyncSync(stream.nfd)
      return 0
    } catch {
      // PostgreSQL panics on a failed sync, because the state on disk is unknown. That is right.
      return IO_ERROR
    }
  }
}

/** The only sync method that reaches `stream_ops.fsync`: PGlite's `fdatasync` is a stub. */
const durability = { fsync: 'on', wal_sync_method: 'fsync' }

/**
 * One connection in a separate process needs little shared memory; more only increases the resident size. The
 * zone is fixed so that the text of a time does not depend on the host.
 */
const settings = {
  shared_buffers: '16MB',
  max_connections: '5',
  wal_buffers: '1MB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  TimeZone: 'UTC',
}

/**
 * Opens the cluster in `directory`, and creates it if need be. A ballast is a file that is removed when the
 * disk is full; `onSaid` receives the lines of the server's log.
 * @param {string} directory
 * @param {{ ballast?: string, onSaid?: (line: string) => void }} [options]
 */
export async function openCluster(directory, { ballast, onSaid } = {}) {
  const set = Object.entries({ ...durability, ...settings })
  // The inherited `create` would instantiate the parent class.
  const cluster = new BoundedPGlite({
    fs: new DurableNodeFS(directory, ballast),
    parsers,
    // Without it, an existing trigram index could not be updated.
    extensions: { pg_trgm },
    onStderr: (line) => {
      onSaid?.(line)
      return false
    },
    // `-F` would turn syncing off.
    startParams: [
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
      ...set.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
  })
  await cluster.waitReady
  return cluster
}
