import { implement } from '../../kernel/implement.ts'
import { listPage } from '../../kernel/page.ts'
import { listLinkedPools } from '../network/pools.ts'
import {
  certificatesHere,
  certificateView,
  createCertificate,
  deleteCertificate,
  needCertificate,
} from './certificates.ts'
import { needSilo } from './find.ts'
import { updateFleetPolicy, updateSiloPolicy, viewFleetPolicy, viewSiloPolicy } from './policies.ts'
import { readQuota } from './quota.ts'
import { updateQuotas, viewQuotas } from './quotas.ts'
import { createSilo, deleteSilo, siloView } from './silos.ts'
import { listBuiltinUsers, listSiloUsers, viewBuiltinUser, viewSiloUser } from './users.ts'
import { listQuotas, listUtilization, viewUtilization } from './utilization.ts'

export const siloHttp = implement({
  siloList: (cx, { query }) => {
    cx.demand('list_children', { class: 'fleet' })
    return listPage(cx, 'silo', query, () => ({ where: { discoverable: true } }), siloView)
  },
  siloCreate: async (cx, { body }) => siloView(await createSilo(cx, body)),
  siloView: async (cx, { path }) => siloView(await needSilo(cx, path.silo, 'read')),
  siloDelete: (cx, { path }) => deleteSilo(cx, path.silo),
  siloIpPoolList: async (cx, { path, query }) =>
    listLinkedPools(cx, query, (await needSilo(cx, path.silo, 'read')).id),

  policyView: (cx) => viewSiloPolicy(cx, cx.user().silo_id),
  policyUpdate: (cx, { body }) => updateSiloPolicy(cx, cx.user().silo_id, body),
  siloPolicyView: (cx, { path }) => viewSiloPolicy(cx, path.silo),
  siloPolicyUpdate: (cx, { path, body }) => updateSiloPolicy(cx, path.silo, body),
  systemPolicyView: viewFleetPolicy,
  systemPolicyUpdate: (cx, { body }) => updateFleetPolicy(cx, body),

  systemQuotasList: (cx, { query }) => listQuotas(cx, query),
  siloQuotasView: (cx, { path }) => viewQuotas(cx, path.silo),
  siloQuotasUpdate: (cx, { path, body }) => updateQuotas(cx, path.silo, body),
  siloUtilizationList: (cx, { query }) => listUtilization(cx, query),
  siloUtilizationView: (cx, { path }) => viewUtilization(cx, path.silo),
  utilizationView: async (cx) => {
    const { silo_id } = cx.user()
    cx.demand('read', { class: 'silo', silo_id })
    const { used, quota } = await readQuota(cx.db, silo_id)
    return { provisioned: used, capacity: quota }
  },

  certificateList: (cx, { query }) => {
    cx.demand('list_children', certificatesHere(cx))
    return listPage(
      cx,
      'certificate',
      query,
      () => ({ where: { silo_id: cx.user().silo_id } }),
      certificateView,
    )
  },
  certificateCreate: async (cx, { body }) => certificateView(await createCertificate(cx, body)),
  certificateView: async (cx, { path }) =>
    certificateView(await needCertificate(cx, path.certificate, 'read')),
  certificateDelete: (cx, { path }) => deleteCertificate(cx, path.certificate),

  siloUserList: (cx, { query }) => listSiloUsers(cx, query),
  siloUserView: (cx, { path, query }) => viewSiloUser(cx, path.user_id, query.silo),
  userBuiltinList: (cx, { query }) => listBuiltinUsers(cx, query),
  userBuiltinView: (cx, { path }) => viewBuiltinUser(cx, path.user),
})
