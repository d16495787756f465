import { checker, errorSchema, type Operation } from './document.ts'
import type { Role } from './people.ts'
import { mayKnow, type Thing } from './world.ts'

export interface Answered {
  status: number
  headers: Headers
  text: string
}

/** The only refusals of that class: there is no room, or the thing is on its way to another state; both say so. */
const refused: Readonly<Record<number, string>> = {
  503: '"ServiceNotAvailable"',
  507: '"InsufficientCapacity"',
}
const JSON_TYPE = 'application/json'

/** What is wrong with the form of an answer. */
export function formProblems(op: Operation | undefined, { status, headers, text }: Answered): string[] {
  if (status === 101) return []
  const problems: string[] = []
  const type = headers.get('content-type')
  if (status >= 500 && !text.includes(refused[status] ?? '"?"')) problems.push(`it failed with ${status}`)
  if (!/^[0-9a-f-]{36}$/.test(headers.get('x-request-id') ?? '')) problems.push('no x-request-id')
  if (headers.get('cache-control') !== 'no-store')
    problems.push(`cache-control ${headers.get('cache-control')}`)
  const etag = headers.get('etag')
  if (etag !== null && !/^"\d+"$/.test(etag)) problems.push(`ETag ${etag}`)
  if (status === 405 && !headers.get('allow')) problems.push('no Allow')
  if (status === 204 || (status >= 300 && status < 400)) {
    if (text !== '') problems.push(`a body with ${status}`)
    if (status !== 204 && !headers.get('location')) problems.push('no Location')
    return problems
  }
  // An address or method of another kind is not in the document; what refuses it is.
  const content = op?.contentOf(status)
  if (type === 'text/event-stream') {
    if (!content?.[type]) problems.push('a stream that is not described')
    return problems
  }
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
    : [...problems, `${status} is not described`]
}

/** RFC 6749, 5.2, which is what devices read. */
const isOauthError = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).join() === 'error'

/** Finds what an answer tells that its reader may not know. */
export class Ears {
  readonly #secrets: readonly string[]
  readonly #words = new Map<string, Thing>()
  readonly #told = new Set<Thing>()

  constructor(things: readonly Thing[], secrets: readonly string[]) {
    this.#secrets = secrets
    for (const thing of things) for (const word of thing.words) this.#words.set(word, thing)
  }

  /** Everything is as it was: what somebody wrote down somewhere is gone again. */
  forget(): void {
    this.#told.clear()
  }

  /**
   * What was written may be read by others from then on: whatever the request names, and the keys of whoever made an
   * instance.
   */
  wrote(role: Role, request: string): void {
    for (const word of wordsOf(request)) {
      const thing = this.#words.get(word)
      if (thing) this.#told.add(thing)
    }
    for (const thing of this.#words.values())
      if (thing.table === 'ssh_key' && thing.owner_id === role.user_id) this.#told.add(thing)
  }

  leaks(role: Role, request: string, text: string): string[] {
    const own = Object.values(role.headers).join(' ')
    const secret = this.#secrets.filter((each) => text.includes(each) && !request.includes(each))
    const said = new Set(wordsOf(request))
    const unknown = wordsOf(text).filter((word) => {
      const thing = this.#words.get(word)
      return thing && !said.has(word) && !this.#told.has(thing) && !mayKnow(role, thing)
    })
    return [
      ...secret.filter((each) => !own.includes(each)).map(() => 'a secret is told'),
      ...[...new Set(unknown)].map((word) => {
        const thing = this.#words.get(word)
        return `tells of ${thing?.table} ${thing?.name ?? thing?.id} by ${word === thing?.id ? 'id' : word === thing?.name ? 'name' : 'description'}`
      }),
    ]
  }
}

/** Ids, names and descriptions in a text: whatever is made of letters, digits and dashes. */
const wordsOf = (text: string): string[] => text.match(/[a-z0-9-]{10,64}/g) ?? []
