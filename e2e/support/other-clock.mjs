/**
 * Preloaded into a server (`--import`), and thereby into its threads: shifts their clock by the milliseconds
 * in the file named by the query, which is re-read continuously.
 */
import { readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('offset') ?? ''
const read = () => Number(readFileSync(file, 'utf8'))
let offset = read()
setInterval(() => (offset = read()), 50).unref()

const { Date: Real } = globalThis
const now = () => Real.now() + offset
globalThis.Date = new Proxy(Real, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
