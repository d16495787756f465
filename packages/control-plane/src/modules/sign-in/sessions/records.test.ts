import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetOldAudit } from '@gantry/control-plane/change/audit'
import { forgetRateLimited } from '@gantry/control-plane/pipeline/rate-limited-records'
import { defaultSettings } from '@gantry/control-plane/settings'
import { Cx, requestInfo } from '@gantry/control-plane/context/cx'
import {
  type Caller,
  eventually,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { forgetFailedSignIns } from './failed-sign-ins.ts'
import { from } from '../sign-in.fixtures.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const day = 24 * 3_600_000
const login = (address: string, username: string, password: string, silo = 'demo') =>
  from(bed, address, `/v1/login/${silo}/local`, { username, password }, { 'user-agent': 'x'.repeat(400) })
const failed = () =>
  bed.db.selectFrom('failed_sign_in').select(['silo_name', 'username', 'source_ip']).orderBy('time').execute()

test('a failed sign-in records the name tried, of an unknown one only the beginning', async () => {
  const secret = 'correct-horse-typed-into-the-name'
  expect((await login('192.0.2.1', 'viewer', 'a wrong password')).status).toBe(401)
  expect((await login('192.0.2.2', 'root', 'a wrong password')).status).toBe(401)
  expect((await login('192.0.2.2', secret, 'a wrong password')).status).toBe(401)
  expect((await login('192.0.2.3', 'viewer', 'a wrong password', 'a-silo-of-nobody')).status).toBe(401)
  expect((await login('192.0.2.1', 'viewer', 'correct horse')).status).toBe(204)
  expect(await failed()).toEqual([
    { silo_name: 'demo', username: 'viewer', source_ip: '192.0.2.1' },
    { silo_name: 'demo', username: 'root', source_ip: '192.0.2.2' },
    { silo_name: 'demo', username: 'correct-…', source_ip: '192.0.2.2' },
    { silo_name: 'a-silo-o…', username: 'viewer', source_ip: '192.0.2.3' },
  ])
  const everything = JSON.stringify([
    await bed.db.selectFrom('failed_sign_in').selectAll().execute(),
    await bed.db.selectFrom('audit').selectAll().execute(),
    await bed.db.selectFrom('change').selectAll().execute(),
    bed.logged,
  ])
  for (const never of ['a wrong password', secret, 'x'.repeat(257)]) expect(everything).not.toContain(never)
})

test('a flood of refused requests leaves one row an hour per source, with a count', async () => {
  const counted = async () => {
    const rows = await bed.db.selectFrom('refused_often').selectAll().orderBy('source_ip').execute()
    return rows.map(({ operation_id, source_ip, silo_user_id, count }) => ({
      operation_id,
      source_ip,
      silo_user_id,
      count,
    }))
  }
  const audits = async () => (await bed.db.selectFrom('audit').select('id').execute()).length
  for (let index = 0; index < 10; index++) await login('192.0.2.9', 'petra', 'wrong')
  const before = await audits()
  const many = await Promise.all(Array.from({ length: 40 }, () => login('192.0.2.9', 'petra', 'wrong')))
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([429]))
  for (let index = 0; index < 12; index++) await me.post('/device/confirm', { user_code: 'BBBBBBBB' })
  const { id } = (await me.get('/v1/me')).body
  const mine = { operation_id: 'device_auth_confirm', source_ip: '127.0.0.1', silo_user_id: id, count: 2 }
  const theirs = { operation_id: 'login_local', source_ip: '192.0.2.9', silo_user_id: '', count: 40 }
  await eventually(counted, (rows) => rows.reduce((sum, { count }) => sum + count, 0) === 42)
  expect(await counted()).toEqual([mine, theirs])
  await login('192.0.2.9', 'petra', 'wrong')
  await eventually(counted, (rows) => rows.some(({ count }) => count === 41))
  expect(await counted()).toEqual([mine, { ...theirs, count: 41 }])
  // The ten unknown codes are in the audit log; rate-limited requests are not.
  expect(await audits()).toBe(before + 10)
})

test('sources beyond the limit are counted together', async () => {
  await bed.db.deleteFrom('refused_often').execute()
  const other = await testControlPlane()
  for (let index = 0; index < 10; index++)
    await from(other, '192.0.2.9', '/v1/login/demo/local', { username: 'omar', password: 'x' })
  const { countRateLimited } = await import('@gantry/control-plane/pipeline/rate-limited-records')
  const services = testServices({ db: other.db })
  const cx = (address: string) => new Cx(services, { kind: 'anonymous' }, requestInfo(services, { address }))
  for (let index = 0; index < 3000; index++)
    countRateLimited(cx(`10.0.${index >> 8}.${index & 255}`), 'login_local')
  const { rateLimitedWriter } = await import('@gantry/control-plane/pipeline/rate-limited-records')
  await rateLimitedWriter(services).run(services)
  const rows = await other.db.selectFrom('refused_often').select(['source_ip', 'count']).execute()
  expect(rows).toHaveLength(1001)
  expect(rows.find(({ source_ip }) => source_ip === 'others')?.count).toBe(2000)
  await other.stop()
})

test('records are deleted after the configured number of days', async () => {
  const now = Date.now()
  const settings = {
    ...defaultSettings,
    audit: {
      ...defaultSettings.audit,
      retention_days: 90,
      failed_sign_in_retention_days: 7,
      refused_often_retention_days: 3,
    },
  }
  const services = testServices({ db: bed.db, clock: () => new Date(now), settings })
  for (const table of ['audit', 'failed_sign_in', 'refused_often'] as const)
    await bed.db.deleteFrom(table as 'audit').execute()
  await login('192.0.2.50', 'root', 'wrong')
  const audit = await bed.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow()
  const tried = await bed.db.selectFrom('failed_sign_in').selectAll().executeTakeFirstOrThrow()
  for (const table of ['audit', 'failed_sign_in'] as const)
    await bed.db.deleteFrom(table as 'audit').execute()
  for (const days of [2, 4, 6, 8, 89, 91]) {
    const time = new Date(now - days * day)
    const id = crypto.randomUUID()
    const actor = JSON.stringify(audit.actor)
    await bed.db
      .insertInto('audit')
      .values({
        ...audit,
        id,
        actor,
        details: null,
        request: null,
        time_completed: time,
        error_message: `${days}`,
      })
      .execute()
    await bed.db
      .insertInto('failed_sign_in')
      .values({ ...tried, id, time, username: `${days}` })
      .execute()
    await bed.db
      .insertInto('refused_often')
      .values({ hour: time, operation_id: `${days}`, source_ip: '', silo_user_id: '', count: 1 })
      .execute()
  }
  await forgetOldAudit(services)
  await forgetFailedSignIns(services)
  await forgetRateLimited(services)
  const left = async (table: 'audit' | 'failed_sign_in' | 'refused_often', column: string) =>
    (
      await bed.db
        .selectFrom(table as 'audit')
        .select(column as 'error_message')
        .execute()
    )
      .map((row) => Number((row as Record<string, unknown>)[column]))
      .sort((a, b) => a - b)
  expect(await left('audit', 'error_message')).toEqual([2, 4, 6, 8, 89])
  expect(await left('failed_sign_in', 'username')).toEqual([2, 4, 6])
  expect(await left('refused_often', 'operation_id')).toEqual([2])
})
