// @chunk change-plans: of reviews and confirmations, which users open after the page.
import { planPrefix } from '@gantry/api/history/plan.rules'
import { call, type Send } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import { Failure } from '#/data/failure.ts'
import { type Asked, type Plan, planName } from './plan.ts'

/** Stands in for the answer of a request that was not sent. */
class OnlyAsked extends Failure {
  constructor() {
    super({ message: '', statusCode: 0 })
  }
}

/** What saving would do. Runs `save` up to its request, and asks for the plan of that instead of sending it. */
export async function askPlan(save: (send: Send) => Promise<unknown>): Promise<Asked> {
  let asked: Asked | undefined
  const send: Send = async (op, input, options) => {
    const question = { ...op, name: planName, path: `${planPrefix}${op.path}` }
    // The answer is a plan, whatever the operation answers.
    const { data }: { data: unknown } = await call(question, input, options)
    asked = { plan: data as Plan, op, input, tags: options?.tags, time: new Date() }
    throw new OnlyAsked()
  }
  try {
    await save(send)
  } catch (error) {
    if (asked) return asked
    throw isAbsent({ name: planName }) ? notOffered() : error
  }
  if (asked) return asked
  throw new Failure({ message: 'Nothing is left to change: someone else has done this', statusCode: 0 })
}

const notOffered = (): Failure =>
  new Failure({
    message: 'This server cannot say what the change would do',
    help: 'You can still make it.',
    statusCode: 404,
  })

/** Sends a request that is refused if it would do anything else than its plan says. */
export const committing =
  ({ hash }: Plan): Send =>
  (op, input, options) =>
    call(op, input, { ...options, ifPlan: hash })
