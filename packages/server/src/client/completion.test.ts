import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { complete, completion } from './completion.ts'
import { writeProfiles } from './profiles.ts'

function completed(words: readonly string[], form = 'plain', env = {}): string[] {
  let out = ''
  const terminal = {
    out: (text: string) => (out += text),
    err: () => {},
    columns: undefined,
    isColoured: false,
  }
  complete([form, '--', ...words], env, terminal, ['login', 'profile'])
  return out.split('\n').filter(Boolean)
}

test.each([
  [['proj'], ['project', 'project-ip-pool', 'project-policy']],
  [['logi'], ['login', 'login-silo', 'login-method']],
  [['disk', 'cr'], ['create']],
  [['disk', 'create', '--si'], ['--size']],
  [['disk', 'create', '--pl'], []],
  [['disk', 'delete', 'x', '--pl'], ['--plan']],
  [['disk', 'create', ''], []],
  [['instance', 'list', '--state', 'run'], ['running']],
  [
    ['instance', 'create', '--start', ''],
    ['true', 'false'],
  ],
  [['ping', '--j'], ['--json']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['no-such-thing', ''], []],
])('%j is completed', (words, expected) => expect(completed(words).sort()).toEqual([...expected].sort()))

test('shells get meanings in their own form', () => {
  expect(completed(['disk', 'cr'], 'tab')).toEqual(['create\tCreate a disk'])
  expect(completed(['disk', 'cr'], 'colon')).toEqual(['create:Create a disk'])
})

test('profiles are completed by name', async () => {
  const env = { XDG_CONFIG_HOME: await temporaryFolder() }
  writeProfiles(env, { profiles: { lab: { url: 'https://lab.example' } } })
  expect(completed(['disk', 'list', '--profile', ''], 'plain', env)).toEqual(['lab'])
  expect(completed(['profile', 'use', ''], 'plain', env)).toEqual(['lab'])
})

test('another shell is refused', () => {
  const terminal = { out: () => {}, err: () => {}, columns: undefined, isColoured: false }
  expect(() => completion(['tcsh'], {}, terminal)).toThrow('gantry completion bash|zsh|fish')
})
