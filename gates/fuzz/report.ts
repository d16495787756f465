import type { Answered } from './judge.ts'
import type { Draft } from './draft.ts'

interface Fault {
  n: number
  role: string
  draft: Draft
  answer: Answered
  problems: string[]
}

/** Counts of requests and outcomes. */
export class Report {
  readonly faults: string[] = []
  readonly #byRole = new Map<string, Map<string, number>>()
  readonly #byKind = new Map<string, Map<string, number>>()
  readonly #statuses = new Map<string, Map<number, number>>()

  count(role: string, kind: string, op: string, status: number): void {
    const group = `${Math.floor(status / 100)}xx`
    add(this.#byRole, role, group)
    add(this.#byKind, kind, group)
    add(this.#statuses, op, status)
  }

  /** The first of each kind is reported in full. */
  fault({ n, role, draft, answer, problems }: Fault): void {
    const { op, method, path, query, headers, body, text } = draft
    const sort = `${op.id} ${problems[0]?.replaceAll(/[a-z]+-[a-z0-9]{6,}|[0-9a-f-]{36}|\[\d+\]/g, '…')}`
    if (this.faults.length > 60 || this.#seen.has(sort)) return
    this.#seen.add(sort)
    const written = (typeof text === 'string' ? text : JSON.stringify(body)) ?? ''
    this.faults.push(
      `#${n} ${role}: ${method} ${path}?${query.map((pair) => pair.join('=')).join('&')}`.slice(0, 300) +
        ` ${JSON.stringify({ ...headers, cookie: undefined, authorization: undefined })} ${written.slice(0, 300)}` +
        ` → ${answer.status} ${answer.text.slice(0, 300)}: ${problems.slice(0, 5).join('; ').slice(0, 600)}`,
    )
  }
  readonly #seen = new Set<string>()

  print(ids: readonly string[]): void {
    const classes = ['1xx', '2xx', '3xx', '4xx', '5xx']
    for (const [title, counted] of [
      ['role', this.#byRole],
      ['kind', this.#byKind],
    ] as const) {
      console.log(`| ${[title, ...classes].join(' | ')} |\n|${'---|'.repeat(classes.length + 1)}`)
      for (const [name, counts] of counted)
        console.log(`| ${[name, ...classes.map((each) => counts.get(each) ?? 0)].join(' | ')} |`)
    }
    const unreached = this.unreached(ids)
    console.log(`${ids.length - unreached.length} of ${ids.length} operations succeeded at least once`)
    for (const id of unreached)
      console.log(`never: ${id} ${JSON.stringify(Object.fromEntries(this.#statuses.get(id) ?? []))}`)
  }

  /** Operations that never succeeded. */
  unreached(ids: readonly string[]): string[] {
    return ids.filter((id) => ![...(this.#statuses.get(id)?.keys() ?? [])].some((status) => status < 400))
  }
}

function add<Key>(counts: Map<string, Map<Key, number>>, row: string, column: Key): void {
  const found = counts.get(row) ?? new Map<Key, number>()
  counts.set(row, found.set(column, (found.get(column) ?? 0) + 1))
}
