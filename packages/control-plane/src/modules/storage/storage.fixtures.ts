import { type BlockStore, OutOfSpace } from '../../blocks/block-store.ts'
import { memoryBlocks } from '../../blocks/memory.ts'
import { invalid } from '../../context/refusal.ts'
import { type Answer, type Caller, settledJobs, type TestBed } from '../../testing/control-plane.ts'

const GiB = 1024 ** 3

/** A block store with failures on demand: a number of times for each call, or a pause before it writes. */
export function failingBlocks() {
  const held = memoryBlocks()
  const failing = {
    create: 0,
    refused: 0,
    remove: 0,
    digest: 0,
    full: 0,
    copies: 0,
    room: 0,
    beforeWrite: async (): Promise<void> => {},
  }
  const fail = (call: 'create' | 'remove' | 'digest'): void => {
    if (failing[call] === 0) return
    failing[call]--
    throw new Error(`${call} failed`)
  }
  const blocks: BlockStore = {
    ...held,
    needRoomFor: async () => {
      if (failing.room > 0) {
        failing.room--
        throw new OutOfSpace('full', { space: { free: 512 * 1024 ** 2, reserve: GiB } })
      }
    },
    create: async (...given) => {
      fail('create')
      if (failing.refused > 0) {
        failing.refused--
        throw invalid('create refused', 'Use another size.')
      }
      if (given[2] !== undefined && failing.copies > 0) {
        failing.copies--
        throw new OutOfSpace('full')
      }
      return held.create(...given)
    },
    write: async (...given) => {
      if (failing.full > 0) {
        failing.full--
        throw new OutOfSpace('full')
      }
      await failing.beforeWrite()
      return held.write(...given)
    },
    digest: async (id) => {
      fail('digest')
      return held.digest(id)
    },
    remove: async (id) => {
      fail('remove')
      return held.remove(id)
    },
  }
  return { blocks, failing }
}

/** Recurring steps of storage tests, in the project `playground`. */
export function storageSteps(now: () => { bed: TestBed; me: Caller }) {
  const at = (path: string, project = 'playground') => `/v1/${path}?project=${project}`
  const blank = { type: 'blank', block_size: 512 }
  return {
    at,
    blank,
    said: ({ status, body }: Answer) => (status < 400 ? String(status) : `${status} ${body.message}`),
    makeDisk: (name: string, more: object = {}, project?: string) =>
      now().me.post(at('disks', project), { name, description: '', size: GiB, disk_source: blank, ...more }),
    snapshot: (name: string, disk: string, project?: string) =>
      now().me.post(at('snapshots', project), { name, description: '', disk }),
    stateOf: async (path: string): Promise<string> => {
      const { state } = (await now().me.get(at(path))).body
      return typeof state === 'object' ? state.state : state
    },
    /** The content id of a live object, by its id or name. */
    contentOf: async (table: 'disk' | 'snapshot' | 'image', which: string): Promise<string> => {
      const row = await now()
        .bed.db.selectFrom(table)
        .select('content_id')
        .where(/^[0-9a-f-]{36}$/.test(which) ? 'id' : 'name', '=', which)
        .where('time_deleted', 'is', null)
        .executeTakeFirstOrThrow()
      return row.content_id
    },
    storage: async (): Promise<number> => (await now().me.get('/v1/utilization')).body.provisioned.storage,
    settled: () => settledJobs(now().bed),
  }
}
