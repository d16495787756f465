import { type Operation } from '@gantry/api/op'
import { type OpName, operationId, ops } from '@gantry/api/registry'
import { Kysely } from 'kysely'
import type { Actor } from './authz/actor.ts'
import { authenticate } from './authz/authenticate.ts'
import { forgetOldSessions } from './authz/session.ts'
import { migrate } from './db/migrate.ts'
import { resealAll } from './db/sealed.ts'
import type { Tables } from './db/tables.ts'
import type { ControlPlane, Environment, Peer } from './environment.ts'
import { simulatedFleet } from './fleet/simulated.ts'
import { handlers, jobs, mends, reconcilers, serialUpgrade } from './modules/registry.ts'
import { Admission, costOf } from './kernel/admission.ts'
import { siloCertificates } from './modules/silo/served-certificates.ts'
import { apiDocument, documentPath } from './kernel/api-document.ts'
import { auditRow, forgetOldAudit } from './kernel/audit.ts'
import { etagOf } from './kernel/change.ts'
import { clockWatch } from './kernel/clock.ts'
import { Cx, newUuid, requestInfo, type Services } from './kernel/cx.ts'
import { databaseRefusal, failureWords } from './kernel/database-refusals.ts'
import { generationOf, type Handler, Reply } from './kernel/implement.ts'
import { forgetOldJobs, jobLoop, runJob } from './kernel/jobs.ts'
import { type Loop, type Reconciler, startLoop } from './kernel/loop.ts'
import { type Parsed, parseRequest } from './kernel/parse.ts'
import { forgetOldChanges, lastSequence, publishChanges } from './kernel/publisher.ts'
import { Refusal, unreadable } from './kernel/refusal.ts'
import { refusalPage } from './kernel/refusal-page.ts'
import { forgetRefusedOften, noteRefusedOften, refusedOftenWriter } from './kernel/refused-often.ts'
import { MethodNotAllowed, type Route, Router } from './kernel/router.ts'
import { refuseElsewhere } from './kernel/origin.ts'
import { Bell, RecentChanges } from './kernel/stream.ts'
import { seed } from './seed/seed.ts'

