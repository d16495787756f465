import { checker, errorSchema, type Operation } from './document.ts'
import type { Role } from './people.ts'
import { mayRead, type Thing } from './world.ts'

export interface Answered {
  status: number
  headers: Headers
  text: string
}

/** The only allowed refusals of this class: no space, or an object in transition; both say so. */
const refused: Readonly<Record<number, string>> = {
  503: '"ServiceNotAvailable"',
  507: '"InsufficientCapacity"',
}
const JSON_TYPE = 'application/json'

/** Problems with the form of a response. */
export function formProblems(op: Operation | undefined, { status, headers, text }: Answered): string[] {
  if (status === 101) return []
  const problems: string[] = []
  const type = headers.get('content-type')
  if (status >= 500 && !text.includes(refused[status] ?? '"?"')) problems.push(`failed with ${status}`)
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? '')) problems.push('no x-request-id')
  if (headers.get('cache-control') !== 'no-store')
    problems.push(`cache-control ${headers.get('cache-control')}`)
  const content = op?.contentOf(status)
  // A file of any type, whose tag says which bytes they are.
  if (status < 300 && content?.['*/*'] && headers.get('accept-ranges') === 'bytes')
    return headers.get('content-disposition') ? problems : [...problems, 'a file to show']
  const etag = headers.get('etag')
  if (etag !== null && !/^"\d+"$/.test(etag)) problems.push(`ETag ${etag}`)
  if (status === 405 && !headers.get('allow')) problems.push('no Allow')
  if (status === 204 || (status >= 300 && status < 400)) {
    if (text !== '') problems.push(`a body with ${status}`)
    if (status !== 204 && !headers.get('location')) problems.push('no Location')
    return problems
  }
  // An unknown path or method is not in the document, but its refusal is.
  if (type === 'text/event-stream') {
    if (!content?.[type]) problems.push('an undocumented stream')
    return problems
  }
  const [essence = ''] = type?.split(';') ?? []
  if (essence === 'text/plain' && content?.[essence]) return problems
  if (type !== JSON_TYPE) return [...problems, `content-type ${type}`]
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return [...problems, 'no JSON']
  }
  if (status >= 400) {
    if (content && !content[JSON_TYPE] && isOauthError(body)) return problems
    return [...problems, ...checker.problems(errorSchema, body)]
  }
  const schema = content?.[JSON_TYPE]?.schema ?? content?.['*/*']?.schema
  return schema
    ? [...problems, ...checker.problems(schema, body)]
    : [...problems, `${status} is not documented`]
}

/** RFC 6749, 5.2, the format for devices. */
const isOauthError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).join() === 'error'

/** Finds information in a response that its reader may not see. */
export class LeakDetector {
  readonly #secrets: readonly string[]
  /** By each text: what was deleted keeps its name in the recycle bin, and a probe's interface has the probe's. */
  readonly #words = new Map<string, Thing[]>()
  readonly #disclosed = new Set<Thing>()

  constructor(things: readonly Thing[], secrets: readonly string[]) {
    this.#secrets = secrets
    for (const thing of things)
      for (const word of thing.words) this.#words.set(word, [...(this.#words.get(word) ?? []), thing])
  }

  /** Everything was restored: texts that requests wrote are gone again. */
  forget(): void {
    this.#disclosed.clear()
  }

