import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { type Counted, countedStatements } from '../../testing/counted-statements.ts'
import { made } from '../../testing/hidden-things.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'
import { testServices } from '../../testing/services.ts'
import { notificationUpkeep } from './watch.ts'

const GiB = 2 ** 30
let counted: Counted
let bed: TestBed
let operator: Caller
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ dialect: counted.dialect, idle: true })
  operator = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const nameOf = (index: number) => `silo-${index}`

/** A silo of which the operator is an admin. */
async function silo(index: number, identity_id: string): Promise<void> {
  const resource_id = await made(operator, '/v1/system/silos', {
    name: nameOf(index),
    description: '',
    discoverable: true,
    identity_mode: 'local_only',
    quotas: { cpus: 1, memory: GiB, storage: GiB },
    mapped_fleet_roles: {},
    tls_certificates: [],
  })
  const role = { resource_type: 'silo', identity_type: 'silo_user', role_name: 'admin' } as const
  await bed.db
    .insertInto('role_assignment')
    .values({ ...role, resource_id, identity_id })
    .execute()
}

const quotaIssues = (from: number, to: number) =>
  bed.db
    .insertInto('issue_episode')
    .values(
      Array.from({ length: to - from }, (_, index) => {
        const touches = [{ kind: 'silo', id: crypto.randomUUID(), name: nameOf(from + index) }]
        const issue = { kind: 'quota_near_limit', severity: 'warning', message: 'm', next_step: 'n', touches }
        return {
          id: crypto.randomUUID(),
          issue_id: crypto.randomUUID(),
          kind: 'quota_near_limit' as const,
          issue: JSON.stringify({ ...issue, since: null, ended: null }),
          time_began: new Date(),
        }
      }),
    )
    .execute()

test('conditions of many silos cost as many statements as those of one, and nothing is written twice', async () => {
  const silos = 12
  const { id } = (await operator.get('/v1/me')).body
  for (let index = 0; index < silos; index++) await silo(index, id)
  const services = testServices({ db: bed.db })
  const cost = async () =>
    (await counted.during(async () => void (await notificationUpkeep.run(services)))).length
  await quotaIssues(0, 1)
  const ofOne = await cost()
  await quotaIssues(1, silos)
  expect(await cost()).toBe(ofOne)
  const quota = async () =>
    (await operator.get('/ext/v1/me/notifications?limit=100')).body.items.filter(
      ({ kind }: { kind: string }) => kind === 'quota',
    )
  expect(await quota()).toHaveLength(silos)
  // What its users have already costs no writes.
  expect(await cost()).toBeLessThan(ofOne)
  expect(await quota()).toHaveLength(silos)
})
