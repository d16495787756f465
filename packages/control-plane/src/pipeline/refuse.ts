import type { Operation } from '@gantry/api/op'
import { type OpName, operationId, ops } from '@gantry/api/registry'
import { Cx } from '../context/cx.ts'
import { databaseRefusal, failureWords } from './database-refusals.ts'
import { parseRequest } from '../parse/parse.ts'
import { Refusal } from '../context/refusal.ts'
import { refusalPage } from './refusal-page.ts'
import { countRateLimited } from './rate-limited-records.ts'
import { MethodNotAllowed, type Route } from './router.ts'
import { handlerOf, headersOf, isAudited, writeAudit } from './answer.ts'
import { answerDown } from './translate.ts'

/** The status that nginx logs for a caller who left before the answer. */
const callerGone = 499

/** Writes every failure in one shape. An unexpected error reveals only the request id. */
export async function refuse(cx: Cx, route: Route | undefined, error: unknown): Promise<Response> {
  // Reads end with their callers: that is no failure, and its answer reaches no client.
  if (cx.raw?.signal.aborted && error === cx.raw.signal.reason)
    return new Response(null, { status: callerGone, headers: headersOf(cx) })
  let refusal = refusalOf(error)
  const fields = {
    request_id: cx.request.id,
    operation: route && operationId(route.name),
    code: refusal.code,
    status: refusal.status,
  }
  if (refusal !== error)
    cx.services.log.error({ ...fields, err: error, uri: cx.request.uri }, failureWords(error))
  // Rate-limited requests are counted, because logging them all could fill the log.
  if (route && refusal.code === 'TooManyRequests') countRateLimited(cx, operationId(route.name))
  else if (route && !cx.audited && isAudited(cx, route)) {
    const { status, code, message } = refusal
    try {
      await writeAudit(cx, { status, code, message })
    } catch (cause) {
      cx.services.log.error({ ...fields, err: cause }, 'an audit record was not written')
      // A response must not state an outcome that could not be recorded.
      if (status < 500) refusal = refusalOf(cause)
    }
  }
  const headers = headersOf(cx)
  const page = route && refusalPage(route, cx.raw, refusal.status)
  if (page !== undefined) {
    headers.set('location', page)
    return new Response(null, { status: 303, headers })
  }
  headers.set('content-type', 'application/json')
  if (error instanceof MethodNotAllowed) for (const method of error.allow) headers.append('allow', method)
  if (refusal.extra.retryAfter) headers.set('retry-after', String(refusal.extra.retryAfter))
  const { help, details } = refusal.extra
  const body: Record<string, unknown> = { request_id: cx.request.id }
  if (refusal.code) body.error_code = refusal.code
  body.message = refusal.message
  body.help = help
  if (details) body.details = details
  if (refusal.code === 'PreconditionFailed' && route)
    body.current = await currentState(cx, route).catch(() => undefined)
  return new Response(JSON.stringify(body, null, 2), { status: refusal.status, headers })
}

/**
 * The current state for a stale caller, from the view operation of the same path, which our own changes of the base
 * API's objects share with it; the path of a POST has only a list.
 */
async function currentState(cx: Cx, route: Route): Promise<unknown> {
  if (route.op.method === 'POST') return undefined
  const view = Object.entries<Operation>(ops).find(
    ([, op]) =>
      op.method === 'GET' &&
      (op.path === route.op.path || op.path === route.op.path.replace(/^\/ext\/v1\//, '/v1/')),
  )
  if (!view) return undefined
  const url = new URL(cx.request.uri, 'http://localhost')
  const input = await parseRequest(view[1], route.params, url, new Request(url))
  const reading = new Cx(cx.services, cx.actor, { ...cx.request, if_match: undefined })
  const current = await handlerOf(cx.services, view[0] as OpName)(reading, input)
  return answerDown(cx, view[0] as OpName, view[1].status, current)
}

/** The refusal for an error; unexpected ones reveal nothing. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return databaseRefusal(error) ?? new Refusal('Internal', 'Internal Server Error')
}