  /**
   * Text in a request may become visible to others: everything the request names, and the keys of the
   * instance's creator.
   */
  wrote(role: Role, request: string): void {
    for (const word of wordsOf(request)) {
      for (const thing of this.#words.get(word) ?? []) this.#disclosed.add(thing)
    }
    for (const thing of [...this.#words.values()].flat())
      if (thing.table === 'ssh_key' && thing.owner_id === role.user_id) this.#disclosed.add(thing)
  }

  leaks(role: Role, request: string, text: string, path = ''): string[] {
    const own = Object.values(role.headers).join(' ')
    const secret = this.#secrets.filter((each) => text.includes(each) && !request.includes(each))
    const requested = new Set(wordsOf(request))
    // An audit log repeats what callers of the same silo typed, also before a restore, and so do refusals in activity.
    const seen = withoutRefusals(path, text).replaceAll(/"(request_uri|error_message)":"(\\.|[^"\\])*"/g, '')
    const mayKnow = (word: string) => (thing: Thing) =>
      this.#disclosed.has(thing) || mayRead(role, thing) || isNamedThere(path, role, thing, word)
    const unknown = wordsOf(seen).filter((word) => {
      const things = this.#words.get(word)
      return things && !requested.has(word) && !things.some(mayKnow(word))
    })
    return [
      ...secret.filter((each) => !own.includes(each)).map(() => 'discloses a secret'),
      ...[...new Set(unknown)].map((word) => {
        const [thing] = this.#words.get(word) ?? []
        const by = word === thing?.id ? 'id' : word === thing?.name ? 'name' : 'description'
        const at = seen.indexOf(word)
        return `discloses ${thing?.table} ${thing?.name ?? thing?.id} by ${by} in ${seen.slice(at - 150, at + 50)}`
      }),
    ]
  }
}

function withoutRefusals(path: string, text: string): string {
  if (!/^\/ext\/v1\/(system\/)?activity$/.test(path) || !text.startsWith('{"items"')) return text
  const { items, ...rest } = JSON.parse(text) as { items: { outcome: string; reason: string | null }[] }
  const shown = items.map((item) => (item.outcome === 'refused' ? { ...item, reason: null } : item))
  return JSON.stringify({ ...rest, items: shown })
}

/**
 * Operators learn what runs on a sled, who holds an address, and what keeps a silo from being deleted, in whichever silo:
 * names and ids, and no more.
 */
const acrossSilos = /^\/(ext\/)?v1\/(plans\/(ext\/)?v1\/)?(system\/|deletion)/
const namedAcrossSilos = new Set([
  'instance',
  'project',
  'external_ip',
  'probe',
  'disk',
  'snapshot',
  'instance_snapshot',
  'instance_backup',
  'anti_affinity_group',
  // The address that it keeps has its id.
  'recycled',
])
/** The fleet's audit log names the target of every request, and so does a silo's for readers of the fleet. */
const audit = /^\/(ext\/)?v1\/(system\/)?audit-log/
/** Samples, and therefore results of saved queries, name the sled that they were taken on. */
const samples = /^\/(ext\/)?v1\/(timeseries|metrics|metric-queries)\b/

/** Alerts about a threshold name the query, its project and what the timeseries beyond it are of. */
const alerts = /^\/(ext\/)?v1\/alerts\b/
const namedInAlerts = new Set(['metric_query', 'project', 'instance', 'disk'])
/** Multicast groups are of the whole fleet: every user may list the members of each. */
const members = /^\/v1\/multicast-groups\/[^/]+\/members/
/** Those who give roles in a project manage the tokens of its service accounts. */
const accounts = /^\/ext\/v1\/service-accounts\//
const activity = /^\/ext\/v1\/(system\/)?activity\b/

/** Whether responses of this path may name objects that this role may not read. */
function isNamedThere(path: string, role: Role, { table, id, silo_id }: Thing, word: string): boolean {
  if (samples.test(path) && table === 'sled') return true
  // What operators do is recorded in their own silo and in the one they change, there without their name.
  if (audit.test(path) && (table === 'silo' || (table === 'silo_user' && word === id))) return true
  // So is a probe that they create in a project of the silo.
  if (audit.test(path) && table === 'probe' && word === id && silo_id === role.silo_id) return true
  if (members.test(path) && table === 'instance' && word === id) return true
  if (table === 'device_access_token' && silo_id === role.silo_id) {
    // Activity says by which token a user acted.
    if (accounts.test(path) || (activity.test(path) && word === id)) return true
  }
  if (role.fleet === undefined) return false
  if (alerts.test(path) && namedInAlerts.has(table)) return true
  return audit.test(path) || ((acrossSilos.test(path) || samples.test(path)) && namedAcrossSilos.has(table))
}

/** Ids, names and descriptions in a text: words of letters, digits and dashes. */
const wordsOf = (text: string): string[] => text.match(/[a-z0-9-]{10,64}/g) ?? []
