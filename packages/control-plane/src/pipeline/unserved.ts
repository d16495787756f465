import { isRead } from '@gantry/api/op'
import { unservedPaths } from '@gantry/api/unserved'
import { authenticate } from '../authz/authenticate.ts'
import type { Admission } from '../kernel/admission.ts'
import type { Cx } from '../kernel/cx.ts'
import { needFleet } from '../kernel/need.ts'
import { Refusal } from '../kernel/refusal.ts'
import { Router } from '../kernel/router.ts'

interface Unserved {
  method: string
  path: string
}

/** Operations of the reference that this server does not offer yet. */
const unserved = new Router<string, Unserved>(
  Object.fromEntries(
    Object.entries<string>(unservedPaths).flatMap(([path, methods]) =>
      methods.split(' ').map((method) => [`${method} ${path}`, { method, path }]),
    ),
  ),
)

export const isUnserved = (method: string, pathname: string): boolean => unserved.serves(method, pathname)

/** The reference operation that a request addresses, if this server does not offer it. */
export const unservedAt = (method: string, pathname: string): Unserved | undefined =>
  unserved.find(method, pathname)?.op

/**
 * Refuses such a request, once the caller is authenticated and authorised at the general level. Finer rules
 * come with the operation itself.
 */
export async function notServed(
  cx: Cx,
  { method, path }: Unserved,
  request: Request,
  admission: Admission,
): Promise<Refusal> {
  cx.actor = await authenticate(cx.services, request)
  const leave = await admission.enter(cx.user().user_id, 1)
  leave()
  needFleet(cx, isRead(method) ? 'read' : 'create_child')
  return new Refusal('NotImplemented', `this server does not offer ${method} ${path} yet`)
}
