import type { Log } from '@gantry/control-plane/environment'

const EVERY_MS = 60_000

/** Warns at most once a minute: warnings that clients can cause must not fill the log. */
export function warnSeldom(log: Log): Log['warn'] {
  let quietUntil = 0
  return (fields, message) => {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + EVERY_MS
    log.warn(fields, message)
  }
}
