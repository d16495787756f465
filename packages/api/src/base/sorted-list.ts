import { z } from 'zod'
import { InstanceBackupPage } from '../backups/instance-backup.ts'
import { diskStates } from '../storage/disk.rules.ts'
import { DiskPage } from '../storage/disk.ts'
import { runStates } from '../compute/instance.rules.ts'
import { InstancePage } from '../compute/instance.ts'
import {
  filteredKinds,
  listKinds,
  type InVpcKind,
  type OfProjectKind,
  wordOf,
} from '../filter/list-kinds.rules.ts'
import { ExternalSubnetPage } from '../network/external-subnet.ts'
import { FloatingIpPage } from '../network/floating-ip.ts'
import { ImagePage } from '../storage/image.ts'
import { filteredQuery, filterText } from './filtered-query.ts'
import { nameMaxLength } from './name.rules.ts'
import { family, get } from '../op.ts'
import { ByteCount, flag, list, maybe, Moment, named, NameOrId, text, Uuid } from '../schema.ts'
import { InstanceSnapshotPage } from '../storage/instance-snapshot.ts'
import { SnapshotPage } from '../storage/snapshot.ts'
import { snapshotStates } from '../storage/snapshot.rules.ts'
import { InternetGatewayPage } from '../network/internet-gateway.ts'
import { VpcRouterPage } from '../network/vpc-router.ts'
import { VpcPage, VpcSubnetPage } from '../network/vpc.ts'
import { SchedulePage } from '../schedules/schedule.ts'

/** Where to search and for what. Without a project: in all that the caller may see. */
const asked = {
  project: maybe(NameOrId),
  filter: filterText,
}
/** Of what VPCs hold, only that of one VPC, which is named with its project or by id. */
const ofVpc = { vpc: maybe(NameOrId) }
/** Of images, only those of the silo itself, which belong to no project. */
const ofSilo = { silo_only: maybe(flag) }

/**
 * The objects of a kind in a project or in all projects, in useful sort orders; pages have the same shape as in the
 * plain list.
 */
const listOf = <Page extends z.ZodType, More extends z.ZodRawShape>(
  kind: OfProjectKind | InVpcKind,
  returns: Page,
  more: More,
) => {
  const { noun, path } = listKinds[kind]
  return get(`/ext/v1/${path}`, {
    summary: `List ${noun}s sorted and filtered`,
    ...filteredQuery(kind, { project: asked.project }, more),
    returns,
    reads: [wordOf(kind)],
  })
}

/** What these lists could filter by before they had a grammar. */
const byState = <State extends string>(states: readonly [State, ...State[]]) => ({
  /** Part of the name, ignoring case. */
  name: maybe(text(nameMaxLength, `expected at most ${nameMaxLength} characters`)),
  /** Any of these: repeated, or separated by commas. */
  state: maybe(list(z.enum(states))),
  /** Inclusive. */
  created_after: maybe(Moment),
  /** Exclusive. */
  created_before: maybe(Moment),
})

/** Only those of this instance, by its id, also once it is deleted. */
const ofInstance = { instance_id: maybe(Uuid) }

const ofKind = { kind: z.enum(filteredKinds), ...asked, ...ofSilo, ...ofVpc }

export const ListTotals = named(
  'ListTotals',
  z.object({
    /** Objects that match. */
    count: z.number().int(),
    /** All objects, whatever the filter. */
    all: z.number().int(),
    /** Sums of those that match, of kinds that have these. */
    ncpus: z.number().int().nullable(),
    memory: ByteCount.nullable(),
    /** Bytes of disks, images or snapshots, or of the disks attached to instances; null also where those are too many. */
    size: ByteCount.nullable(),
    /** If nothing matches: how many would without each of the filter's terms. */
    without: z.array(
      z.object({
        /** The term, as it stands in the filter. */
        term: z.string(),
        count: z.number().int(),
      }),
    ),
  }),
)

export const ListValues = named(
  'ListValues',
  z.object({ items: z.array(z.object({ value: z.string(), count: z.number().int() })) }),
)

const reads = [...new Set(filteredKinds.map(wordOf))]

export const sortedListOps = family('extensions', [], {
  instanceSortedList: listOf('instance', InstancePage, byState(runStates)),
  diskSortedList: listOf('disk', DiskPage, byState(diskStates)),
  snapshotSortedList: listOf('snapshot', SnapshotPage, byState(snapshotStates)),
  instanceSnapshotList: listOf('instance-snapshot', InstanceSnapshotPage, ofInstance),
  instanceBackupList: listOf('instance-backup', InstanceBackupPage, ofInstance),
  imageSortedList: listOf('image', ImagePage, ofSilo),
  floatingIpSortedList: listOf('floating-ip', FloatingIpPage, {}),
  externalSubnetSortedList: listOf('external-subnet', ExternalSubnetPage, {}),
  vpcSortedList: listOf('vpc', VpcPage, {}),
  vpcSubnetSortedList: listOf('vpc-subnet', VpcSubnetPage, ofVpc),
  vpcRouterSortedList: listOf('vpc-router', VpcRouterPage, ofVpc),
  internetGatewaySortedList: listOf('internet-gateway', InternetGatewayPage, ofVpc),
  scheduleList: listOf('schedule', SchedulePage, {}),
  listTotals: get('/ext/v1/list-totals', {
    summary: 'Count and sum up the objects that a filter finds',
    query: z.object(ofKind),
    returns: ListTotals,
    reads,
  }),
  listValues: get('/ext/v1/list-values', {
    summary: 'List the values of a field among the objects that a filter finds, most frequent first',
    query: z.object({
      ...ofKind,
      field: text(32, 'expected the name of a field'),
      /** What values begin with. */
      prefix: maybe(text(nameMaxLength, `expected at most ${nameMaxLength} characters`)),
    }),
    returns: ListValues,
    reads,
  }),
})
