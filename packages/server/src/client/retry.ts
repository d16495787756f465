import { canPass, retryPauses } from '@gantry/api/history/retry.rules'
import { Failure } from './failure.ts'
import type { Terminal } from './terminal.ts'

const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Asks again while time can end the refusal, and says once why it waits. */
export async function patiently<Answer>(
  ask: () => Promise<Answer>,
  terminal: Pick<Terminal, 'err'>,
  pause = wait,
): Promise<Answer> {
  let said: string | undefined
  for (const seconds of retryPauses) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Failure) || !canPass(error.errorCode)) throw error
      if (error.message !== said) terminal.err(`${error.message} Trying again.\n`)
      said = error.message
      await pause(seconds)
    }
  }
  return ask()
}
