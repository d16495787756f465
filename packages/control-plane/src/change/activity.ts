import { type ActivityAction, revertedKinds } from '@gantry/api/history/activity.rules'
import { untoldKinds } from '@gantry/api/history/activity-kinds.rules'
import type { Row, TrackedName } from '../db/tables.ts'
import { kinds } from '../lookup/kinds.ts'
import { objectOfOperation } from './object-of.ts'

type Contents = Readonly<Record<string, unknown>>

/** A change record before it is written. */
export interface Recorded extends Pick<
  Row<'change'>,
  'id' | 'kind' | 'op' | 'object_id' | 'name' | 'silo_id' | 'project_id'
> {
  before: Contents | undefined
  after: Contents | undefined
  /** The object that this one is a part of or attached to. */
  holder_id: string | null
}

/** Verbs of operations that change an object's state rather than what it is. */
const byOperation: Readonly<Record<string, ActivityAction>> = {
  instance_start: 'started',
  sled_outage_start: 'started',
  instance_stop: 'stopped',
  instance_reboot: 'rebooted',
  instance_force_off: 'forced_off',
  snapshot_create: 'took',
  instance_snapshot_create: 'took',
  image_promote: 'promoted',
  image_demote: 'demoted',
  protection_update: 'protected',
  protection_remove: 'unprotected',
  tags_edit: 'tagged',
  tags_update: 'tagged',
  image_upload_complete: 'completed',
  instance_import: 'completed',
  disk_finalize_import: 'completed',
}

/** What a request asks for, by its operation alone: of one that was refused there is no change. */
export function verbOf(operation: string): ActivityAction {
  const verb = byOperation[operation]
  if (verb) return verb
  if (operation.endsWith('_attach')) return 'attached'
  if (operation.endsWith('_detach')) return 'detached'
  const op = objectOfOperation(operation)?.op ?? 'update'
  return op === 'create' ? 'created' : op === 'delete' ? 'deleted' : 'edited'
}

interface Told extends Pick<Recorded, 'kind' | 'op' | 'before' | 'after'> {
  operation: string
  isPlatform: boolean
}

/** What the account says of a change; undefined for the platform's routine, which no user needs to know. */
export function actionOf(change: Told): ActivityAction | undefined {
  const { kind, op, operation, isPlatform } = change
  if (untoldKinds.has(kind) || isShared(change)) return undefined
  const verb = byOperation[operation]
  if (verb && objectOfOperation(operation)?.kind === kind && (op === 'update' || verb === 'took')) return verb
  // The operation is about the snapshot, and what it does about the instance.
  if (operation === 'instance_snapshot_restore' && kind === 'instance') return 'restored'
  if (op === 'create') return operation === 'recycled_item_restore' ? 'restored' : 'created'
  // What was deleted before has nothing to show.
  if (op === 'delete') return change.before ? 'deleted' : 'purged'
  return isPlatform ? platformUpdate(change) : userUpdate(change)
}

/**
 * The address that instances share for outgoing connections comes and goes with them, and one that nothing holds is
 * only reserved.
 */
function isShared({ kind, before, after }: Told): boolean {
  const row = after ?? before
  if (kind !== 'external-ip' || !row) return false
  return row.kind === 'snat' || ((row.instance_id ?? null) === null && (row.probe_id ?? null) === null)
}

const differs = ({ before, after }: Told, column: string): boolean =>
  JSON.stringify(before?.[column] ?? null) !== JSON.stringify(after?.[column] ?? null)

/** What comes and goes with the credentials of a user has no row of its own. */
const credentials: ReadonlySet<string> = new Set(['console-session', 'device-access-token'])

function userUpdate(change: Told): ActivityAction {
  const { kind, before, after } = change
  if (credentials.has(kind) && !before && !after) return 'ended'
  if (!before && after) return 'created'
  if (before && !after) return 'deleted'
  const attached = attachment(change)
  if (attached) return attached
  if (differs(change, 'protection')) return after?.protection ? 'protected' : 'unprotected'
  if (differs(change, 'tags')) return 'tagged'
  if (differs(change, 'ncpus') || differs(change, 'memory')) return 'resized'
  return differs(change, 'name') && onlyDiffers(change, 'name') ? 'renamed' : 'edited'
}

/** Rows that many changes touch differ in these columns, whatever was asked for. */
const bookkeeping: ReadonlySet<string> = new Set(['generation', 'time_modified'])

