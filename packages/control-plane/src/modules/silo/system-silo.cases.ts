import type { systemSiloOps } from '@gantry/api/people/system-silo'
import { GiB, fresh, named } from '../../testing/case-values.ts'
import { type CasesOf, inNamedSilo, openly, withinNamedSilo } from '../../testing/operation-case.ts'

const newSilo = (name: string) => ({
  name,
  description: '',
  discoverable: false,
  identity_mode: 'local_only',
  quotas: { cpus: 0, memory: 0, storage: 0 },
  tls_certificates: [],
})

export const systemSiloCases: CasesOf<typeof systemSiloOps> = {
  siloList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => ['/v1/system/silos'] },
  systemSiloList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/silos'],
  },
  siloCreate: {
    sent: {
      body: {
        ...named,
        discoverable: true,
        identity_mode: 'local_only',
        quotas: { cpus: 1, memory: GiB, storage: GiB },
        tls_certificates: [],
        admin_group_name: 'admins',
        mapped_fleet_roles: {},
      },
    },
    rule: openly('create_child', 'fleet'),
    allowed: () => ['/v1/system/silos', newSilo(fresh())],
  },
  siloView: {
    sent: { path: { silo: 'nobody' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/silos/demo'],
  },
  siloDelete: {
    sent: { path: { silo: 'nobody' } },
    rule: { needs: 'modify', of: 'silo', hidden: true, in: 'named silo', atStake: true },
    allowed: () => ['/v1/system/silos/demo'],
  },
  siloPolicyView: {
    sent: { path: { silo: 'nobody' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/silos/demo/policy'],
  },
  siloPolicyUpdate: {
    sent: { path: { silo: 'nobody' }, body: { role_assignments: [] } },
    rule: inNamedSilo('modify'),
    allowed: async ({ owner }) => ['/v1/system/silos/demo/policy', (await owner.get('/v1/policy')).body],
  },
  systemQuotasList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/silo-quotas'],
  },
  siloQuotasView: {
    sent: { path: { silo: 'nobody' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/silos/demo/quotas'],
  },
  siloQuotasUpdate: {
    sent: { path: { silo: 'nobody' }, body: { cpus: 1, memory: GiB, storage: GiB } },
    rule: withinNamedSilo('modify', 'siloQuotas'),
    allowed: () => ['/v1/system/silos/demo/quotas', {}],
  },
  siloIpPoolList: {
    sent: { path: { silo: 'demo' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/silos/demo/ip-pools'],
  },
  siloUtilizationList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/utilization/silos'],
  },
  siloUtilizationView: {
    sent: { path: { silo: 'nobody' } },
    rule: inNamedSilo('read'),
    allowed: () => ['/v1/system/utilization/silos/demo'],
  },
  systemPolicyView: { sent: {}, rule: openly('read', 'fleet'), allowed: () => ['/v1/system/policy'] },
  systemPolicyUpdate: {
    sent: { body: { role_assignments: [] } },
    rule: openly('modify', 'fleet'),
    allowed: async ({ operator }) => ['/v1/system/policy', (await operator.get('/v1/system/policy')).body],
  },
}
