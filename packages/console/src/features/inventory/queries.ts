import type { CallOptions, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { Answer } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import { listQuery, opQuery, readAll } from '#/data/queries.ts'

export type Sled = OutputOf<'sledView'>
export type SledUse = OutputOf<'sledUseList'>['items'][number]
export type SledInstance = OutputOf<'sledInstanceList'>['items'][number]
export type PhysicalDisk = OutputOf<'physicalDiskList'>['items'][number]
export type Switch = OutputOf<'switchList'>['items'][number]
export type UninitializedSled = OutputOf<'sledListUninitialized'>['items'][number]
export type Drain = OutputOf<'sledDrainView'>

export const sledAt = (sledId: string) => ({ path: { sledId } })

/** All sleds with slot, load, health and instances, in one response. */
export const sledUses = opQuery(op.sledUseList, {}, plainUses)
/** Whether the server reports how sleds are used, and drains them. */
export const hasUses = (): boolean => !isAbsent(op.sledUseList)
export const uninitializedSleds = opQuery(op.sledListUninitialized, {})
export const sledView = (sled: string) => opQuery(op.sledView, sledAt(sled))
export const sledInstances = (sled: string) => listQuery(op.sledInstanceList, sledAt(sled))
export const sledDrains = (sled: string) => opQuery(op.sledDrainList, sledAt(sled))
export const sledDisks = (sled: string) => listQuery(op.sledPhysicalDiskList, sledAt(sled))
export const physicalDisks = listQuery(op.physicalDiskList, {})
export const switches = listQuery(op.switchList, {})

/** Sleds alone, whose slots are then NaN. */
async function plainUses(
  _input: unknown,
  { signal = new AbortController().signal }: CallOptions,
): Promise<Answer<'sledUseList'>> {
  const sleds = await readAll(op.sledList, {}, signal)
  return { data: { items: sleds.map((sled) => ({ sled, ...unknownUse })) }, etag: undefined }
}

const unknownLoad = { used: 0, total: 0 }
const unknownUse = {
  cubby: Number.NaN,
  threads: unknownLoad,
  memory: unknownLoad,
  isLost: false,
  engine: null,
  drainId: null,
  instances: [],
}
