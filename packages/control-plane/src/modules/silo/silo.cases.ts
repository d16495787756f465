import type { siloOps } from '@gantry/api/people/silo'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

export const siloCases: CasesOf<typeof siloOps> = {
  policyView: { sent: {}, rule: openly('read', 'silo'), allowed: () => ['/v1/policy'] },
  policyUpdate: {
    sent: { body: { role_assignments: [] } },
    rule: openly('modify', 'silo'),
    allowed: async ({ who }) => {
      const { role_assignments = [] } = (await who.get('/v1/policy')).body
      return ['/v1/policy', { role_assignments }]
    },
  },
  utilizationView: { sent: {}, rule: openly('read', 'silo'), allowed: () => ['/v1/utilization'] },
  projectIpPoolList: {
    sent: {},
    rule: openly('list_children', 'siloIpPool'),
    allowed: () => ['/v1/ip-pools'],
  },
  projectIpPoolView: {
    sent: { path: { pool: 'nobody' } },
    rule: on('read', 'siloIpPool'),
    allowed: ({ ids }) => [`/v1/ip-pools/${ids.pool}`],
  },
}
