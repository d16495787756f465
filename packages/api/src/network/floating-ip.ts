import { z } from 'zod'
import { Ip } from '../base/ip.ts'
import { del, family, get, post, put } from '../op.ts'
import { anyPool, PoolSelector } from './pool-selector.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  listInProject,
  maybe,
  named,
  NameOrId,
  OfProject,
  ours,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'

export const FloatingIp = named(
  'FloatingIp',
  withIdentity({ ip: z.string(), ip_pool_id: Uuid, project_id: Uuid, instance_id: Uuid.nullish() }),
)
export type FloatingIp = z.infer<typeof FloatingIp>

/** Which address: the named one, or a pool's lowest free one. */
const AddressAllocator = named(
  'AddressAllocator',
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('explicit'),
      ip: Ip,
      /** Ours: the pool that it must be in; by default any that the silo may use. */
      pool: ours(maybe(NameOrId)),
    }),
    z.object({ type: z.literal('auto'), pool_selector: PoolSelector.default(anyPool) }),
  ]),
)
export const FloatingIpCreate = named(
  'FloatingIpCreate',
  z.object({
    ...identityCreate,
    address_allocator: AddressAllocator.default({ type: 'auto', pool_selector: anyPool }),
  }),
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
