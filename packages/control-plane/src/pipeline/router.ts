import type { Operation } from '@gantry/api/op'
import type { OpName } from '@gantry/api/registry'
import { Refusal, unreadable } from '../context/refusal.ts'

type Endpoint = Pick<Operation, 'path'> & { method: string }

export interface Route<Name extends string = OpName, Op extends Endpoint = Operation> {
  name: Name
  op: Op
  params: Record<string, string>
}

interface Node<Name extends string, Op> {
  literal: Map<string, Node<Name, Op>>
  variable?: Node<Name, Op>
  /** By method; `params` are the names in the path, in order. */
  ops: Map<string, { name: Name; op: Op; params: readonly string[] }>
}

const emptyNode = <Name extends string, Op>(): Node<Name, Op> => ({ literal: new Map(), ops: new Map() })

/** Finds the operation of a path; empty segments are ignored, so `/v1//me/` is `/v1/me`. */
export class Router<Name extends string = OpName, Op extends Endpoint = Operation> {
  readonly #root = emptyNode<Name, Op>()

  constructor(ops: Readonly<Record<Name, Op>>) {
    for (const [name, op] of Object.entries<Op>(ops)) {
      let node = this.#root
      for (const segment of split(op.path))
        node = segment.startsWith('{') ? variableOf(node) : literalOf(node, segment)
      const params = [...op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
      node.ops.set(op.method, { name: name as Name, op, params })
    }
  }

  /**
   * Whether a request belongs to the API: every path under its own prefixes, and elsewhere only what an
   * operation answers. The rest belongs to the console, even a page at the path of an operation:
   * `/login/{silo}/saml/{provider}` is both.
   */
  serves(method: string, pathname: string): boolean {
    const [first] = split(pathname)
    if (first === 'v1' || first === 'ext') return true
    try {
      return this.find(method, pathname) !== undefined
    } catch {
      return false
    }
  }

  match(method: string, pathname: string): Route<Name, Op> {
    const found = this.find(method, pathname)
    if (found) return found
    const methods = [...(this.#at(pathname)?.node.ops.keys() ?? [])]
    if (methods.length === 0) throw new Refusal(undefined, 'Not Found', {}, 404)
    throw new MethodNotAllowed(methods)
  }

  /** The operation, or undefined; refuses segments that cannot be decoded. */
  find(method: string, pathname: string): Route<Name, Op> | undefined {
    const at = this.#at(pathname)
    const found = at?.node.ops.get(method)
    if (!at || !found) return undefined
    const { name, op, params: names } = found
    const params = Object.fromEntries(names.map((param, index) => [param, at.values[index] ?? '']))
    return { name, op, params }
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
