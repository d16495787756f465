import { implement } from '../../kernel/implement.ts'
import { readPolicy } from '../../kernel/policies.ts'

export const siloHttp = implement({
  policyView: async (cx) => {
    const { silo_id } = cx.user()
    cx.demand('read', { class: 'silo', silo_id })
    return readPolicy(cx.db, { resource_type: 'silo', resource_id: silo_id })
  },
  utilizationView: async (cx) => {
    const { silo_id } = cx.user()
    cx.demand('read', { class: 'silo', silo_id })
    const used = await cx.db
      .selectFrom('provisioning')
      .selectAll()
      .where('id', '=', silo_id)
      .executeTakeFirstOrThrow()
    const quota = await cx.db
      .selectFrom('silo_quotas')
      .selectAll()
      .where('silo_id', '=', silo_id)
      .executeTakeFirstOrThrow()
    const counts = ({ cpus, memory, storage }: typeof used | typeof quota) => ({ cpus, memory, storage })
    return { provisioned: counts(used), capacity: counts(quota) }
  },
})
