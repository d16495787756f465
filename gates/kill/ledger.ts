/** Lists that the load adds to and deletes from, by their paths. */
export const kinds = [
  'instances',
  'disks',
  'snapshots',
  'images',
  'floating-ips',
  'anti-affinity-groups',
  'ssh-keys',
] as const
export type Kind = (typeof kinds)[number]

export interface LedgerObject {
  id: string
  name: string
  kind: Kind
  /** `leaving`: its deletion was requested, with an unknown outcome. */
  state: 'there' | 'leaving' | 'gone'
  /** One client is using it; only that client knows what it is attached to. */
  isTaken: boolean
  /** The instance it is attached to by the last answer, null for none, undefined if an answer is missing. */
  attachedTo: string | null | undefined
}

/** A document that is replaced as a whole, by its newest acknowledged generation. */
interface Document {
  generation: number
  value: string
}

/** Acknowledged changes, and requests without a response. */
export class Ledger {
  readonly objects = new Map<string, LedgerObject>()
  readonly documents = new Map<string, Document>()
  /** Answered requests, each of which needs exactly one audit record. */
  readonly answered: { request: string; status: number }[] = []
  /** Bulk actions that were accepted. */
  readonly actions: string[] = []
  /** Deletions of projects with their contents that were accepted. */
  readonly deletions: string[] = []
  /** Restorations of such a project that were accepted. */
  readonly restorations: string[] = []
