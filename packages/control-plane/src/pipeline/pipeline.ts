import type { Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import { authenticate } from '../authz/authenticate.ts'
import type { ControlPlane, Peer } from '../environment.ts'
import { Admission, costOf } from '../kernel/admission.ts'
import { apiDocument, documentPath } from '../kernel/api-document.ts'
import { Cx, newUuid, requestInfo, type Services } from '../kernel/cx.ts'
import { refuseElsewhere } from '../kernel/origin.ts'
import { parseRequest } from '../kernel/parse.ts'
import { unreadable } from '../kernel/refusal.ts'
import { type Route, Router } from '../kernel/router.ts'
import { serialUpgrade } from '../modules/registry.ts'
import { answer, headersOf } from './answer.ts'
import { refuse } from './refuse.ts'

interface Pipeline extends Pick<ControlPlane, 'fetch' | 'upgrade' | 'serves'> {
  /** Resolves once every request under way has its answer. */
  settled: () => Promise<void>
}

/** What happens to a request, from the moment it arrives until its answer leaves. */
export function requestPipeline(services: Services): Pipeline {
  const router = new Router(ops)
  const admission = new Admission(services)

  /** Requests being answered, so that the database outlives them. */
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

  async function upgrade(request: Request, peer: Peer): ReturnType<ControlPlane['upgrade']> {
    const url = new URL(request.url)
    const cx = received(services, request, url, peer)
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
  }

  return {
    fetch: (request, peer) => counted(respond(request, peer)),
    upgrade,
    serves: (method, pathname) => pathname === documentPath || router.serves(method, pathname),
    settled: async () => {
      await Promise.allSettled(answering)
    },
  }
}

/** Who calls, and whether a browser was tricked into it: a cookie's write needs our own Origin. */
async function admit(cx: Cx, { name, op }: Route, request: Request): Promise<void> {
  const { request: info, services } = cx
  info.status = op.status
  if (op.method === 'PUT' || op.method === 'DELETE')
    info.if_match = request.headers.get('if-match') ?? undefined
  const changes = op.method !== 'GET' || op.transport === 'websocket'
  if (changes && !op.fromElsewhere) refuseElsewhere(services, request)
  if (name === 'logout')
    cx.actor = await authenticate(services, request).catch(() => ({ kind: 'anonymous' }) as const)
  else if (!op.anonymous) cx.actor = await authenticate(services, request)
  if (!op.anonymous) cx.user()
}

/** A context for a request of which nothing was read yet. */
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
