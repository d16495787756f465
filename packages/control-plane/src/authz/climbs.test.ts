import { isRead, type Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { samlProviderRow, silentSaml } from '../testing/saml.ts'
import { selectorsOf } from '../testing/operations.ts'

/*
 * Attempts to gain a role on the fleet, to act as a user who holds one, or to remove such users. Each must
 * fail for everyone below fleet admin and succeed for a fleet admin.
 */

let bed: TestBed
const ids: Record<string, string> = {}
const people: Record<string, Caller> = {}
const person = (name: string): Caller => {
  const found = people[name]
  if (!found) throw new Error(`nobody is ${name}`)
  return found
}

const local = '/v1/system/identity-providers/local/users'
const password = { mode: 'password', value: 'correct horse battery staple' }
const admin = (name: string) => ({
  role_assignments: [{ identity_type: 'silo_user', identity_id: ids[name], role_name: 'admin' }],
})
let count = 0
const newSilo = (more: object) => ({
  name: `new-${++count}`,
  description: '',
  discoverable: false,
  identity_mode: 'saml_jit',
  quotas: { cpus: 0, memory: 0, storage: 0 },
  tls_certificates: [],
  ...more,
})
const provider = () => ({
  name: `new-${++count}`,
  description: '',
  idp_metadata_source: { type: 'base64_encoded_xml', data: '' },
  idp_entity_id: '',
  sp_client_id: '',
  acs_url: '',
  slo_url: '',
  technical_contact_email: '',
})

interface Attempt {
  /** The callers who try, besides the fleet admin, who may. */
  by: readonly string[]
  op: OpName
  path: () => string
  body?: () => object
}
/** A user who may create and modify silos; the admins of the named silos; and users below them. */
const mapped = ['fleet collaborator', 'mapped silo admin']
const demo = ['fleet collaborator', 'silo admin', 'silo collaborator', 'project admin']
const of = (path: string, name: string) => (): string => `${local}/${ids[name]}${path}?silo=demo`

const attempts: Record<string, Attempt> = {
  'give themselves a role on the fleet': {
    by: [...demo, 'mapped silo admin'],
    op: 'systemPolicyUpdate',
    path: () => '/v1/system/policy',
    body: () => admin('fleet admin'),
  },
  'create a silo that maps its admin to the fleet': {
    by: [...demo, 'mapped silo admin'],
    op: 'siloCreate',
    path: () => '/v1/system/silos',
    body: () => newSilo({ admin_group_name: 'mine', mapped_fleet_roles: { admin: ['admin'] } }),
  },
  'create a silo that maps its viewer to the fleet': {
    by: ['fleet collaborator'],
    op: 'siloCreate',
    path: () => '/v1/system/silos',
    body: () => newSilo({ mapped_fleet_roles: { admin: [], viewer: ['viewer'] } }),
  },
  'give a role on a silo that maps, by its name': {
    by: mapped,
    op: 'siloPolicyUpdate',
    path: () => '/v1/system/silos/mapped/policy',
    body: () => admin('mapped silo admin'),
  },
  'give a role on their own silo that maps': {
    by: ['mapped silo admin'],
    op: 'policyUpdate',
    path: () => '/v1/policy',
    body: () => admin('mapped silo admin'),
  },
  'loosen the sign-in of their own silo that maps': {
    by: ['mapped silo admin'],
    op: 'authSettingsUpdate',
    path: () => '/v1/auth-settings',
    body: () => ({ device_token_max_ttl_seconds: null }),
  },
  'ask for no second factor in their own silo that maps': {
    by: ['mapped silo admin'],
    op: 'secondFactorSettingsUpdate',
    path: () => '/ext/v1/auth-settings',
    body: () => ({ second_factor: 'optional' }),
  },
  'take away the second factor of a fleet admin': {
    by: demo,
    op: 'userSecondFactorReset',
    path: () => `/ext/v1/users/${ids.victim ?? ''}/second-factors?silo=demo`,
  },
  'delete a silo that maps': {
    by: mapped,
    op: 'siloDelete',
    path: () => '/v1/system/silos/mapped',
  },
  'delete the silo where a fleet admin lives': {
    by: demo,
    op: 'siloDelete',
    path: () => '/v1/system/silos/demo',
  },
  'delete a silo that maps, with everything in it': {
    by: mapped,
    op: 'deletionCreate',
    path: () => '/ext/v1/deletions',
    body: () => ({ kind: 'silo', object_id: ids['mapped silo'], hash: 'x' }),
  },
  'delete the silo where a fleet admin lives, with everything in it': {
    by: demo,
    op: 'deletionCreate',
    path: () => '/ext/v1/deletions',
    body: () => ({ kind: 'silo', object_id: ids['demo silo'], hash: 'x' }),
  },
  'set the password of a fleet admin': {
    by: demo,
    op: 'localIdpUserSetPassword',
    path: of('/set-password', 'victim'),
    body: () => password,
  },
  'keep a fleet admin from signing in': {
    by: demo,
    op: 'localIdpUserSetPassword',
    path: of('/set-password', 'victim'),
    body: () => ({ mode: 'login_disallowed' }),
  },
  'set the password of a user whose group has a fleet role': {
    by: demo,
    op: 'localIdpUserSetPassword',
    path: of('/set-password', 'auditor'),
    body: () => password,
  },
  'set the password of a user whose silo role is mapped': {
    by: mapped,
    op: 'localIdpUserSetPassword',
    path: () => `${local}/${ids['mapped victim']}/set-password?silo=mapped`,
    body: () => password,
  },
  'reset the password of a fleet admin': {
    by: demo,
    op: 'userPasswordReset',
    path: () => `/ext/v1/users/${ids.victim ?? ''}/one-time-password?silo=demo`,
  },
  'reset the password of a user whose silo role is mapped': {
    by: mapped,
    op: 'userPasswordReset',
    path: () => `/ext/v1/users/${ids['mapped victim'] ?? ''}/one-time-password?silo=mapped`,
  },
  'end the sessions of a fleet admin, as an operator does': {
    by: demo,
    op: 'userSessionsEnd',
    path: () => `/ext/v1/users/${ids.victim ?? ''}/end-sessions?silo=demo`,
  },
  'have metadata read for a silo that maps': {
    by: ['fleet collaborator', 'federated mapped admin'],
    op: 'samlMetadataCheck',
    path: () => '/ext/v1/saml-metadata-checks?silo=federated-mapped',
    body: () => ({ idp_metadata_source: { type: 'base64_encoded_xml', data: '' } }),
  },
  'test the sign-in of a silo that maps': {
    by: ['fleet collaborator', 'federated mapped admin'],
    op: 'samlSignInTestBegin',
    path: () => '/ext/v1/saml-identity-providers/corporate/sign-in-tests?silo=federated-mapped',
    body: () => ({}),
  },
  'delete a fleet admin': { by: demo, op: 'localIdpUserDelete', path: of('', 'victim') },
  'delete a user whose group has a fleet role': {
    by: demo,
    op: 'localIdpUserDelete',
    path: of('', 'auditor'),
  },
  'say who signs in to a silo that maps': {
    by: ['fleet collaborator', 'federated mapped admin'],
    op: 'samlIdentityProviderCreate',
    path: () => '/v1/system/identity-providers/saml?silo=federated-mapped',
    body: provider,
  },
  'say who signs in to a silo where a user has a role on the fleet': {
    by: ['fleet collaborator', 'federated user admin'],
    op: 'samlIdentityProviderCreate',
    path: () => '/v1/system/identity-providers/saml?silo=federated-user',
    body: provider,
  },
  'say who signs in to a silo where a group has a role on the fleet': {
    by: ['fleet collaborator', 'federated group admin'],
    op: 'samlIdentityProviderCreate',
    path: () => '/v1/system/identity-providers/saml?silo=federated-group',
    body: provider,
  },
  'manage the users of a silo that maps': {
    by: ['fleet collaborator', 'federated mapped admin'],
    op: 'scimTokenCreate',
    path: () => '/v1/system/scim/tokens?silo=federated-mapped',
  },
  'manage the users of a silo where a group has a role on the fleet': {
    by: ['fleet collaborator', 'federated group admin'],
    op: 'scimTokenCreate',
    path: () => '/v1/system/scim/tokens?silo=federated-group',
  },
  'say anew who signs in to a silo that maps': {
    by: ['fleet collaborator', 'federated mapped admin'],
    op: 'samlProviderUpdate',
    path: () => '/ext/v1/saml-identity-providers/corporate?silo=federated-mapped',
    body: () => ({ description: 'corrected' }),
  },
  'sign out everybody of a silo where a user has a role on the fleet': {
    by: ['fleet collaborator', 'federated user admin'],
    op: 'samlProviderDelete',
    path: () => '/ext/v1/saml-identity-providers/corporate?silo=federated-user',
  },
  'raise the quotas of their own silo': {
    by: demo.filter((label) => label !== 'fleet collaborator'),
    op: 'siloQuotasUpdate',
    path: () => '/v1/system/silos/demo/quotas',
    body: () => ({ cpus: 100_000 }),
  },
}

const federated = { user: 'federated-user', group: 'federated-group', mapped: 'federated-mapped' } as const

beforeAll(async () => {
  bed = await testControlPlane({ environment: { saml: silentSaml } })
  const { db } = bed
  const add = async (label: string, options: Parameters<TestBed['addUser']>[1] = {}) => {
    const made = await bed.addUser(label.replaceAll(' ', '-'), options)
    people[label] = made
    ids[label] = made.id
  }
  const onSilo = [{ at: 'silo', role: 'admin' } as const]
  const owner = await bed.signIn('member')
  const { body: project } = await owner.post('/v1/projects', { name: 'atlas', description: '' })
  await add('fleet admin', { roles: [{ at: 'fleet', role: 'admin' }] })
  await add('victim', { roles: [{ at: 'fleet', role: 'admin' }] })
  await add('leaver', { roles: [{ at: 'fleet', role: 'admin' }] })
  await add('auditor', { roles: [{ at: 'fleet', role: 'viewer' }], through: 'group' })
  await add('fleet collaborator', { roles: [{ at: 'fleet', role: 'collaborator' }] })
  await add('silo admin', { roles: onSilo })
  await add('silo collaborator', { roles: [{ at: 'silo', role: 'collaborator' }] })
  await add('project admin', { roles: [{ at: { project: project.id }, role: 'admin' }] })
  await add('ordinary')

  const siloId = await bed.addSilo('mapped', { admin: ['collaborator'], viewer: ['viewer'] })
  ids['mapped silo'] = siloId
  ids['demo silo'] = (await person('fleet admin').get('/v1/me')).body.silo_id
  await add('mapped silo admin', { siloId, roles: onSilo })
  await add('mapped victim', { siloId, roles: [{ at: 'silo', role: 'viewer' }] })
  await add('mapped nobody', { siloId })

  for (const [kind, name] of Object.entries(federated)) {
    const id = await bed.addSilo(name, kind === 'mapped' ? { viewer: ['viewer'] } : {})
    const options = { siloId: id, ...(kind === 'group' ? { through: 'group' as const } : {}) }
    if (kind === 'mapped') await add('federated mapped admin', { ...options, roles: onSilo })
    else {
      await add(`federated ${kind} admin`, { siloId: id, roles: onSilo })
      await add(`federated ${kind}`, { ...options, roles: [{ at: 'fleet', role: 'viewer' }] })
    }
    await db.updateTable('silo').set({ identity_mode: 'saml_scim' }).where('id', '=', id).execute()
    await db.insertInto('saml_identity_provider').values(samlProviderRow(id, 'corporate')).execute()
  }
})
afterAll(() => bed.stop())

const ask = (who: Caller, { op, path, body }: Attempt): Promise<Answer> =>
  who.call(ops[op].method, path(), body?.())

/** Everything that decides who holds which fleet role, and who can sign in as whom. */
async function powers(): Promise<unknown> {
  const { db } = bed
  return {
    roles: await db
      .selectFrom('role_assignment')
      .selectAll()
      .where('resource_type', '<>', 'project')
      .orderBy('resource_id')
      .orderBy('identity_id')
      .execute(),
    silos: await db
      .selectFrom('silo')
      .select(['id', 'mapped_fleet_roles', 'time_deleted'])
      .orderBy('id')
      .execute(),
    people: await db.selectFrom('silo_user').select(['id', 'time_deleted']).orderBy('id').execute(),
    passwords: await db.selectFrom('silo_user_password').selectAll().orderBy('silo_user_id').execute(),
    providers: await db.selectFrom('saml_identity_provider').select('id').orderBy('id').execute(),
    quotas: await db.selectFrom('silo_quotas').select(['silo_id', 'cpus']).orderBy('silo_id').execute(),
  }
}

describe.each(Object.keys(attempts))('to %s', (title) => {
  test('is refused to everyone but a fleet admin', async () => {
    const attempt = attempts[title]
    if (!attempt) throw new Error('no such attempt')
    const before = await powers()
    for (const label of attempt.by) {
      const { status, body } = await ask(person(label), attempt)
      expect([label, status]).toEqual([label, 403])
      expect(body.help).toMatch(
        attempt.op === 'siloQuotasUpdate' ? /role fleet collaborator/ : /role fleet admin/,
      )
    }
    expect(await powers()).toEqual(before)
  })
})

test('all attempts at once, while a fleet admin works on the same objects, change nothing else', async () => {
  const { role_assignments } = (await person('fleet admin').get('/v1/system/silos/mapped/policy')).body
  const before = await powers()
  const all = Object.values(attempts).flatMap((attempt) =>
    attempt.by.map(async (label) => (await ask(person(label), attempt)).status),
  )
  const own = Array.from({ length: 5 }, async () => {
    const path = '/v1/system/silos/mapped/policy'
    return (await person('fleet admin').call('PUT', path, { role_assignments })).status
  })
  expect(new Set(await Promise.all(all))).toEqual(new Set([403]))
  expect(new Set(await Promise.all(own))).toEqual(new Set([200]))
  expect(await powers()).toEqual(before)
})

/** Writes outside projects that cannot grant a fleet role. */
const harmless: Partial<Record<OpName, string>> = {
  systemTimeseriesQuery: 'reads samples',
  usagePricesUpdate: 'prices are what is shown beside an amount, and only the fleet sets them',
  backupTargetCreate: 'a place for bytes gives no role, and only the fleet adds one',
  backupTargetDelete: 'as above',
  backupTargetTest: 'as above',
  backupTargetUpdate: 'as above',
  backupTargetAdopt: 'as above',
  webhookReceiverCreate: 'alerts go out and give no role, and only the fleet sends them',
  webhookReceiverUpdate: 'as above',
  webhookSecretsAdd: 'as above',
  webhookSecretsDelete: 'as above',
  alertActivityPlaceAdd: 'as above, and the roles of the caller decide what they tell',
  alertActivityPlaceRemove: 'as above',
  alertDeliveryResend: 'as above',
  alertReceiverDelete: 'as above',
  alertReceiverProbe: 'as above',
  alertReceiverSubscriptionAdd: 'as above',
  alertReceiverSubscriptionRemove: 'as above',
  supportBundleCreate: 'collects what the operator may read anyway',
  supportBundleDelete: 'as above',
  supportBundleUpdate: 'as above',
  systemUpdatePutRepository: "the rack's software, which only a fleet admin may change",
  systemUpdateRecoveryFinish: 'as above',
  systemUpdateRepositoryUpload: 'as above',
  systemUpdateTrustRootCreate: 'as above',
  systemUpdateTrustRootDelete: 'as above',
  targetReleaseUpdate: 'as above',
  updateRepositoryDelete: 'as above',
  updateResume: 'as above',
  updateRetry: 'as above',
  updateSuspend: 'as above',
  updateUploadComplete: 'as above',
  updateUploadCreate: 'as above',
  updateUploadDelete: 'as above',
  updateUploadWrite: 'as above',
  recycledItemPlan: 'tries a restore, and rolls it back',
  recycledItemDelete: 'of what the caller may create and delete anyway',
  recycledItemRestore: 'as above',
  restorationPlan: 'tries a restore, and rolls it back',
  restorationCreate: 'sends restores, each with the roles of now',
  restorationCancel: "of the caller's own restoration",
  objectDelete: 'sends another of these operations, which refuses as it would',
  recycleBinSettingsUpdate: 'only for how long the silo keeps what is deleted',
  savedPlanCreate: 'sends another of these operations, which refuses as it would, and rolls it back',
  savedPlanCheck: 'as above',
  savedPlanCommit: 'sends another of these operations, which refuses as it would',
  savedPlanWithdraw: 'ends what somebody might have committed',
  fourEyesSettingsUpdate: 'only demands a second person',
  protectionRemove: 'of objects in a silo, which the caller may modify anyway',
  protectionUpdate: 'as above',
  tagDemandUpdate: 'only demands tags of new objects',
  tagsEdit: 'as above, and no tag gives a role',
  tagsUpdate: 'as above',
  instanceActionCancel: "of the caller's own action, which acts with the caller's roles",
  instanceActionRetry: 'as above',
  bulkDeletionCancel: 'as above',
  bulkDeletionRetry: 'as above',
  bulkTaggingCancel: 'as above',
  bulkTaggingRetry: 'as above',
  notificationRead: "the caller's own, which give no role",
  notificationChoicesUpdate: 'as above',
  listPreferenceUpdate: 'as above',
  favouriteAdd: 'as above',
  favouriteRemove: 'as above',
  sharedViewUpdate: 'says how lists look, and gives no role',
  sharedViewDelete: 'as above',
  deletionCancel: 'ends work of the caller, and deletes nothing',
  activityRevert: 'sends another of these operations, which refuses as it would',
  issueAcknowledge: 'a note on an issue, which only the fleet sees',
  issueAcknowledgementRemove: 'as above',
  certificateCreate: "a silo's own host name is proved by it, which its admin answers for",
  certificateDelete: 'as above',
  accessTokenCreate: 'of oneself, with a part of what one may do',
  accessTokenDeleteAll: 'of oneself',
  currentUserAccessTokenDelete: 'of oneself',
  currentUserSessionDelete: 'of oneself',
  currentUserSessionDeleteOthers: 'of oneself',
  currentUserSshKeyCreate: 'of oneself',
  currentUserSshKeyDelete: 'of oneself',
  confirmationChallenge: 'of oneself',
  confirmationCreate: 'of oneself',
  currentUserPasswordChange: 'of oneself, with the old password',
  passkeyCreate: 'of oneself, with a fresh confirmation',
  passkeyDelete: 'of oneself, with a fresh confirmation',
  passkeySetUp: 'of oneself, with a fresh confirmation',
  passkeyUpdate: 'of oneself',
  recoveryCodesCreate: 'of oneself, with a fresh confirmation',
  totpCreate: 'of oneself, with a fresh confirmation',
  totpDelete: 'of oneself, with a fresh confirmation',
  totpSetUp: 'of oneself, with a fresh confirmation',
  deviceAccessToken: 'the token belongs to the user who confirmed the code',
  deviceAuthConfirm: 'the token is of oneself',
  deviceAuthDeny: 'gives nothing',
  deviceAuthRequest: 'gives nothing until it is confirmed',
  faultInject: 'only for the admin of the fleet',
  faultRemove: 'only for the admin of the fleet',
  ipPoolCreate: 'addresses give no role, and only the fleet hands them out',
  ipPoolDelete: 'as above',
  ipPoolRangeAdd: 'as above',
  ipPoolRangeRemove: 'as above',
  ipPoolServiceRangeAdd: 'as above',
  ipPoolServiceRangeRemove: 'as above',
  systemIpPoolAssign: 'as above',
  ipPoolSiloLink: 'as above',
  ipPoolSiloUnlink: 'as above',
  ipPoolSiloUpdate: 'as above',
  ipPoolUpdate: 'as above',
  subnetPoolCreate: 'as above',
  subnetPoolDelete: 'as above',
  subnetPoolMemberAdd: 'as above',
  subnetPoolMemberRemove: 'as above',
  subnetPoolSiloLink: 'as above',
  subnetPoolSiloUnlink: 'as above',
  subnetPoolSiloUpdate: 'as above',
  subnetPoolUpdate: 'as above',
  localIdpUserCreate: 'a new user holds no role: ids are random, so no old role is theirs',
  loginLocal: 'needs the password',
  loginSaml: 'needs an assertion of a provider of the silo',
  loginNewPassword: 'needs the one-time password, and the second factor if there is one',
  loginPasskey: 'needs the passkey',
  loginPasskeyChallenge: 'gives nothing until it is signed',
  loginPasskeyCreate: 'needs the password, and that there is no factor yet',
  loginPasskeySetUp: 'as above',
  loginRecoveryCode: 'needs the password and the code',
  loginTotp: 'needs the password and the code',
  loginTotpCreate: 'needs the password, and that there is no factor yet',
  loginTotpSetUp: 'as above',
  logout: 'of oneself',
  networkImpactView: 'writes nothing',
  networkTrialConfirm: 'the network of the rack gives no role',
  networkTrialCreate: 'the network of the rack gives no role',
  networkTrialRevert: 'the network of the rack gives no role',
  networkingAddressLotCreate: 'the network of the rack gives no role',
  networkingAddressLotDelete: 'the network of the rack gives no role',
  networkingAllowListUpdate: 'the network of the rack gives no role',
  networkingBfdDisable: 'the network of the rack gives no role',
  networkingBfdEnable: 'the network of the rack gives no role',
  networkingBgpAnnounceSetDelete: 'the network of the rack gives no role',
  networkingBgpAnnounceSetUpdate: 'the network of the rack gives no role',
  networkingBgpConfigCreate: 'the network of the rack gives no role',
  networkingBgpConfigUpdate: 'the network of the rack gives no role',
  networkingBgpConfigDelete: 'the network of the rack gives no role',
  networkingInboundIcmpUpdate: 'the network of the rack gives no role',
  networkingLoopbackAddressCreate: 'the network of the rack gives no role',
  networkingLoopbackAddressDelete: 'the network of the rack gives no role',
  networkingSwitchPortApplySettings: 'the network of the rack gives no role',
  networkingSwitchPortClearSettings: 'the network of the rack gives no role',
  networkingSwitchPortLldpConfigUpdate: 'the network of the rack gives no role',
  networkingSwitchPortSettingsCreate: 'the network of the rack gives no role',
  networkingSwitchPortSettingsDelete: 'the network of the rack gives no role',
  permissionCheck: 'writes nothing',
  scimTokenDelete: 'ends what the token could do, and gives nothing',
  projectCreate: 'roles on projects count in projects only',
  siloCertificateCreate: 'as that of the own silo, and only for the admin of the fleet elsewhere',
  siloCertificateDelete: 'as above',
  siloUserInvite: 'a new user holds no role',
  sledAdd: 'where machines run gives no role',
  physicalDiskEnableAdoption: 'as above',
  physicalDiskDisableAdoption: 'as above',
  rackMembershipAddSleds: 'as above',
  rackMembershipAbort: 'as above',
  systemNetworkingSettingsUpdate: 'as above',
  sledDrainCancel: 'as above',
  sledDrainCreate: 'as above',
  sledExpunge: 'as above',
  sledOutageStart: 'as above',
  sledSetProvisionPolicy: 'as above',
  userLogout: 'ends sessions and gives none',
}
const inProjects = new Set(['project', 'instance', 'vpc', 'upload', 'image'])

test('every write outside projects is either attempted or listed as harmless', () => {
  const writes = (Object.entries(ops) as [OpName, Operation][])
    .filter(([, op]) => !isRead(op.method) && !selectorsOf(op).some((key) => inProjects.has(key)))
    .map(([name]) => name)
  const tried = new Set(Object.values(attempts).map(({ op }) => op))
  expect([...tried, ...(Object.keys(harmless) as OpName[])].sort()).toEqual(writes.sort())
})

describe('what remains allowed', () => {
  const set = (who: string, path: string, body: object) => person(who).call('PUT', path, body)
  const post = (who: string, path: string, body?: object) => person(who).post(path, body)

  test('a silo admin manages users without fleet roles', async () => {
    expect((await post('silo admin', of('/set-password', 'ordinary')(), password)).status).toBe(204)
    expect((await post('silo admin', `/v1/users/${ids.victim}/logout`)).status).toBe(204)
    people.victim = await bed.signIn('victim')
    const { role_assignments } = (await person('silo admin').get('/v1/policy')).body
    expect((await set('silo admin', '/v1/policy', { role_assignments })).status).toBe(200)
    expect(
      (await set('fleet collaborator', '/v1/system/silos/demo/policy', { role_assignments })).status,
    ).toBe(200)
    expect((await person('silo admin').get('/v1/system/silos/demo/quotas')).status).toBe(200)
    expect((await set('fleet collaborator', '/v1/system/silos/demo/quotas', {})).status).toBe(200)
    const plain = await post(
      'fleet collaborator',
      '/v1/system/silos',
      newSilo({ mapped_fleet_roles: { admin: [] } }),
    )
    expect(plain.status).toBe(201)
    const removed = await person('fleet collaborator').call('DELETE', `/v1/system/silos/${plain.body.name}`)
    expect(removed.status).toBe(204)
  })

  test('a silo admin manages users without fleet roles in a silo that maps roles', async () => {
    const path = `${local}/${ids['mapped nobody']}`
    const who = person('mapped silo admin')
    expect((await who.post(`${path}/set-password?silo=mapped`, password)).status).toBe(204)
    expect((await who.call('DELETE', `${path}?silo=mapped`)).status).toBe(204)
    const made = await who.post(`${local}?silo=mapped`, { external_id: 'newcomer', password })
    expect(made.status).toBe(201)
  })

  test('a user with a fleet role can change their own password', async () => {
    const changed = await post('auditor', '/ext/v1/me/password', {
      old_password: 'correct horse',
      password: password.value,
    })
    expect([changed.status, changed.body]).toEqual([204, undefined])
  })

  test('a new user with a reused name has none of the old roles', async () => {
    const operator = person('fleet admin')
    expect((await operator.call('DELETE', of('', 'leaver')())).status).toBe(204)
    const again = await post('silo admin', `${local}?silo=demo`, { external_id: 'leaver', password })
    expect(again.status).toBe(201)
    const sessionOf = await bed.anonymous.post('/v1/login/demo/local', {
      username: 'leaver',
      password: password.value,
    })
    const cookie = sessionOf.headers.get('set-cookie')?.split(';')[0] ?? ''
    const me = await bed.anonymous.call('GET', '/v1/me', undefined, { cookie })
    expect(me.body).toMatchObject({ id: again.body.id, fleet_viewer: false })
  })
})

test('a permission check follows the same rule and gives the reason', async () => {
  const why = async (who: string, object: string, action: string, id?: string) =>
    (await person(who).post('/ext/v1/can', { checks: [{ action, object, ...(id ? { id } : {}) }] })).body
      .verdicts[0].reason
  const stake = 'You need the role admin on the fleet, because a role on the fleet is at stake'
  expect(await why('mapped silo admin', 'silo', 'modify')).toBe(stake)
  expect(await why('fleet collaborator', 'silo', 'modify', 'mapped')).toBe(stake)
  expect(await why('fleet admin', 'silo', 'modify', 'mapped')).toBe(null)
  expect(await why('silo admin', 'silo', 'modify')).toBe(null)
  expect(await why('federated group admin', 'identity_provider', 'create_child')).toBe(stake)
  expect(await why('silo admin', 'silo_quotas', 'modify')).toBe('You need the role collaborator on the fleet')
  expect(await why('silo admin', 'silo_quotas', 'read')).toBe(null)
})

test('a fleet admin may do all of it', async () => {
  const operator = person('fleet admin')
  const policy = (await operator.get('/v1/system/policy')).body
  const isDeletion = ([, { op }]: [string, Attempt]) => ops[op].method === 'DELETE'
  const all = Object.entries(attempts).filter(([, { path }]) => path() !== '/v1/system/silos/demo')
  for (const [title, attempt] of [...all.filter((one) => !isDeletion(one)), ...all.filter(isDeletion)]) {
    const { op, path, body } = attempt
    const sent = op === 'systemPolicyUpdate' ? policy : body?.()
    const { status } = await operator.call(ops[op].method, path(), sent)
    // Allowed, but not with a plan that was never made.
    const isAllowed = op === 'deletionCreate' ? status === 409 : status < 300
    expect([title, isAllowed]).toEqual([title, true])
  }
})
