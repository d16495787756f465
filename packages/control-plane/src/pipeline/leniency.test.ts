import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'

let bed: TestBed
let me: Caller
beforeAll(async () => {
  bed = await testControlPlane({ idle: true })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

test.each(['/v1/me/', '//v1//me', '/v1/me//'])('a path with more slashes is the same: %s', async (path) => {
  expect((await me.get(path)).body).toEqual((await me.get('/v1/me')).body)
})

const body = (name: string) => JSON.stringify({ name, description: '' })
test.each([
  ['a charset in upper case', { 'content-type': 'APPLICATION/JSON; Charset=UTF-8' }, body],
  ['a charset in quotes', { 'content-type': 'application/json;charset="utf-8"' }, body],
  ['a byte order mark', {}, (name: string) => `\uFEFF${body(name)}`],
])('a body is read with %s', async (what, headers, of) => {
  const name = what.replaceAll(' ', '-')
  const made = await me.call('POST', '/v1/projects', of(name), {
    'content-type': 'application/json',
    ...headers,
  })
  expect([made.status, made.body.name]).toEqual([201, name])
})
