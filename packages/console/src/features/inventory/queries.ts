import type { CallOptions, OutputOf } from '@gantry/api/client/client'
import { sledCondition } from '@gantry/api/system/hardware.rules'
import * as op from '@gantry/api/client/operations.gen'
import { queryOptions } from '@tanstack/react-query'
import type { Answer } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Failure } from '#/data/failure.ts'
import { allQuery, listQuery, metaOf, opQuery, readAll } from '#/data/queries.ts'
import { readEach } from '#/kit/page/read-each.ts'

export type Sled = OutputOf<'sledView'>
export type SledUse = OutputOf<'sledUseList'>['items'][number]
export type SledInstance = OutputOf<'sledInstanceList'>['items'][number]
export type PhysicalDisk = OutputOf<'physicalDiskList'>['items'][number]
export type Switch = OutputOf<'switchList'>['items'][number]
export type UninitializedSled = OutputOf<'sledListUninitialized'>['items'][number]
export type UnadoptedDisk = OutputOf<'physicalDiskListUnadopted'>['items'][number]
export type AdoptionRequest = OutputOf<'physicalDiskListAdoptionRequests'>['items'][number]
export type Membership = OutputOf<'rackMembershipStatus'>
export type Outage = OutputOf<'sledOutageView'>
export type Drain = OutputOf<'sledDrainView'>

export const sledAt = (sledId: string) => ({ path: { sledId } })

/** All sleds with slot, load, health and instances, in one response. */
export const sledUses = opQuery(op.sledUseList, {}, plainUses)
/** Whether the server reports how sleds are used, and drains them. */
export const hasUses = (): boolean => !isAbsent(op.sledUseList)
export const uninitializedSleds = opQuery(op.sledListUninitialized, {})
export const unadoptedDisks = opQuery(op.physicalDiskListUnadopted, {})
export const adoptionRequests = allQuery(op.physicalDiskListAdoptionRequests, {})
export const rackMembership = (rackId: string) => opQuery(op.rackMembershipStatus, { path: { rackId } })
export const sledView = (sled: string) => opQuery(op.sledView, sledAt(sled))
export const sledInstances = (sled: string) => listQuery(op.sledInstanceList, sledAt(sled))
export const sledOutage = (sled: string) => opQuery(op.sledOutageView, sledAt(sled))
export const sledDrains = (sled: string) => opQuery(op.sledDrainList, sledAt(sled))
export const sledDisks = (sled: string) => listQuery(op.sledPhysicalDiskList, sledAt(sled))
export const physicalDisks = listQuery(op.physicalDiskList, {})
export const switches = listQuery(op.switchList, {})

export interface SledLoad extends Pick<SledUse, 'threads' | 'memory'> {
  /** Number of instances. */
  instances: number
}

/** The reservations of instances on each sled, from servers that list them for one sled at a time. */
export const loadsOf = (uses: readonly SledUse[]) => {
  const sleds = new Map(uses.map(({ sled }) => [sled.id, sled]))
  const ids = [...sleds.keys()]
  return queryOptions<ReadonlyMap<string, SledLoad>, Failure>({
    queryKey: [op.sledInstanceList.name, { ids }],
    meta: metaOf(op.sledUseList),
    queryFn: ({ signal }) =>
      readEach(ids, signal, async (id, either): Promise<SledLoad> => {
        const instances = await readAll(op.sledInstanceList, sledAt(id), either)
        const sum = (of: 'ncpus' | 'memory'): number => instances.reduce((all, one) => all + one[of], 0)
        const sled = sleds.get(id)
        return {
          threads: { used: sum('ncpus'), total: sled?.usableHardwareThreads ?? 0 },
          memory: { used: sum('memory'), total: sled?.usablePhysicalRam ?? 0 },
          instances: instances.length,
        }
      }),
    enabled: ids.length > 0 && !hasUses(),
  })
}

/** Sleds alone: their slots are then NaN, and `loadsOf` reads what is reserved of them. */
async function plainUses(
  _input: unknown,
  { signal = new AbortController().signal }: CallOptions,
): Promise<Answer<'sledUseList'>> {
  const sleds = await readAll(op.sledList, {}, signal)
  const items = sleds.map((sled) => ({
    sled,
    condition: sledCondition({ ...sled, isLost: false, isDraining: false }),
    ...unknownUse,
  }))
  return { data: { items }, etag: undefined }
}

const unknownLoad = { used: 0, total: 0 }
const unknownUse = {
  cubby: Number.NaN,
  threads: unknownLoad,
  memory: unknownLoad,
  lostSince: null,
  engine: null,
  cpuFamily: null,
  drainId: null,
  instances: [],
}
