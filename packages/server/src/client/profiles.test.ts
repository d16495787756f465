import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { connectionOf, originOf, profilesFile, readProfiles, writeProfiles } from './profiles.ts'

const url = 'https://one.example'
const saved = {
  current: 'one',
  profiles: { one: { url, token: 't1' }, two: { url: 'https://two.example', token: 't2' } },
}
const given = (options: Record<string, string> = {}) => ({ text: (name: string) => options[name] })

async function saving() {
  const env = { XDG_CONFIG_HOME: await temporaryFolder() }
  writeProfiles(env, saved)
  return env
}

test('profiles are kept in a file that only its owner can read', async () => {
  const env = await saving()
  expect(readProfiles(env)).toEqual(saved)
  expect(fs.statSync(profilesFile(env)).mode & 0o777).toBe(0o600)
  expect(fs.statSync(path.dirname(profilesFile(env))).mode & 0o777).toBe(0o700)
  expect(fs.readdirSync(path.dirname(profilesFile(env)))).toEqual(['profiles.json'])
})

test('options come before the environment, and the environment before profiles', async () => {
  const env = await saving()
  expect(connectionOf(given(), env)).toEqual({ url, token: 't1' })
  expect(connectionOf(given({ profile: 'two' }), env)).toEqual({ url: 'https://two.example', token: 't2' })
  expect(connectionOf(given(), { ...env, GANTRY_PROFILE: 'two' }).token).toBe('t2')
  expect(connectionOf(given(), { ...env, GANTRY_TOKEN: 'x' })).toEqual({ url, token: 'x' })
  expect(
    connectionOf(given(), { ...env, GANTRY_URL: 'http://three.example:8080/', GANTRY_TOKEN: 'x' }),
  ).toEqual({
    url: 'http://three.example:8080',
    token: 'x',
  })
})

test("a profile's token goes to its own server only", async () => {
  const env = await saving()
  expect(connectionOf(given({ url: 'https://two.example' }), env).token).toBe('t2')
  expect(connectionOf(given({ url: 'https://evil.example' }), env).token).toBeUndefined()
  expect(() => connectionOf(given({ url: 'https://evil.example', profile: 'one' }), env)).toThrow(
    'Profile one is for https://one.example',
  )
})

test('what is missing or damaged is said', async () => {
  const env = { XDG_CONFIG_HOME: await temporaryFolder() }
  expect(() => connectionOf(given(), env)).toThrow('gantry login URL')
  expect(() => connectionOf(given({ profile: 'x' }), env)).toThrow('There is no profile x')
  fs.mkdirSync(path.dirname(profilesFile(env)))
  fs.writeFileSync(profilesFile(env), '{"profiles":{"a":{"url":"no"}}}')
  expect(() => readProfiles(env)).toThrow('is damaged')
})

test.each([
  ['gantry.example', 'https://gantry.example'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
])('%s is the server %s', (text, origin) => expect(originOf(text)).toBe(origin))

test.each(['https://a.example/path', 'ftp://a.example', 'https://user:pw@a.example', ''])(
  '%j is no server',
  (text) => expect(() => originOf(text)).toThrow('is no server'),
)
