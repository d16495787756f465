import { z } from 'zod'
import { family, get } from './op.ts'
import { InProject, listInProject, named, NameOrId, pageOf, Uuid, withIdentity } from './schema.ts'

export const AffinityPolicy = named('AffinityPolicy', z.enum(['allow', 'fail']))
export const FailureDomain = named('FailureDomain', z.enum(['sled']))
export const AntiAffinityGroup = named(
  'AntiAffinityGroup',
  withIdentity({ project_id: Uuid, policy: AffinityPolicy, failure_domain: FailureDomain }),
)
export type AntiAffinityGroup = z.infer<typeof AntiAffinityGroup>
export const AntiAffinityGroupPage = pageOf('AntiAffinityGroup', AntiAffinityGroup)

export const affinityOps = family('affinity', ['anti-affinity-group'], {
  antiAffinityGroupList: get('/v1/anti-affinity-groups', {
    summary: 'List anti-affinity groups of a project',
    ...listInProject,
    returns: AntiAffinityGroupPage,
  }),
  antiAffinityGroupView: get('/v1/anti-affinity-groups/{anti_affinity_group}', {
    summary: 'Fetch an anti-affinity group',
    path: z.object({ anti_affinity_group: NameOrId }),
    query: InProject,
    returns: AntiAffinityGroup,
  }),
})
