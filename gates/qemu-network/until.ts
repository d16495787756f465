import { setTimeout as sleep } from 'node:timers/promises'

/** Until the condition holds, at most for some seconds. */
export async function until(is: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await is())) {
    if (Date.now() > deadline) throw new Error('it did not come about in time')
    await sleep(2)
  }
}
