/** Lists that the load adds to and takes from, by their paths. */
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

export interface Known {
  id: string
  name: string
  kind: Kind
  /** `leaving`: its deletion was asked for, and nobody has said yet how that ended. */
  state: 'there' | 'leaving' | 'gone'
  /** One client acts on it now; what it is attached to is then known to that client alone. */
  isTaken: boolean
  /** The instance that it is attached to by the last answer, null for none, undefined when an answer is missing. */
  attachedTo: string | null | undefined
}

/** A document that is replaced as a whole, by its newest acknowledged generation. */
interface Document {
  generation: number
  value: string
}

/** What clients were told, and what they asked for without hearing the answer. */
export class Ledger {
  readonly objects = new Map<string, Known>()
  readonly documents = new Map<string, Document>()
  /** Requests that were answered, whose audit records must be there once each. */
  readonly answered: { request: string; status: number }[] = []
  /** Bulk actions that were accepted. */
  readonly actions: string[] = []
  /** Whether it is a member, by `group instance`, as of the last answer. */
  readonly members = new Map<string, boolean>()
  /** What no request may be answered with, and what answers say against each other. */
  readonly faults: string[] = []
  /** How often what was answered how. */
  readonly tally = new Map<string, number>()
  acknowledged = 0
  uploads = 0

  add(kind: Kind, id: string, name: string): Known {
    const known = this.objects.get(id)
    if (known) return known
    const added: Known = { id, name, kind, state: 'there', isTaken: false, attachedTo: undefined }
    this.objects.set(id, added)
    return added
  }

  of(kind: Kind): Known[] {
    return [...this.objects.values()].filter((known) => known.kind === kind && known.state === 'there')
  }

  free(kind: Kind): Known[] {
    return this.of(kind).filter(({ isTaken }) => !isTaken)
  }

  isThere(id: string): boolean {
    return this.objects.get(id)?.state === 'there'
  }

  /** The generation that a replacement was answered with is nobody else's. */
  replaced(name: string, generation: number, value: string): void {
    const known = this.documents.get(name)
    if (known?.generation === generation) this.faults.push(`${name} had generation ${generation} twice`)
    if (!known || generation > known.generation) this.documents.set(name, { generation, value })
  }

  count(what: string): void {
    this.tally.set(what, (this.tally.get(what) ?? 0) + 1)
  }
}
