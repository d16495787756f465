/**
 * Preloaded into a server (`--import`), and by that into its threads: their clock is off by as many milliseconds as the
 * file in the query says, which is read again and again.
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