const onlyDiffers = (change: Told, column: string): boolean =>
  Object.keys({ ...change.before, ...change.after }).every(
    (each) => each === column || bookkeeping.has(each) || !differs(change, each),
  )

function attachment({ before, after }: Told): 'attached' | 'detached' | undefined {
  const [was, is] = [before?.instance_id ?? null, after?.instance_id ?? null]
  // Its guest has been asked to release it.
  if (after?.state === 'detaching' && before?.state === 'attached') return 'detached'
  if (was === is) return undefined
  return is === null ? 'detached' : 'attached'
}

export const failedStates: ReadonlySet<unknown> = new Set(['failed', 'faulted'])

/** The platform changes rows all the time; the account has only what no user asked for, and what ends something. */
function platformUpdate(change: Told): ActivityAction | undefined {
  const { kind, before, after } = change
  if (kind === 'instance') return instanceUpdate(change)
  if (!differs(change, 'state')) return undefined
  if (failedStates.has(after?.state)) return 'failed'
  return kind === 'sled-drain' && before && after?.state === 'done' ? 'completed' : undefined
}

function instanceUpdate(change: Told): ActivityAction | undefined {
  const { before, after } = change
  if (differs(change, 'time_last_auto_restarted')) return 'restarted'
  if (!differs(change, 'run_state')) return undefined
  if (after?.run_state === 'failed') return 'failed'
  if (after?.run_state === 'migrating') return 'moved'
  // A guest that shut itself down; a stop that was asked for was told then.
  return after?.run_state === 'stopped' && before?.run_state === 'running' ? 'stopped' : undefined
}

/** What a row is a part of or attached to, so that the account of the one tells of the other. */
export function holderOf(
  table: TrackedName,
  before: Contents | undefined,
  after: Contents | undefined,
): string | null {
  const { parent, heldBy } = kinds[table]
  const column = heldBy ?? `${parent}_id`
  if (!heldBy && (parent === 'fleet' || parent === 'silo' || parent === 'project')) return null
  return (after?.[column] ?? before?.[column] ?? null) as string | null
}

/**
 * The entries of activity that a change makes: one for each place that it touched, about the object of the operation, or
 * the one that the request named, otherwise about the first that is told of. What else changed there belongs to it.
 */
export function entriesOf<Record extends Recorded>(
  records: readonly Record[],
  {
    operation,
    about: named,
    isPlatform,
  }: Pick<Told, 'operation' | 'isPlatform'> & { about?: string | undefined },
): { lead: Record; action: ActivityAction; members: Record[] }[] {
  const about = objectOfOperation(operation)
  const rank = ({ kind, op, object_id }: Recorded) => {
    if (!about) return object_id === named ? 0 : 1
    return kind !== about.kind ? 2 : op === about.op ? 0 : 1
  }
  const entries = new Map<string, ReturnType<typeof entriesOf<Record>>[number]>()
  for (const record of records) {
    const action = actionOf({ ...record, operation, isPlatform })
    if (!action) continue
    const place = `${record.silo_id} ${record.project_id}`
    const known = entries.get(place)
    if (!known) entries.set(place, { lead: record, action, members: [record] })
    else {
      known.members.push(record)
      if (rank(record) < rank(known.lead)) Object.assign(known, { lead: record, action })
    }
  }
  return [...entries.values()]
}

/**
 * The place of each member in its entry: what it is about first, then in order. A list is replaced by deleting what
 * differs and creating it anew; the two share a place, so that no reader of the first places sees one of them alone.
 */
export function placesIn<Record extends Recorded>(
  lead: Record,
  members: readonly Record[],
): Map<string, number> {
  const places = new Map<string, number>()
  const placeOf = ({ kind, name, id }: Recorded): number => {
    const key = `${kind} ${name ?? id}`
    const place = places.get(key) ?? places.size
    places.set(key, place)
    return place
  }
  return new Map([lead, ...members].map((member) => [member.id, placeOf(member)]))
}

const reverted: ReadonlySet<string> = new Set(revertedKinds)

const edits: ReadonlySet<ActivityAction> = new Set(['edited', 'renamed', 'resized'])

/** Whether an entry about this change is worth an offer to take it back; the plan decides. */
export const mayBeReverted = ({ kind, op }: Recorded, action: ActivityAction): boolean =>
  (op === 'update' && action === 'tagged') ||
  (reverted.has(kind) && ((op === 'update' && edits.has(action)) || kind === 'vpc-firewall-rule'))
