import { z } from 'zod'
import { family, get } from './op.ts'
import { InProject, listInProject, named, NameOrId, pageOf, Uuid, withIdentity } from './schema.ts'

export const FloatingIp = named(
  'FloatingIp',
  withIdentity({ ip: z.string(), ip_pool_id: Uuid, project_id: Uuid, instance_id: Uuid.nullish() }),
)
export type FloatingIp = z.infer<typeof FloatingIp>

export const floatingIpOps = family('floating-ips', ['floating-ip'], {
  floatingIpList: get('/v1/floating-ips', {
    summary: 'List floating IPs of a project',
    ...listInProject,
    returns: pageOf('FloatingIp', FloatingIp),
  }),
  floatingIpView: get('/v1/floating-ips/{floating_ip}', {
    summary: 'Fetch a floating IP',
    path: z.object({ floating_ip: NameOrId }),
    query: InProject,
    returns: FloatingIp,
  }),
})
