import { expect, onTestFinished } from 'vitest'
import { test } from '../../testing/bed.ts'
import { testControlPlane } from '../../testing/control-plane.ts'
import { sendSlowly } from '../../testing/send-slowly.ts'

test('a user who is deleted meanwhile gets no SSH key', async () => {
  // The clock stands still: a caller whose body takes a second to arrive is authenticated again, which refuses first.
  const now = new Date()
  const bed = await testControlPlane({ environment: { clock: () => now } })
  onTestFinished(bed.stop)
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

test('a private key is refused, and not kept', async ({ bed }) => {
  const user = await bed.signIn('member')
  const add = (public_key: string) =>
    user.post('/v1/me/ssh-keys', { name: 'secret', description: '', public_key })
  for (const secret of [
    '-----BEGIN OPENSSH PRIVATE KEY-----\nbm90\n-----END OPENSSH PRIVATE KEY-----',
    'PuTTY-User-Key-File-3: ssh-ed25519',
    '-----BEGIN RSA PRIVATE KEY-----',
  ]) {
    const { status, body } = await add(secret)
    expect(status).toBe(400)
    expect(body.message).toMatch(/^unsupported value for "public_key": this is an? .*private key/)
  }
  expect((await user.get('/v1/me/ssh-keys/secret')).status).toBe(404)
})

/** A key of this type and length, as people have them. */
const keyOf = (type: string, length: number) => {
  const begin = [0, 0, 0, type.length, ...new TextEncoder().encode(type)]
  const blob = btoa(String.fromCodePoint(...begin, ...Array<number>(4 * length).fill(7)))
  return `${type} ${blob.slice(0, length - type.length - ' a comment'.length - 1)} a comment`
}

test.for<[kind: string, type: string, length: number]>([
  ['a key of RSA with 8,192 bits', 'ssh-rsa', 1406],
  ['a certificate', 'ssh-rsa-cert-v01@openssh.com', 1385],
  ['a post-quantum key', 'ssh-mldsa44-ed25519@openssh.com', 1904],
  ['a key of a security token', 'sk-ssh-ed25519@openssh.com', 160],
])('%s is kept to the character', async ([, type, length], { bed }) => {
  const user = await bed.signIn('member')
  const public_key = keyOf(type, length)
  expect(public_key).toHaveLength(length)
  const made = await user.post('/v1/me/ssh-keys', { name: `key-${length}`, description: '', public_key })
  expect([made.status, made.body.public_key]).toEqual([201, public_key])
  expect((await user.get(`/v1/me/ssh-keys/key-${length}`)).body.public_key).toBe(public_key)
})

test('long keys are kept, such as of RSA with 16,384 bits or post-quantum', async ({ bed }) => {
  const user = await bed.signIn('member')
  const add = (name: string, length: number) =>
    user.post('/v1/me/ssh-keys', { name, description: '', public_key: `ssh-rsa ${'A'.repeat(length - 8)}` })
  expect((await add('long', 8192)).status).toBe(201)
  expect((await add('longer', 8193)).status).toBe(400)
})
