import type { Silo } from '@gantry/api/people/system-silo'
import { ops } from '@gantry/api/registry'
import type { Cx } from '../../context/cx.ts'
import { implement } from '../../pipeline/implement.ts'
import { need, needOwnSilo } from '../../lookup/need.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { listPage } from '../../list/page.ts'
import { listLinkedPools } from '../network/addresses/pools.ts'
import { certificateView, createCertificate, deleteCertificate } from './certificates.ts'
import { updateFleetPolicy, updateSiloPolicy, viewFleetPolicy, viewSiloPolicy } from './policies.ts'
import { listSiloProjects } from './projects.ts'
import { readQuota } from './quota.ts'
import { updateQuotas, viewQuotas } from './quotas.ts'
import { createSiloCertificate, deleteSiloCertificate, listSiloCertificates } from './silo-certificates.ts'
import { createSilo, deleteSilo, listDiscoverable, siloView } from './silos.ts'
import { listBuiltinUsers, listSiloUsers, viewBuiltinUser, viewSiloUser } from './users.ts'
import { listQuotas, listUtilization, viewUtilization } from './utilization.ts'

const ownSilo = (cx: Cx) => ({ silo: cx.user().silo_id })

export const siloHttp = implement({
  siloList: (cx, { query }) => listDiscoverable(cx, query),
  systemSiloList: (cx, { query }) =>
    filteredPage<'silo', typeof query, Silo>(cx, ops.systemSiloList, 'silo', query, siloView),
  siloCreate: async (cx, { body }) => siloView(await createSilo(cx, body)),
  siloView: async (cx, { path }) => siloView((await need(cx, 'silo', path, 'read')).row),
  siloDelete: (cx, { path }) => deleteSilo(cx, path),
  siloIpPoolList: async (cx, { path, query }) =>
    listLinkedPools(cx, query, (await need(cx, 'silo', path, 'read')).row.id),

  policyView: (cx) => viewSiloPolicy(cx, ownSilo(cx)),
  policyUpdate: (cx, { body }) => updateSiloPolicy(cx, ownSilo(cx), body),
  siloPolicyView: (cx, { path }) => viewSiloPolicy(cx, path),
  siloPolicyUpdate: (cx, { path, body }) => updateSiloPolicy(cx, path, body),
  systemPolicyView: viewFleetPolicy,
  systemPolicyUpdate: (cx, { body }) => updateFleetPolicy(cx, body),

  systemQuotasList: (cx, { query }) => listQuotas(cx, query),
  siloQuotasView: (cx, { path }) => viewQuotas(cx, path),
  siloQuotasUpdate: (cx, { path, body }) => updateQuotas(cx, path, body),
  siloUtilizationList: (cx, { query }) => listUtilization(cx, query),
  siloUtilizationView: (cx, { path }) => viewUtilization(cx, path),
  utilizationView: async (cx) => {
    const { silo_id } = needOwnSilo(cx, 'read')
    const { used, quota } = await readQuota(cx.db, silo_id)
    return { provisioned: used, capacity: quota }
  },

  certificateList: (cx, { query }) => {
    const where = needOwnSilo(cx, 'list_children', 'certificate')
    return listPage(cx, 'certificate', query, () => ({ where }), certificateView)
  },
  certificateCreate: async (cx, { body }) => certificateView(await createCertificate(cx, body)),
  certificateView: async (cx, { path }) => certificateView((await need(cx, 'certificate', path, 'read')).row),
  certificateDelete: (cx, { path }) => deleteCertificate(cx, path),

  siloProjectList: (cx, { path, query }) => listSiloProjects(cx, path, query),
  siloCertificateList: (cx, { path, query }) => listSiloCertificates(cx, path, query),
  siloCertificateCreate: (cx, { path, body }) => createSiloCertificate(cx, path, body),
  siloCertificateDelete: (cx, { path }) => deleteSiloCertificate(cx, path),

  siloUserList: (cx, { query }) => listSiloUsers(cx, query),
  siloUserView: (cx, { path, query }) => viewSiloUser(cx, { ...query, ...path }),
  userBuiltinList: (cx, { query }) => listBuiltinUsers(cx, query),
  userBuiltinView: (cx, { path }) => viewBuiltinUser(cx, path),
})
