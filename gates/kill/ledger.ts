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
  /** Saved plans, each of which creates the project of this name; `committed` once that was acknowledged. */
  readonly plans: { id: string; project: string; isCommitted: boolean }[] = []
  /** Restorations of such a project that were accepted. */
  readonly restorations: string[] = []
  /** Membership by `group instance`, as of the last answer. */
  readonly members = new Map<string, boolean>()
  /** Forbidden answers, and contradictions between answers. */
  readonly faults: string[] = []
  /** Counts of requests by kind and outcome. */
  readonly tally = new Map<string, number>()
  acknowledged = 0
  uploads = 0

  add(kind: Kind, id: string, name: string): LedgerObject {
    const known = this.objects.get(id)
    if (known) return known
    const added: LedgerObject = { id, name, kind, state: 'there', isTaken: false, attachedTo: undefined }
    this.objects.set(id, added)
    return added
  }

  of(kind: Kind): LedgerObject[] {
    return [...this.objects.values()].filter((known) => known.kind === kind && known.state === 'there')
  }

  free(kind: Kind): LedgerObject[] {
    return this.of(kind).filter(({ isTaken }) => !isTaken)
  }

  isThere(id: string): boolean {
    return this.objects.get(id)?.state === 'there'
  }

  /** No two replacements may be acknowledged with the same generation. */
  replaced(name: string, generation: number, value: string): void {
    const known = this.documents.get(name)
    if (known?.generation === generation) this.faults.push(`${name} had generation ${generation} twice`)
    if (!known || generation > known.generation) this.documents.set(name, { generation, value })
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1)
  }
}
