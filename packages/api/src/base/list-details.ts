import { z } from 'zod'
import { ofProjectKinds, wordOf } from '../filter/list-kinds.rules.ts'
import { family, get } from '../op.ts'
import { ByteCount, list, named, Timestamp, Uuid } from '../schema.ts'
import { detailedRows } from './list-details.rules.ts'

const Related = named('RelatedObject', z.object({ id: Uuid, name: z.string() }))
const related = Related.nullable()

export const ListDetail = named(
  'ListDetail',
  z.object({
    id: Uuid,
    /** Null for an object of the silo. */
    project: related,
    is_protected: z.boolean(),
    /** What a disk or a floating IP is attached to, or what an instance snapshot is of; null once that is deleted. */
    instance: related,
    /** What a disk, or the boot disk of an instance, was made from, if the caller may see it. */
    image: related,
    /** What a snapshot is of; null once that is deleted. */
    disk: related,
    /** What took a snapshot or an instance snapshot, while it keeps that; null if a user did. */
    schedule: related,
    /** What a snapshot belongs to, with which it is deleted. */
    instance_snapshot: related,
    /** Of a disk; how many it has. */
    snapshots: z.number().int().nullable(),
    /** Bytes of a disk that take storage: what was written and not discarded. Null if the fleet does not tell. */
    size_used: ByteCount.nullable(),
    /** How many disks that the caller may see were made from an image: at most one more than are counted. */
    used_by: z.number().int().nullable(),
    /** Addresses of an instance of its own, and its VPCs. */
    external_ips: z.array(z.string()),
    internal_ips: z.array(z.string()),
    vpcs: z.array(Related),
    /** When an instance was rebooted or restarted last, as far back as changes are kept. */
    time_last_restarted: Timestamp.nullable(),
    /** Where an instance is; null for callers who do not operate the fleet. */
    sled: related,
  }),
)
export type ListDetail = z.infer<typeof ListDetail>

export const listDetailOps = family('extensions', [], {
  listDetails: get('/ext/v1/list-details', {
    summary: 'Fetch what lists show of related objects, for the rows of a page',
    query: z.object({ kind: z.enum(ofProjectKinds), id: list(Uuid, detailedRows) }),
    returns: named('ListDetails', z.object({ items: z.array(ListDetail) })),
    reads: [...ofProjectKinds.map(wordOf), 'instance-network-interface', 'project'],
  }),
})
