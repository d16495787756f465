import type { Operation } from '@gantry/api/op'
import type { OpName } from '@gantry/api/registry'
import { Refusal, unreadable } from './refusal.ts'

export interface Route {
  name: OpName
  op: Operation
  params: Record<string, string>
}

interface Node {
  literal: Map<string, Node>
  variable?: Node
  ops: Map<string, { name: OpName; op: Operation }>
}

const emptyNode = (): Node => ({ literal: new Map(), ops: new Map() })

/** Finds the operation of a path; empty segments do not count, so `/v1//me/` is `/v1/me`. */
export class Router {
  readonly #root = emptyNode()

  constructor(ops: Record<string, Operation>) {
    for (const [name, op] of Object.entries(ops)) {
      let node = this.#root
      for (const segment of split(op.path))
        node = segment.startsWith('{') ? variableOf(node) : literalOf(node, segment)
      node.ops.set(op.method, { name: name as OpName, op })
    }
  }

  /**
   * Whether a request is the API's: all of its own folders, and elsewhere just what an operation answers. What is left
   * is the console's, even a page at the path of an operation: `/login/{silo}/saml/{provider}` is both.
   */
  serves(method: string, pathname: string): boolean {
    const [first] = split(pathname)
    if (first === 'v1' || first === 'ext') return true
    try {
      this.match(method, pathname)
      return true
    } catch {
      return false
    }
  }

  match(method: string, pathname: string): Route {
    const values: string[] = []
    let node: Node | undefined = this.#root
    for (const segment of split(pathname)) {
      const literal: Node | undefined = node.literal.get(segment)
      if (literal) node = literal
      else {
        node = node.variable
        values.push(decode(segment))
      }
      if (!node) break
    }
    if (!node || node.ops.size === 0) throw new Refusal(undefined, 'Not Found', {}, 404)
    const found = node.ops.get(method)
    if (!found) throw new MethodNotAllowed([...node.ops.keys()])
    const names = [...found.op.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
    return { ...found, params: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ''])) }
  }
}

export class MethodNotAllowed extends Refusal {
  constructor(readonly allow: string[]) {
    super(undefined, 'Method Not Allowed', {}, 405)
  }
}

const split = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

function literalOf(node: Node, segment: string): Node {
  const next = node.literal.get(segment) ?? emptyNode()
  node.literal.set(segment, next)
  return next
}

function variableOf(node: Node): Node {
  node.variable ??= emptyNode()
  return node.variable
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw unreadable('invalid path encoding')
  }
}
