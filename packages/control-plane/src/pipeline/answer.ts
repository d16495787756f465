import { entryHeader } from '@gantry/api/history/activity.rules'
import { fleetHeader } from '@gantry/api/system/fleet.rules'
import { isRead } from '@gantry/api/op'
import { type OpName, operationId } from '@gantry/api/registry'
import { statusIn } from '@gantry/api/versions/version.rules'
import { reauthenticate, mayElse } from '../authz/reauthenticate.ts'
import { noteTokenUse } from '../authz/token-use.ts'
import { refuseBeyondScope } from '../authz/token-scope.ts'
import { factsText } from '../fleet/capabilities.ts'
import { auditRow } from '../change/audit.ts'
import { sentText } from '../change/sent.ts'
import { tagsHeader } from '@gantry/api/tags/tags-header.rules'
import { type Admitted, costOfItems } from './admission.ts'
import type { Cx } from '../context/cx.ts'
import { isKnown } from './if-none-match.ts'
import { Reply } from './implement.ts'
import { jsonText } from './json-text.ts'
import { type Parsed, parseRequest } from '../parse/parse.ts'
import { inPieces, streamOfPieces } from './pieces.ts'
import { unavailable } from '../context/refusal.ts'
import type { Route } from './router.ts'
import { answerDown, readingOf } from './translate.ts'
import { etagOf, generationOf } from '../lookup/etag.ts'
import { positions } from '../stream/positions.ts'
import type { CreatedTags, Services } from '../context/services.ts'

/** Parses the request, calls the operation's handler, and writes its result. `hold` counts the bytes kept of it. */
export async function answer(
  cx: Cx,
  route: Route,
  url: URL,
  request: Request,
  { hold, charge }: Pick<Admitted, 'hold' | 'charge'>,
): Promise<Response> {
  const { op } = route
  cx.charge = (items) => charge(costOfItems(items))
  const reading = {
    ...(await readingOf(route, cx.request.version)),
    charge: cx.charge,
    breath: cx.breather(),
  }
  const input = await parseRequest(op, route.params, url, request, reading)
  if (!op.anonymous) await reauthenticate(cx)
  // From here on the caller is known, and the request is audited however it ends.
  cx.request.operation = operationId(route.name)
  refuseBeyondScope(cx.actor, route.name)
  noteTokenUse(cx)
  const isAsked = cx.request.plan === 'asked'
  if (!op.anonymous)
    cx.request.created_tags = await (
      cx.services.createdTags as (
        cx: Cx,
        name: OpName,
        header: string | null,
        input: object,
      ) => Promise<CreatedTags | undefined>
    )(cx, route.name, request.headers.get(tagsHeader), input)
  if (!isAsked && !op.anonymous && !op.onlyReads)
    await (cx.services.refuseAlone as (cx: Cx, name: OpName, input: object) => Promise<void>)(
      cx,
      route.name,
      input,
    )
  cx.request.sent = sentText({ ...route, input, tags: cx.request.created_tags })
  const success = statusIn(op, cx.request.version)
  const result = cx.request.plan ? await planned(cx, route, input) : await resultOf(cx, route, input)
  if (!isAsked && op.audited && !cx.audited && isAudited(cx, route)) await writeAudit(cx, { status: success })
  const status = isAsked ? 200 : ((result instanceof Reply ? result.more.status : undefined) ?? success)
  const headers = headersOf(cx)
  if (result instanceof Reply) {
    for (const [name, values] of Object.entries(result.headers))
      for (const value of [values].flat()) headers.append(name, value)
    const { stream } = result.more
    const isOpen = op.transport === 'event-stream'
    if (stream) return new Response(isOpen ? stream : inPieces(stream, hold), { status, headers })
  }
  const own = result instanceof Reply ? result.body : result
  const generation = generationOf(own)
  if (generation !== undefined) headers.set('etag', etagOf(generation))
  if (
    generation !== undefined &&
    op.revalidates &&
    isKnown(request.headers.get('if-none-match'), etagOf(generation))
  )
    return new Response(null, { status: 304, headers })
  if (status === 204 || own === undefined || own === null) return new Response(null, { status, headers })
  const body = isAsked ? own : await answerDown(cx, route.name, success, own)
  headers.set('content-type', 'application/json')
  const json = await jsonText(body)
  if (typeof json === 'string') return new Response(json, { status, headers })
  hold(json.length)
  headers.set('content-length', String(json.length))
  return new Response(streamOfPieces(json.pieces), { status, headers })
}

/** Someone whose roles change during each read must not have one request read without end. */
const maxReads = 3

/**
 * The result of the operation. What only reads is read again if the caller's roles changed while others ran, so that
 * no answer rests on a right that has ended.
 */
async function resultOf(cx: Cx, { op, name }: Route, input: Parsed): Promise<unknown> {
  const handler = handlerOf(cx.services, name)
  for (let reads = 1; ; reads++) {
    const result = handler(cx, input)
    if (!op.onlyReads || op.anonymous) return result
    // A refusal tells of what was read, too.
    await result.catch(() => undefined)
    let isOutdated = true
    try {
      isOutdated = await mayElse(cx)
    } finally {
      if (isOutdated) await discard(result)
    }
    if (!isOutdated) return result
    if (reads === maxReads) throw unavailable('Your roles changed while this was read. Try again.')
  }
}

/** A plan of the request, or its result if it does what a plan says. */
const planned = (cx: Cx, { name }: Route, input: Parsed): Promise<unknown> =>
  // As with handlers, the services do not know the context.
  (cx.services.planned as (cx: Cx, name: OpName, input: object) => Promise<unknown>)(cx, name, input)

/** Closes what the result would have been sent from. */
async function discard(result: Promise<unknown>): Promise<void> {
  const reply = await result.catch(() => undefined)
  if (reply instanceof Reply) await reply.more.stream?.cancel()
}

/** Whether the request is audited: it changes something, was parsed, and its caller is known. */
export const isAudited = (cx: Cx, { op }: Route): boolean =>
  !isRead(op.method) && cx.request.operation !== '' && cx.request.plan !== 'asked'

export const writeAudit = async (cx: Cx, result: Parameters<typeof auditRow>[1]): Promise<void> => {
  await cx.services.db.insertInto('audit').values(auditRow(cx, result)).execute()
}

export const handlerOf = (
  { handlers }: Services,
  name: OpName,
): ((cx: Cx, input: Parsed) => Promise<unknown>) =>
  // Its input was parsed by the schemas that its type comes from.
  handlers[name] as (cx: Cx, input: Parsed) => Promise<unknown>

export function headersOf({ request, services, actor }: Cx): Headers {
  const headers = new Headers({
    'x-request-id': request.id,
    'cache-control': 'no-store',
    [fleetHeader]: factsText(services.fleet),
  })
  // Only who is signed in can follow changes.
  if (request.published !== undefined && actor.kind === 'silo_user') {
    const position = positions(services).seal(request.published)
    if (position !== undefined) headers.set('x-change-seq', position)
  }
  if (request.entry !== undefined) headers.set(entryHeader, request.entry)
  if (request.has_next_page !== undefined) headers.set('x-has-next-page', String(request.has_next_page))
  return headers
}
