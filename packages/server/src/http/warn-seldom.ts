import type { Log } from '@gantry/control-plane/environment'

const EVERY_MS = 60_000

/** Warns once a minute at most: whoever causes a warning from outside must not be able to fill the log with it. */
export function warnSeldom(log: Log): Log['warn'] {
  let quietUntil = 0
  return (fields, message) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + EVERY_MS
    log.warn(fields, message)
  }
}
