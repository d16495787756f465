import * as op from '@gantry/api/client/operations.gen'
import { ask, call } from '#/data/client.ts'

/** Limit of names listed per kind; the others are counted. */
const maxNamed = 5
const maxCounted = 1000

/** One kind of object, with the names of those in a project. */
export interface BlockerGroup {
  /** The plural, in lower case. */
  kind: string
  names: readonly string[]
}

/** All blockers of a project's deletion. The default network is none if it is the only content. */
export async function findBlockers(project: string): Promise<BlockerGroup[]> {
  const query = { project, limit: maxCounted }
  const [instances, disks, snapshots, images, ips, vpcs, apart, together, probes] = await Promise.all([
    call(op.instanceList, { query }),
    call(op.diskList, { query }),
    call(op.snapshotList, { query }),
    call(op.imageList, { query }),
    call(op.floatingIpList, { query }),
    call(op.vpcList, { query }),
    call(op.antiAffinityGroupList, { query }),
    call(op.affinityGroupList, { query }),
    // The API does not count probes, but they keep the default network from being deleted.
    ask(op.probeList, { query }),
  ])
  const ownImages = images.data.items.filter(({ projectId }) => projectId)
  const ownVpcs = vpcs.data.items.filter(({ name }) => name !== 'default')
  return [
    { kind: 'instances', names: namesOf(instances.data.items) },
    { kind: 'disks', names: namesOf(disks.data.items) },
    { kind: 'snapshots', names: namesOf(snapshots.data.items) },
    { kind: 'images', names: namesOf(ownImages) },
    { kind: 'floating IPs', names: namesOf(ips.data.items) },
    { kind: 'VPCs', names: namesOf(ownVpcs) },
    { kind: 'anti-affinity groups', names: namesOf(apart.data.items) },
    { kind: 'affinity groups', names: namesOf(together.data.items) },
    { kind: 'probes', names: namesOf(probes?.items ?? []) },
  ]
}

const namesOf = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name)

/** `Delete these first: disks a, b; snapshots c.` Undefined without blockers. */
export function blockersSentence(blockers: readonly BlockerGroup[]): string | undefined {
  const parts = blockers.flatMap(({ kind, names }) => {
    if (names.length === 0) return []
    const more = names.length - maxNamed
    const named = names.slice(0, maxNamed).join(', ')
    return [`${kind} ${named}${more > 0 ? ` and ${more} more` : ''}`]
  })
  return parts.length === 0 ? undefined : `Delete these first: ${parts.join('; ')}.`
}
