import type { Operation } from '@gantry/api/op'
import type { OpName } from '@gantry/api/registry'
import { newestVersion, versionHeader, versionText } from '@gantry/api/versions/newest.rules'
import { isIn, type Range } from '@gantry/api/versions/version.rules'
import { Refusal, unreadable } from '../context/refusal.ts'

type Endpoint = Pick<Operation, 'path'> &
  Partial<Pick<Operation, 'formerPath' | 'formerTwin'>> &
  Range & { method: string }

export interface Route<Name extends string = OpName, Op extends Endpoint = Operation> {
  name: Name
  op: Op
  params: Record<string, string>
}

/** An operation at one of its paths; `params` are the names in the path, in order. */
interface Entry<Name extends string, Op> extends Range {
  name: Name
  op: Op
  params: readonly string[]
}

interface Node<Name extends string, Op> {
  literal: Map<string, Node<Name, Op>>
  variable?: Node<Name, Op>
  /** By method. */
  ops: Map<string, Entry<Name, Op>[]>
}

const emptyNode = <Name extends string, Op>(): Node<Name, Op> => ({ literal: new Map(), ops: new Map() })

/**
 * Finds the operation of a path in a version of the API, by default the newest; empty segments are ignored, so `/v1//me/`
 * is `/v1/me`.
 */
export class Router<Name extends string = OpName, Op extends Endpoint = Operation> {
  readonly #root = emptyNode<Name, Op>()

  constructor(ops: Readonly<Record<Name, Op>>) {
    for (const [name, op] of Object.entries<Op>(ops))
      for (const { path, ...range } of placesOf(op)) this.#add(path, { ...range, name: name as Name, op })
  }

  #add(path: string, entry: Omit<Entry<Name, Op>, 'params'>): void {
    let node = this.#root
    for (const segment of split(path))
      node = segment.startsWith('{') ? variableOf(node) : literalOf(node, segment)
    const params = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    node.ops.set(entry.op.method, [...(node.ops.get(entry.op.method) ?? []), { ...entry, params }])
  }

  /**
   * Whether a request belongs to the API: every path under its own prefixes, and elsewhere only what an
   * operation answers in some version. The rest belongs to the console, even a page at the path of an operation:
   * `/login/{silo}/saml/{provider}` is both.
   */
  serves(method: string, pathname: string): boolean {
    const [first] = split(pathname)
    if (first === 'v1' || first === 'ext' || first === 'scim') return true
    try {
      return this.#at(pathname)?.node.ops.has(method) === true
    } catch {
      return false
    }
  }

  /** Whether the version has a path, with whatever methods. */
  knows(pathname: string, version: number): boolean {
    return this.#methodsAt(pathname, version).length > 0
  }

  match(method: string, pathname: string, version = newestVersion): Route<Name, Op> {
    const found = this.find(method, pathname, version)
    if (found) return found
    const methods = this.#methodsAt(pathname, version)
    if (methods.length > 0) throw new MethodNotAllowed(methods)
    const others = this.#at(pathname)?.node.ops.get(method) ?? []
    throw new Refusal(undefined, 'Not Found', others.length > 0 ? { help: versionsOf(others) } : {}, 404)
  }

  /** The operation, or undefined; refuses segments that cannot be decoded. */
  find(method: string, pathname: string, version = newestVersion): Route<Name, Op> | undefined {
    const at = this.#at(pathname)
    const found = at?.node.ops.get(method)?.find((entry) => isIn(entry, version))
    if (!at || !found) return undefined
    const { name, op, params: names } = found
    const params = Object.fromEntries(names.map((param, index) => [param, at.values[index] ?? '']))
    return { name, op, params }
  }

  #methodsAt(pathname: string, version: number): string[] {
    const served = [...(this.#at(pathname)?.node.ops ?? [])]
    return served
      .filter(([, entries]) => entries.some((entry) => isIn(entry, version)))
      .map(([method]) => method)
  }

  #at(pathname: string): { node: Node<Name, Op>; values: string[] } | undefined {
    const values: string[] = []
    let node = this.#root
    for (const segment of split(pathname)) {
      const literal = node.literal.get(segment)
      if (!literal) values.push(decode(segment))
      const next = literal ?? node.variable
      if (!next) return undefined
      node = next
    }
    return { node, values }
  }
}

/** The paths of an operation, each with the versions in which it has it. */
function placesOf({ path, formerPath, formerTwin, since, until }: Endpoint): (Range & { path: string })[] {
  const formers = [formerPath, formerTwin].filter((former) => former !== undefined)
  return [
    ...formers.map((former) => ({ path: former.path, since, until: former.until })),
    { path, since: formerPath?.until ?? since, until },
  ]
}

/** In which versions of the API a path is served. */
function versionsOf(ranges: readonly Range[]): string {
  const told = ranges.map(({ since, until }) =>
    [since && `from version ${versionText(since)} on`, until && `before version ${versionText(until)}`]
      .filter(Boolean)
      .join(' and '),
  )
  return `This exists ${told.join(', and ')}: send such a version as ${versionHeader}.`
}

export class MethodNotAllowed extends Refusal {
  constructor(readonly allow: string[]) {
    super(undefined, 'Method Not Allowed', {}, 405)
  }
}

/**
 * Whether a raw path has a `.` or `..` segment, percent-encoded or not. Parsing it as a URL would resolve
 * them.
 */
export const hasDotSegment = (path: string): boolean => /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path)

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

function literalOf<Name extends string, Op>(node: Node<Name, Op>, segment: string): Node<Name, Op> {
  const next = node.literal.get(segment) ?? emptyNode<Name, Op>()
  node.literal.set(segment, next)
  return next
}

function variableOf<Name extends string, Op>(node: Node<Name, Op>): Node<Name, Op> {
  node.variable ??= emptyNode()
  return node.variable
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw unreadable('Bad Request')
  }
}
