import { z } from 'zod'
import { Ip } from '../base/ip.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  listInProject,
  maybe,
  named,
  NameOrId,
  OfProject,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const FloatingIp = named(
  'FloatingIp',
  withIdentity({ ip: z.string(), ip_pool_id: Uuid, project_id: Uuid, instance_id: Uuid.nullish() }),
)
export type FloatingIp = z.infer<typeof FloatingIp>

/** Default address: the pool's lowest free one; default pool: the silo's default. */
export const FloatingIpCreate = named(
  'FloatingIpCreate',
  z.object({ ...identityCreate, ip: maybe(Ip), pool: maybe(NameOrId) }),
)
export type FloatingIpCreate = z.infer<typeof FloatingIpCreate>
export const FloatingIpUpdate = named('FloatingIpUpdate', z.object(IdentityUpdate))
export type FloatingIpUpdate = z.infer<typeof FloatingIpUpdate>
export const FloatingIpAttach = named(
  'FloatingIpAttach',
  z.object({ kind: named('FloatingIpParentKind', z.enum(['instance'])), parent: NameOrId }),
)

const path = z.object({ floating_ip: NameOrId })
const query = InProject

export const FloatingIpPage = pageOf('FloatingIp', FloatingIp)

export const floatingIpOps = family('floating-ips', ['floating-ip'], {
  floatingIpList: get('/v1/floating-ips', {
    summary: 'List floating IPs of a project',
    ...listInProject,
    returns: FloatingIpPage,
  }),
  floatingIpView: get('/v1/floating-ips/{floating_ip}', {
    revalidates: true,
    summary: 'Fetch a floating IP',
    path,
    query,
    returns: FloatingIp,
  }),
  floatingIpCreate: post('/v1/floating-ips', {
    changes: ['floating-ip', 'external-ip'],
    summary: 'Create a floating IP',
    query: OfProject,
    body: FloatingIpCreate,
    returns: FloatingIp,
  }),
  floatingIpUpdate: put('/v1/floating-ips/{floating_ip}', {
    summary: 'Update a floating IP',
    path,
    query,
    body: FloatingIpUpdate,
    returns: FloatingIp,
  }),
  floatingIpDelete: del('/v1/floating-ips/{floating_ip}', {
    changes: ['floating-ip', 'external-ip'],
    summary: 'Delete a floating IP',
    path,
    query,
  }),
  floatingIpAttach: post('/v1/floating-ips/{floating_ip}/attach', {
    changes: ['floating-ip', 'external-ip'],
    summary: 'Attach a floating IP to an instance',
    path,
    query,
    body: FloatingIpAttach,
    returns: FloatingIp,
    status: 202,
  }),
  floatingIpDetach: post('/v1/floating-ips/{floating_ip}/detach', {
    changes: ['floating-ip', 'external-ip'],
    summary: 'Detach a floating IP from its instance',
    path,
    query,
    returns: FloatingIp,
    status: 202,
  }),
})