/** Binds every operation of the contract to its handler, and runs what goes on by itself. */
export function createControlPlane(environment: Environment): ControlPlane {
  const { dialect, ...outside } = environment
  const db = new Kysely<Tables>({ dialect })
  const router = new Router(ops)
  const bell = new Bell()
  const ending = new AbortController()
  const loops: Record<string, Loop> = {}
  const admission = new Admission(outside)
  const services: Services = {
    ...outside,
    db,
    bell,
    recentChanges: new RecentChanges(db, bell),
    ending: ending.signal,
    wake: {
      changes: () => loops.publisher?.wake(),
      jobs: () => loops.jobs?.wake(),
      fleet: () => loops.fleet?.wake(),
      restarts: () => loops.restarts?.wake(),
      uploads: () => loops['image-uploads']?.wake(),
    },
    fleet: simulatedFleet,
    writes: new Set(),
    followers: new Map(),
    runJob: (job) => runJob(services, jobs, job),
    published: undefined,
  }

  /** Requests being answered, so that the database outlives them. */
  const answering = new Set<Promise<unknown>>()
  function counted<Result>(answer: Promise<Result>): Promise<Result> {
    const done = answer.finally(() => answering.delete(done))
    answering.add(done)
    return done
  }

  async function respond(request: Request, peer: Peer): Promise<Response> {
    const url = new URL(request.url)
    const cx = received(request, url, peer)
    let route: Route | undefined
    try {
      if (url.pathname === documentPath) return await apiDocument(request, headersOf(cx))
      route = router.match(request.method, url.pathname)
      return await perform(cx, route, url, request)
    } catch (error) {
      return refuse(cx, route, error)
    }
  }

  /**
   * Where the request comes from and who sends it is known before its path, query and body are read: they cost work
   * that only a known caller may cause. The reference reads first (control plane reference, A 1.2).
   */
  async function perform(cx: Cx, route: Route, url: URL, request: Request): Promise<Response> {
    const { op } = route
    if (op.transport === 'websocket') throw unreadable('expected connection upgrade')
    await admit(cx, route, request)
    const leave = await enter(cx, op, url, request)
    try {
      return await answer(cx, route, url, request)
    } finally {
      leave()
    }
  }

  /** Waits for the turn of a person's request; what anybody may ask is limited by what it does. */
  const enter = async ({ actor }: Cx, op: Operation, url: URL, request: Request): Promise<() => void> =>
    actor.kind === 'silo_user' ? admission.enter(actor.user_id, costOf(op, url, request)) : () => {}

  async function answer(cx: Cx, route: Route, url: URL, request: Request): Promise<Response> {
    const { op } = route
    const input = await parseRequest(op, route.params, url, request)
    // From here on the request is somebody's, and is recorded however it ends.
    cx.request.operation = operationId(route.name)
    const result = await handlerOf(route.name)(cx, input)
    if (op.audited && !cx.audited && isAudited(cx, route)) await writeAudit(cx, { status: op.status })
    const status = (result instanceof Reply ? result.more.status : undefined) ?? op.status
    const headers = headersOf(cx)
    if (result instanceof Reply) {
      for (const [name, values] of Object.entries(result.headers))
        for (const value of [values].flat()) headers.append(name, value)
      if (result.more.stream) return new Response(result.more.stream, { status, headers })
    }
    const body = result instanceof Reply ? result.body : result
    const generation = generationOf(body)
    if (generation !== undefined) headers.set('etag', etagOf(generation))
    if (status === 204 || body === undefined || body === null) return new Response(null, { status, headers })
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(body), { status, headers })
  }

  /** Who calls, and whether a browser was tricked into it: a cookie's write needs our own Origin. */
  async function admit(cx: Cx, { name, op }: Route, request: Request): Promise<void> {
    const { request: info } = cx
    info.status = op.status
    if (op.method === 'PUT' || op.method === 'DELETE')
      info.if_match = request.headers.get('if-match') ?? undefined
    const changes = op.method !== 'GET' || op.transport === 'websocket'
    if (changes && !op.fromElsewhere) refuseElsewhere(services, request)
    if (name === 'logout') cx.actor = await actorOf(request).catch(() => ({ kind: 'anonymous' }) as const)
    else if (!op.anonymous) cx.actor = await actorOf(request)
    if (!op.anonymous) cx.user()
  }

  /** A request that changes something, from the moment that it was read and its caller is known. */
  const isAudited = (cx: Cx, { op }: Route): boolean => op.method !== 'GET' && cx.request.operation !== ''

  const actorOf = (request: Request): Promise<Actor> => authenticate(services, request)

  /** A context for a request of which nothing was read yet. */
  function received(request: Request, url: URL, peer: Peer): Cx {
    const info = {
      id: newUuid(services.random),
      uri: url.pathname + url.search,
      address: peer.address,
      user_agent: request.headers.get('user-agent'),
      published: services.published,
    }
    return new Cx(services, { kind: 'anonymous' }, requestInfo(services, info), request)
  }

  /** Every failure in one shape. What was not expected shows nothing but the request's id. */
  async function refuse(cx: Cx, route: Route | undefined, error: unknown): Promise<Response> {
    let refusal = refusalOf(error)
    const fields = {
      request_id: cx.request.id,
      operation: route && operationId(route.name),
      code: refusal.code,
      status: refusal.status,
    }
    if (refusal !== error)
      services.log.error({ ...fields, err: error, uri: cx.request.uri }, failureWords(error))
    // What was stopped for coming too often is counted, or it could fill the log.
    if (route && refusal.code === 'TooManyRequests') noteRefusedOften(cx, operationId(route.name))
    else if (route && !cx.audited && isAudited(cx, route)) {
      const { status, code, message } = refusal
      try {
        await writeAudit(cx, { status, code, message })
      } catch (cause) {
        services.log.error({ ...fields, err: cause }, 'an audit record was not written')
        // Nobody is told anything definite of which there is no record.
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

  /** What a stale caller would see now, from the view operation of the same path. */
  async function currentState(cx: Cx, route: Route): Promise<unknown> {
    const view = Object.entries<Operation>(ops).find(
      ([, op]) => op.method === 'GET' && op.path === route.op.path,
    )
    if (!view) return undefined
    const url = new URL(cx.request.uri, 'http://localhost')
    const input = await parseRequest(view[1], route.params, url, new Request(url))
    return handlerOf(view[0] as OpName)(
      new Cx(services, cx.actor, { ...cx.request, if_match: undefined }),
      input,
    )
  }

  const writeAudit = async (cx: Cx, result: Parameters<typeof auditRow>[1]): Promise<void> => {
    await db.insertInto('audit').values(auditRow(cx, result)).execute()
  }

  return {
    migrate: async () => {
      await migrate(db)
      const count = await resealAll(db, services.seal)
      if (count > 0) services.log.info({ count }, 'secrets were sealed with the current key')
    },
    seed: (kind, password) => seed(services, kind, password),
    fetch: (request, peer) => counted(respond(request, peer)),
    serves: (method, pathname) => pathname === documentPath || router.serves(method, pathname),
    upgrade: async (request, peer) => {
      const url = new URL(request.url)
      const cx = received(request, url, peer)
      let route: Route | undefined
      try {
        route = router.match('GET', url.pathname)
        if (route.op.transport !== 'websocket') throw unreadable('unexpected protocol for upgrade')
        await admit(cx, route, request)
        // An open line is limited by itself.
        ;(await enter(cx, route.op, url, request))()
        const input = await parseRequest(route.op, route.params, url, request)
        cx.request.operation = operationId(route.name)
        const serve = await serialUpgrade(cx, input as never)
        return (socket) => void counted(serve(socket))
      } catch (error) {
        return refuse(cx, route, error)
      }
    },
    certificates: () => siloCertificates(services),
    start: () => {
      const builtIn: Reconciler[] = [
        {
          name: 'publisher',
          everyMs: 200,
          run: async () => {
            services.published ??= await lastSequence(services)
            const last = await publishChanges(services)
            if (last === undefined) return undefined
            services.published = last
            bell.ring()
            return 0
          },
        },
        jobLoop(jobs),
        clockWatch(mends),
        refusedOftenWriter(services),
        {
          name: 'retention',
          everyMs: 3_600_000,
          run: async () => {
            await forgetOldJobs(services)
            await forgetOldSessions(services)
            await forgetOldChanges(services)
            await forgetOldAudit(services)
            await forgetRefusedOften(services)
          },
        },
      ]
      for (const reconciler of [...builtIn, ...reconcilers])
        loops[reconciler.name] = startLoop(services, reconciler)
    },
    stop: async () => {
      ending.abort()
      await Promise.all(Object.values(loops).map((loop) => loop.stop()))
      await Promise.allSettled(answering)
      await db.destroy()
    },
  }
}

/** How a failure is told; of what was not expected, nothing. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  return databaseRefusal(error) ?? new Refusal('Internal', 'Internal Server Error')
}

const handlerOf = (name: OpName): ((cx: Cx, input: Parsed) => Promise<unknown>) =>
  // The registry's type says that each handler fits its operation; the parsed input is of that operation.
  handlers[name as keyof typeof handlers] as unknown as (cx: Cx, input: Parsed) => ReturnType<Handler<OpName>>

function headersOf({ request }: Cx): Headers {
  const headers = new Headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
  if (request.published !== undefined) headers.set('x-change-seq', String(request.published))
  return headers
}
