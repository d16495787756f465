import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { sendSlowly } from '../../testing/send-slowly.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane()
})
afterAll(() => bed.stop())

test('a user who is deleted meanwhile gets no SSH key', async () => {
  const admin = await bed.signIn('admin')
  const person = await bed.addUser('gone')
  const key = { name: 'laptop', description: '', public_key: 'ssh-ed25519 AAAA' }
  const remove = async () => {
    const path = `/v1/system/identity-providers/local/users/${person.id}?silo=demo`
    expect((await admin.call('DELETE', path)).status).toBe(204)
  }
  expect(await sendSlowly(bed, person, { path: '/v1/me/ssh-keys', body: key }, remove)).toBe(404)
  const keys = bed.db.selectFrom('ssh_key').selectAll().where('silo_user_id', '=', person.id)
  expect(await keys.execute()).toEqual([])
})
