import { planHeader, planPrefix } from '@gantry/api/history/plan.rules'
import { isRead, type Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import { newestVersion } from '@gantry/api/versions/newest.rules'
import { retired } from '@gantry/api/versions/retired.rules'
import { baseVersion, statusIn } from '@gantry/api/versions/version.rules'
import { refuseBeyondScope } from '../authz/token-scope.ts'
import { noteTokenUse } from '../authz/token-use.ts'
import type { Actor } from '../authz/actor.ts'
import { authenticate, recognise } from '../authz/authenticate.ts'
import { prove } from '../authz/proven-reads.ts'
import { Outdated } from '../authz/recent-callers.ts'
import { sessionCookie } from '../authz/session.ts'
import type { ControlPlane, Peer } from '../environment.ts'
import { type Admitted, Admission, costOf } from './admission.ts'
import { documentAt, isDocumentPath, sendDocument } from './api-document.ts'
import { Cx, requestInfo, type RequestInfo } from '../context/cx.ts'
import { versionOf } from './version.ts'
import { newUuid } from '../context/ids.ts'
import type { Services } from '../context/services.ts'
import { refuseElsewhere } from '../context/origin.ts'
import { parseRequest } from '../parse/parse.ts'
import { Refusal, unreadable } from '../context/refusal.ts'
import { hasDotSegment, type Route, Router } from './router.ts'
import { answer, handlerOf, headersOf } from './answer.ts'
import { Upgraded } from './implement.ts'
import { refuse } from './refuse.ts'
import { allowListGuard } from './allow-list.ts'
import { isScimPath, scimAnswer } from './scim.ts'

interface Pipeline extends Pick<ControlPlane, 'fetch' | 'upgrade' | 'serves'> {
  /** Resolves once every pending request has been answered. */
  settled: () => Promise<void>
}

/** A response whose request keeps its place until it is sent. */
interface Answered extends Pick<Admitted, 'leave'> {
  response: Response
}

/** The path of the request that this one asks to plan, if so. */
const plannedPath = (pathname: string): string | undefined =>
  pathname.startsWith(`${planPrefix}/`) ? pathname.slice(planPrefix.length) : undefined

function planOf({ headers }: Request, asked: string | undefined): RequestInfo['plan'] {
  if (asked !== undefined) return 'asked'
  const hash = headers.get(planHeader)
  return hash === null ? undefined : { hash }
}

const unlimited: Admitted = { waited: false, hold: () => {}, charge: () => {}, leave: () => {} }

/** The request lifecycle, from arrival to response. */
export function requestPipeline(services: Services): Pipeline {
  const router = new Router(ops)
  const ended = new Router(retired)
  const admission = new Admission(services)

  /** Requests in progress, so that the database is closed after them. */
  const answering = new Set<Promise<unknown>>()
  function counted<Result>(answer: Promise<Result>): Promise<Result> {
    const done = answer.finally(() => answering.delete(done))
    answering.add(done)
    return done
  }

  async function respond(request: Request, peer: Peer): Promise<Response> {
    const url = new URL(request.url)
    const cx = received(services, request, url, peer)
    let route: Route | undefined
    try {
      refuseDotSegments(peer)
      await allowListGuard(services).check(peer.address)
      const version = versionOf(request.headers)
      const document = documentAt(url.pathname, version ?? baseVersion)
      if (document) return await sendDocument(request, document, headersOf(cx))
      if (isScimPath(url.pathname)) return await scimAnswer(cx, admission, request, url, peer.sent)
      const asked = plannedPath(url.pathname)
      route = routeOf(cx, version, request.method, asked ?? url.pathname)
      cx.request.plan = planOf(request, asked)
      return await perform(cx, route, url, request, peer)
    } catch (error) {
      return refuse(cx, route, error)
    }
  }

  /** A request that names no version may ask for what came after the base edition, and is then answered by the newest. */
  function routeOf(cx: Cx, named: number | undefined, method: string, pathname: string): Route {
    const either = [baseVersion, newestVersion]
    cx.request.version =
      named ??
      either.find((version) => router.find(method, pathname, version)) ??
      either.find((version) => router.knows(pathname, version)) ??
      baseVersion
    const gone = ended.find(method, pathname, cx.request.version)
    if (gone) throw new Refusal(undefined, 'This operation has ended', { help: gone.op.help }, 410)
    return router.match(method, pathname, cx.request.version)
  }

  /**
   * Origin and caller are checked before path, query and body are parsed, because parsing costs work that
   * only a known caller may cause. The reference parses first (control plane reference, A 1.2).
   */
  async function perform(
    cx: Cx,
    route: Route,
    url: URL,
    request: Request,
    { sent }: Peer,
  ): Promise<Response> {
    const { op } = route
    if (op.transport === 'websocket') throw unreadable('expected connection upgrade')
    let answered = isPlainRead(op) ? await performRecognised(cx, route, url, request) : undefined
    if (!answered) {
      await admit(cx, route, request)
      answered = await answerInTurn(cx, route, url, request)
    }
    const { response, leave } = answered
    // Open streams of changes have a limit of their own.
    if (sent && op.transport !== 'event-stream') void sent.then(leave)
    else leave()
    return response
  }

  /** Answers a caller who was authenticated a moment ago, unless something about them has changed since. */
  async function performRecognised(
    cx: Cx,
    route: Route,
    url: URL,
    request: Request,
  ): Promise<Answered | undefined> {
    const recognised = recognise(services, request)
    if (!recognised) return undefined
    Object.assign(cx, recognised)
    const work = answerInTurn(cx, route, url, request)
    try {
      // Refusals, too, are only for a proven caller.
      await work.catch((error: unknown) => {
        if (error instanceof Outdated) throw error
      })
      await prove(cx)
      return await work
    } catch (error) {
      await work.then(
        ({ leave }) => leave(),
        () => undefined,
      )
      if (!(error instanceof Outdated)) throw error
      Object.assign(cx, { actor: { kind: 'anonymous' }, proof: undefined, target: undefined })
      return undefined
    }
  }

  async function answerInTurn(cx: Cx, route: Route, url: URL, request: Request): Promise<Answered> {
    const { waited, leave, ...admitted } = await enter(cx, route.op, url, request)
    cx.othersRan ||= waited
    try {
      return { response: await answer(cx, route, url, request, admitted), leave }
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Applies the user's limits; operations open to anonymous callers have limits of their own. */
  const enter = async ({ actor }: Cx, op: Operation, url: URL, request: Request): Promise<Admitted> =>
    actor.kind === 'silo_user'
      ? admission.enter(actor.user_id, costOf(op, url, request), () => request.signal)
      : unlimited

  async function upgrade(request: Request, peer: Peer): ReturnType<ControlPlane['upgrade']> {
    const url = new URL(request.url)
    const cx = received(services, request, url, peer)
    let route: Route | undefined
    try {
      refuseDotSegments(peer)
      await allowListGuard(services).check(peer.address)
      route = router.match('GET', url.pathname)
      if (route.op.transport !== 'websocket') throw unreadable('unexpected protocol for upgrade')
      await admit(cx, route, request)
      // A connection that stays open has its own limit.
      ;(await enter(cx, route.op, url, request)).leave()
      const input = await parseRequest(route.op, route.params, url, request)
      cx.request.operation = operationId(route.name)
      refuseBeyondScope(cx.actor, route.name)
      noteTokenUse(cx)
      const upgraded = await handlerOf(services, route.name)(cx, input)
      if (!(upgraded instanceof Upgraded)) throw new Error('a WebSocket has no connection')
      return (socket) => void counted(upgraded.serve(socket))
    } catch (error) {
      return refuse(cx, route, error)
    }
  }

  return {
    fetch: (request, peer) => counted(respond(request, peer)),
    upgrade,
    serves: (method, pathname) => isDocumentPath(pathname) || router.serves(method, pathname),
    settled: async () => {
      await Promise.allSettled(answering)
    },
  }
}

/** Reads that hold nothing open, so that one can be discarded and repeated. */
const isPlainRead = ({ method, transport, anonymous }: Operation): boolean =>
  method === 'GET' && transport === 'json' && !anonymous

/** Resolvers differ on such segments: a proxy's path rule may see another path than this server. */
function refuseDotSegments({ path = '' }: Peer): void {
  if (hasDotSegment(path)) throw unreadable('invalid path encoding: dot-segments are not permitted')
}

/**
 * Authenticates the caller and guards against cross-site requests: a write by cookie needs our own Origin.
 */
async function admit(cx: Cx, { op }: Route, request: Request): Promise<void> {
  const { request: info, services } = cx
  info.status = statusIn(op, info.version)
  if (op.conditional) info.if_match = request.headers.get('if-match') ?? undefined
  if (isAmbient(cx, op, request)) refuseElsewhere(services, request)
  if (op.signsOut) cx.actor = await authenticate(services, request).catch(nobody)
  else if (!op.anonymous) cx.actor = await authenticate(services, request)
  if (!op.anonymous) cx.user()
}

/** A caller whose session has ended may still sign out. A failed look-up must not count as one. */
function nobody(error: unknown): Actor {
  if (error instanceof Refusal && error.status === 401) return { kind: 'anonymous' }
  throw error
}

/**
 * Whether a browser could send a write or an upgrade without its user's knowledge: session cookies are sent
 * automatically, and signing in or out sets one. No page can make a browser send a bearer token.
 */
const isAmbient = ({ services }: Cx, op: Operation, request: Request): boolean =>
  (!isRead(op.method) || op.transport === 'websocket') &&
  !op.fromElsewhere &&
  (op.anonymous || sessionCookie(services, request) !== undefined)

/** A context for a request before anything has been parsed. */
function received(services: Services, request: Request, url: URL, peer: Peer): Cx {
  const info = {
    id: newUuid(services.random),
    uri: url.pathname + url.search,
    address: peer.address,
    user_agent: request.headers.get('user-agent'),
    published: services.published,
  }
  return new Cx(services, { kind: 'anonymous' }, requestInfo(services, info), request)
}
