import type { serviceAccountOps } from '@gantry/api/people/service-account'
import { atlas, fresh, id, named, plain, project } from '../../testing/case-values.ts'
import { type CasesOf, type Given, listProject, on, readChild } from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const at = '/ext/v1/service-accounts'
const sent = { path: { service_account: 'nobody' }, query: project }
const ofToken = { ...sent, path: { ...sent.path, token_id: id } }
/** Those who give roles in the project manage what acts with them. */
const manage = on('modify', 'project')
const token = { name: 'nightly', ttl_seconds: 3600, powers: ['read'] }
const freshAccount = (made: PolicyScene['made']): Promise<string> => made(`${at}?${atlas}`, plain())

const freshToken = async ({ made, owner }: PolicyScene): Promise<string> => {
  const path = `${at}/${await freshAccount(made)}/access-tokens`
  const { body } = await owner.post(`${path}?${atlas}`, token)
  return `${path}/${body.details.id}`
}

export const serviceAccountCases: CasesOf<typeof serviceAccountOps> = {
  serviceAccountList: { sent: { query: project }, rule: listProject, allowed: () => [`${at}?${atlas}`] },
  serviceAccountCreate: {
    sent: { query: project, body: { ...named, role_name: 'viewer' } },
    rule: manage,
    allowed: () => [`${at}?${atlas}`, plain()],
  },
  serviceAccountView: {
    sent,
    rule: readChild,
    allowed: async ({ made }) => [`${at}/${await freshAccount(made)}?${atlas}`],
    addressed: [
      'service_account',
      'service-account',
      ['project'],
      'when providing service_account as an ID, project should not be specified',
    ],
  },
  serviceAccountUpdate: {
    sent: { ...sent, body: { description: 'x' } },
    rule: manage,
    allowed: async ({ made }) => [`${at}/${await freshAccount(made)}?${atlas}`, { description: fresh() }],
  },
  serviceAccountDelete: {
    sent,
    rule: manage,
    allowed: async ({ made }) => [`${at}/${await freshAccount(made)}?${atlas}`],
  },
  serviceAccountTokenList: {
    sent,
    rule: manage,
    allowed: async ({ made }) => [`${at}/${await freshAccount(made)}/access-tokens?${atlas}`],
  },
  serviceAccountTokenCreate: {
    sent: { ...sent, body: token },
    rule: manage,
    allowed: async ({ made }) => [`${at}/${await freshAccount(made)}/access-tokens?${atlas}`, token],
  },
  serviceAccountTokenRotate: {
    sent: { ...ofToken, body: { overlap_seconds: 3600 } },
    rule: manage,
    allowed: async (scene) => [`${await freshToken(scene)}/rotate?${atlas}`, { overlap_seconds: 0 }],
  },
  serviceAccountTokenDelete: {
    sent: ofToken,
    rule: manage,
    allowed: async (scene) => [`${await freshToken(scene)}?${atlas}`],
  },
}

export const serviceAccountGiven: Given = {
  service_account: ({ at: query, the }) => [`${at}?${query}`, the],
}
