import {
  type CallOptions,
  createClient,
  type InputOf,
  type LooseInput,
  type OpRef,
  type OutputOf,
} from '@gantry/api/client/client'
import type { OpName } from '@gantry/api/registry'
import { isAbsent, recordAnswer } from './extensions.ts'
import { Failure, failureOf } from './failure.ts'
import { firstAnswer } from './first-answers.ts'
import { learnFleet } from './fleet.ts'
import { noteEntry } from './last-entry.ts'
import { live } from './live.ts'
import { loadRecorder } from './recording/load.ts'
import { recording } from './recording/recording.ts'
import { session } from './session.ts'
import { onceStarted } from './starting.ts'

/** Looks `fetch` up on each call, because the preview replaces it after this module has loaded. */
export const client = createClient({
  fetch: async (url, init) =>
    firstAnswer(url, init.method) ?? (await onceStarted(() => globalThis.fetch(url, init), init.signal)),
})

export interface Answer<Name extends OpName> {
  data: OutputOf<Name>
  etag: string | undefined
  /** Whether rows follow those of this page; undefined where the server does not tell. */
  hasNextPage?: boolean | undefined
}

/**
 * The console's only access to the server. Throws a `Failure`. After a session expires it waits for the user to sign
 * in again: reads then resume automatically, while changes are left for the user to resend.
 */
export async function call<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
  options: CallOptions = {},
): Promise<Answer<Name>> {
  if (isAbsent(op)) throw new Failure({ message: 'The server lacks this extension', statusCode: 404 })
  // Before it is sent, so that leaving the page loses nothing.
  const ended =
    op.method !== 'GET' && recording.get() === 'on'
      ? await loadRecorder()
          .then(({ begin }) => begin(client, op, input as LooseInput, options))
          .catch(console.error)
      : undefined
  const result = await client(op, input, options)
  live.readAt(result.headers)
  learnFleet(result.headers)
  recordAnswer(op, result)
  if (result.type === 'success') {
    const { data, headers } = result
    noteEntry(op, headers)
    ended?.({ data })
    return { data, etag: headers.get('etag') ?? undefined, hasNextPage: hasNextPage(headers) }
  }

  // Without any answer, it may have succeeded.
  if (result.statusCode > 0) ended?.()
  const failure = await failureOf(op, result)
  if (failure.statusCode === 401 && session.canBeRenewed()) {
    session.end()
    if (op.method !== 'GET') {
      throw new Failure({ message: 'Your session has ended. Sign in, then try again.', statusCode: 401 })
    }
    await session.renewed(options.signal)
    return call(op, input, options)
  }
  // A request aborted by navigation is not a failure.
  if (!isAbsent(op) && !options.signal?.aborted) logFailure(op, result.url, failure)
  throw failure
}

/** Sends a request as `call` does, or asks for its plan instead, or names the plan that it carries out. */
export type Send = typeof call

/** An extension: by the API itself, a page has the token of a next one even if that is empty. */
const hasNextPage = (headers: Headers): boolean | undefined =>
  ({ true: true, false: false })[headers.get('x-has-next-page') ?? '']

function logFailure(op: OpRef, url: string, { requestId, errorCode, message, statusCode }: Failure): void {
  const page = typeof location === 'undefined' ? '' : location.pathname
  console.error('API call failed', {
    page,
    api: `${op.method} ${op.path}`,
    url,
    statusCode,
    requestId,
    errorCode,
    message,
  })
}

/** The server's answer, or undefined on failure, for optional data. */
export async function ask<Name extends OpName>(
  op: OpRef<Name>,
  input: InputOf<Name>,
): Promise<OutputOf<Name> | undefined> {
  const result = await client(op, input)
  return result.type === 'success' ? result.data : undefined
}
