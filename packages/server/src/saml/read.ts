import type { SamlAssertion } from '@gantry/control-plane/environment'
import { unavailable, unreadable } from '@gantry/control-plane/context/refusal'
import { deadlineThreads, ThreadGaveUp } from '../threads.ts'
import { TooBusy } from '@gantry/control-plane/work/turns'
import type { Answer, MetadataFacts, MetadataQuestion, Question } from './questions.ts'

const ask = deadlineThreads<Question, Answer>({
  // Next to this file in the sources and in the built server alike.
  file: new URL('./saml-worker.js', import.meta.url),
  name: 'SAML reader',
  // Anyone can cause this work: it may use at most one core.
  atOnce: 1,
  waiting: 32,
  // The worst document within the limits takes a fifth of this on a slow host, a valid one a hundredth.
  deadlineMs: 5000,
  heapMb: 128,
})

/** Parses a document in a separate thread. Problems are thrown as the `refusal` made from their message. */
export async function read<Asked extends Question>(
  question: Asked,
  refusal: (message: string, help: string | undefined) => Error,
): Promise<Asked extends MetadataQuestion ? MetadataFacts : SamlAssertion> {
  const answer = await ask(question).catch((error: unknown) => {
    if (error instanceof TooBusy)
      throw unavailable('Too many sign-ins are being checked at this moment. Try again in a few seconds.')
    if (error instanceof ThreadGaveUp)
      throw unreadable(
        `${question.read === 'metadata' ? 'IDP metadata' : 'SAMLResponse'} takes too long to read`,
      )
    throw error
  })
  if ('error' in answer) throw answer.error
  if ('unacceptable' in answer) throw refusal(answer.unacceptable, answer.help)
  // The thread answers the request's type.
  return answer.result as Asked extends MetadataQuestion ? MetadataFacts : SamlAssertion
}
