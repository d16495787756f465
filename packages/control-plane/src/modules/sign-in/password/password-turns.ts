import type { Cx } from '@gantry/control-plane/context/cx'
import { Refusal } from '@gantry/control-plane/context/refusal'
import { from } from './limits.ts'
import { onceEach } from '@gantry/control-plane/context/once-each'
import type { Services } from '@gantry/control-plane/context/services'
import { FairQueue } from '@gantry/control-plane/work/fair-queue'

const busySeconds = 5
const busy = (): Refusal =>
  new Refusal('TooManyRequests', 'too many people are signing in', {
    help: `Wait ${busySeconds} seconds, then try again.`,
    retryAfter: busySeconds,
  })

/** An account for a known device, an address for strangers: each takes turns with the others, however much it sends. */
export const passwordQueue = (atOnce: number, waiting: number): FairQueue =>
  new FairQueue({ atOnce, atOnceEach: atOnce, waiting, waitingEach: waiting, refusal: busy })

const queueOf = onceEach(({ settings: { sign_in } }: Services) =>
  passwordQueue(sign_in.password_checks_at_once, sign_in.password_checks_waiting),
)

/**
 * Checking and hashing passwords takes memory and a thread for long: a flood of it must not block everything
 * else. One account counts once, however many devices have signed in to it.
 */
export function passwordTurn<Result>(
  cx: Cx,
  knownAccount: string | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const asker = { owner: knownAccount ?? from(cx), isPreferred: knownAccount !== undefined }
  return queueOf(cx.services).run(asker, work)
}
