import { scimClient } from '../authz/scim-client.ts'
import type { Cx } from '../context/cx.ts'
import { isRead } from '@gantry/api/op'
import { type Admission, costOf, costOfItems } from './admission.ts'
import { headersOf, writeAudit } from './answer.ts'
import { failureWords } from './database-refusals.ts'
import { countRateLimited } from './rate-limited-records.ts'
import { MethodNotAllowed } from './router.ts'
import { refusalOf } from './refuse.ts'
import { Refusal } from '../context/refusal.ts'

export const scimMediaType = 'application/scim+json'
/** Maximum bytes of a body. */
export const scimBodyMax = 1024 * 1024

export const isScimPath = (pathname: string): boolean => /^\/+scim(\/|$)/.test(pathname)

/** A refusal with the keyword that RFC 7644 (3.12) gives its reason. */
export class ScimRefusal extends Refusal {
  constructor(
    status: number,
    readonly scimType: string | undefined,
    detail: string,
  ) {
    super(undefined, detail, {}, status)
  }
}

/**
 * Answers a request of an identity provider by SCIM (RFC 7644), which has its own shapes, errors and credentials and is
 * therefore no operation of the contract. The caller is authenticated before anything else of the request is read.
 */
export async function scimAnswer(
  cx: Cx,
  admission: Admission,
  request: Request,
  url: URL,
  sent: Promise<void> | undefined,
): Promise<Response> {
  const client = await scimClient(cx.services, request)
  cx.actor = client
  try {
    const cost = costOf({ encoding: 'json', body: undefined, bodyMax: scimBodyMax }, url, request)
    const { leave, charge } = await admission.enter(client.token_id, cost, () => request.signal)
    cx.charge = (items) => charge(costOfItems(items))
    try {
      // The services do not know the context.
      const response = await (cx.services.scim as (cx: Cx, request: Request, url: URL) => Promise<Response>)(
        cx,
        request,
        url,
      )
      // A client that never reads keeps its place.
      if (sent) void sent.then(leave)
      else leave()
      return response
    } catch (error) {
      leave()
      throw error
    }
  } catch (error) {
    if (request.signal.aborted && error === request.signal.reason) throw error
    return await refused(cx, request, error)
  }
}

/** The refusal in the shape of RFC 7644; it is audited like those of the contract's operations. */
async function refused(cx: Cx, request: Request, error: unknown): Promise<Response> {
  let refusal = refusalOf(error)
  const { id: request_id, operation, uri } = cx.request
  const fields = { request_id, operation, status: refusal.status }
  if (refusal !== error) cx.services.log.error({ ...fields, err: error, uri }, failureWords(error))
  if (refusal.code === 'TooManyRequests') countRateLimited(cx, operation || 'scim')
  else if (operation !== '' && !isRead(request.method) && !cx.audited) {
    const { status, code, message } = refusal
    try {
      await writeAudit(cx, { status, code, message })
    } catch (cause) {
      cx.services.log.error({ ...fields, err: cause }, 'an audit record was not written')
      if (status < 500) refusal = refusalOf(cause)
    }
  }
  // Whose token ended meanwhile is answered like one who never had one.
  if (refusal.status === 401) throw refusal
  const headers = headersOf(cx)
  headers.set('content-type', scimMediaType)
  if (error instanceof MethodNotAllowed) for (const method of error.allow) headers.append('allow', method)
  if (refusal.extra.retryAfter) headers.set('retry-after', String(refusal.extra.retryAfter))
  const scimType = refusal instanceof ScimRefusal ? refusal.scimType : undefined
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(refusal.status),
    ...(scimType && { scimType }),
    detail: refusal instanceof ScimRefusal ? refusal.message : `${refusal.message}. ${refusal.extra.help}`,
  }
  return new Response(JSON.stringify(body), { status: refusal.status, headers })
}
