import type { Recorded } from './activity.ts'

/** States of an object with pending work of which a user is told. */
export const pendingStates = {
  instance: ['creating', 'starting', 'stopping', 'rebooting', 'migrating', 'repairing'],
  disk: ['creating', 'importing_from_bulk_writes', 'finalizing', 'attaching', 'detaching'],
  snapshot: ['creating'],
  'instance-snapshot': ['creating'],
  'instance-backup': ['creating', 'verifying'],
  'image-upload': ['open', 'fetching', 'copying', 'converting', 'completing'],
  'support-bundle': ['collecting'],
  'update-upload': ['open', 'checking'],
} as const satisfies Record<string, readonly string[]>

/** An object whose state says what it is doing. */
export type PendingKind = keyof typeof pendingStates

type Change = Pick<Recorded, 'kind' | 'before' | 'after'>
type Contents = Recorded['after']

/** What an object is doing; an instance calls it differently. */
export const stateIn = (row: Contents | null): unknown => row?.run_state ?? row?.state

/** Whether an object of this kind has pending work. */
export const isPending = (kind: string, row: Contents | null): boolean =>
  kind in pendingStates && (pendingStates[kind as PendingKind] as readonly unknown[]).includes(stateIn(row))

/** Work that has rows of its own, by the record of its beginning. */
const ofItsOwn: Readonly<Record<string, (change: Change) => boolean>> = {
  'instance-action': ({ after }) => after?.action !== undefined,
  deletion: ({ after }) => after?.state === 'running',
  restoration: ({ after }) => after?.state === 'running',
  'instance-backup-restore': ({ after }) => after?.state === 'running',
  'instance-restore': ({ after }) => after?.state === 'running',
  'sled-drain': ({ after }) => after?.mode !== undefined,
  'network-trial': ({ before }) => !before,
  'schedule-run': ({ after }) => after?.state === 'running',
  'target-release': () => true,
  sled: ({ before, after }) => after?.policy === 'expunged' && before?.policy !== 'expunged',
}

/** Kinds of work whose rows note each beginning, step and end; a sled's row notes much else. */
export const workKinds: ReadonlySet<string> = new Set(Object.keys(ofItsOwn).filter((kind) => kind !== 'sled'))

/** Changes of these are steps of a larger task. */
const isStep = ({ operation, request_id }: Asked): boolean =>
  operation === 'job:sled-drain' || (request_id ?? '').includes('/')

interface Asked {
  operation: string
  /** Of one call of a bulk action, it names the request and the call. */
  request_id: string | null
  isPlatform: boolean
}

/**
 * The kind of task that a change record begins; null if none. An object's work is told of where the change is about that
 * object: the disks of a new instance are part of creating it.
 */
export function taskOf(change: Change & { isLead: boolean }, asked: Asked): string | null {
  const { kind, before, after, isLead } = change
  if (ofItsOwn[kind]?.(change)) return kind
  if (!isLead || isStep(asked) || !isPending(kind, after)) return null
  // The next state of pending work is that same work, unless a user asked for something else meanwhile.
  const isOther = !asked.isPlatform && kind === 'instance' && stateIn(before) !== stateIn(after)
  return isPending(kind, before) && !isOther ? null : kind
}
