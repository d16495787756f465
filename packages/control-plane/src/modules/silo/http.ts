import { implement } from '../../kernel/implement.ts'
import { readPolicy } from '../../kernel/policies.ts'
import { readQuota } from './quota.ts'

export const siloHttp = implement({
  policyView: async (cx) => {
    const { silo_id } = cx.user()
    cx.demand('read', { class: 'silo', silo_id })
    return readPolicy(cx.db, { resource_type: 'silo', resource_id: silo_id })
  },
  utilizationView: async (cx) => {
    const { silo_id } = cx.user()
    cx.demand('read', { class: 'silo', silo_id })
    const { used, quota } = await readQuota(cx.db, silo_id)
    return { provisioned: used, capacity: quota }
  },
})
