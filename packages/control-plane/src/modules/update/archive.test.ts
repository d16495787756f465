import { describe, expect, test } from 'vitest'
import { MiB } from '@gantry/api/base/bytes.rules'
import { inYears, publisher, publishersRoot, signedRepository } from '../../testing/updates.ts'
import { type Release, verifyArchive } from './archive.ts'
import { canonicalJson } from './canonical-json.ts'
import {
  repositoryFiles,
  rootRoleOf,
  sampleArtifacts,
  signingKey,
  signWith,
  zipFiles,
} from './make-repository.ts'
import { RootRole, signatureProblem } from './roles.ts'

const verify = (bytes: Uint8Array, roots = [publishersRoot]): Promise<Release> =>
  verifyArchive(
    { size: bytes.length, read: async (at, length) => bytes.subarray(at, at + length) },
    { roots, now: new Date(), unpackedMax: 1 * MiB },
  )
const utf8 = new TextEncoder()
const given = { version: '1.1.0', key: publisher, expires: inYears(1) }
const filesOf = (more: object = {}) => repositoryFiles({ ...given, ...more })

test('describes an intact repository', async () => {
  const release = await verify(await signedRepository('1.1.0'))
  expect(release).toMatchObject({ system_version: '1.1.0', targets_role_version: 1 })
  expect(release.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(release.artifacts.map(({ id }) => id.kind)).toEqual([
    'sled_rot',
    'sled_sp',
    'sled_host',
    'switch_rot',
    'switch_sp',
    'control_plane',
  ])
})

test('every root is tried, and none is not enough', async () => {
  const other = rootRoleOf(signingKey(new Uint8Array(32).fill(9)), inYears(1))
  const bytes = await signedRepository('1.1.0')
  await expect(verify(bytes, [other, publishersRoot])).resolves.toMatchObject({ system_version: '1.1.0' })
  await expect(verify(bytes, [other])).rejects.toThrow('not signed by any trust root: 0 of 1 required')
  await expect(verify(bytes, [])).rejects.toThrow('there is no trust root to verify it by')
  const expired = rootRoleOf(publisher, new Date(0))
  await expect(verify(bytes, [expired])).rejects.toThrow('trust root expired on 1970-01-01T00:00:00Z')
})

/** Each case changes the files of an intact repository. */
const damages: [string, (files: Map<string, Uint8Array>) => Map<string, Uint8Array>, string][] = [
  [
    'a changed file',
    (files) => files.set('targets/sled_sp-1.1.0.bin', utf8.encode('x'.repeat(46))),
    'sled_sp-1.1.0.bin',
  ],
  [
    'a shorter file',
    (files) => files.set('targets/sled_sp-1.1.0.bin', utf8.encode('x')),
    'has 1 bytes instead of',
  ],
  [
    'a longer file',
    (files) => files.set('targets/sled_sp-1.1.0.bin', new Uint8Array(5 * MiB)),
    'is larger than',
  ],
  [
    'a file that is not listed',
    (files) => files.set('readme.txt', utf8.encode('x')),
    '"readme.txt" is not listed',
  ],
  [
    'a file that leaves the folder',
    (files) => files.set('../evil', utf8.encode('x')),
    'not a zip archive that can be accepted',
  ],
  [
    'an absolute path',
    (files) => files.set('/etc/passwd', utf8.encode('x')),
    'not a zip archive that can be accepted',
  ],
  ['a backslash', (files) => files.set('targets\\evil', utf8.encode('x')), 'is not allowed'],
  [
    'a long name',
    (files) => files.set(`targets/${'x'.repeat(2000)}`, utf8.encode('x')),
    'the name of a file is too long',
  ],
  [
    'no signature file',
    (files) => (files.delete('metadata/targets.json'), files),
    'metadata/targets.json is missing',
  ],
  [
    'a missing artifact',
    (files) => (files.delete('targets/sled_sp-1.1.0.bin'), files),
    'sled_sp-1.1.0.bin is missing',
  ],
  [
    'metadata that are no JSON',
    (files) => files.set('metadata/targets.json', utf8.encode('{')),
    'is no JSON',
  ],
  [
    'metadata of another shape',
    (files) => files.set('metadata/targets.json', utf8.encode('{}')),
    'metadata/targets.json: signed',
  ],
  [
    'endless metadata',
    (files) => files.set('metadata/targets.json', new Uint8Array(2 * MiB)),
    'is larger than 1048576 bytes',
  ],
  [
    'too many files',
    (files) => {
      for (let index = 0; index < 1000; index++) files.set(`targets/${index}`, new Uint8Array())
      return files
    },
    'more than 1000 files',
  ],
]
describe('refuses', () => {
  test.each(damages)('%s', async (_, damage, message) => {
    await expect(verify(await zipFiles(damage(filesOf())))).rejects.toThrow(message)
  })

  test('what is no archive, or a part of one', async () => {
    const bytes = await signedRepository('1.1.0')
    for (const part of [new Uint8Array(), utf8.encode('hello'), bytes.subarray(0, 500), bytes.subarray(20)])
      await expect(verify(part)).rejects.toThrow('not a zip archive that can be accepted')
  })

  test('bytes before or behind the archive, which other programs may read', async () => {
    const bytes = await signedRepository('1.1.0')
    const both = new Uint8Array([...bytes, ...bytes])
    await expect(verify(both)).rejects.toThrow('not a zip archive that can be accepted')
  })

  test('a single changed byte anywhere', async () => {
    const bytes = await signedRepository('1.1.0')
    const intact = await verify(bytes)
    const refused = 'refused'
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = new Uint8Array(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0x55
      // Times and attributes of files are not signed; whatever is accepted has the same signed contents.
      const outcome = await verify(changed).then(
        (release) => ({ ...release, hash: '' }),
        ({ message }: Error) => (message.startsWith('invalid repository: ') ? refused : message),
      )
      expect([refused, { ...intact, hash: '' }]).toContainEqual(outcome)
    }
  })

  test.each([
    ['expired metadata', { expires: new Date(0) }, 'it was valid until 1970-01-01T00:00:00Z'],
    ['a version that is none', { version: 'latest' }, 'system_version: expected a semantic version'],
    ['a missing kind', { artifacts: sampleArtifacts('1.1.0').slice(1) }, 'missing artifacts: sled_rot'],
    [
      'a duplicate artifact',
      { artifacts: [...sampleArtifacts('1.1.0'), ...sampleArtifacts('1.1.0').slice(0, 1)] },
      'duplicate artifact sled-rot 1.1.0 (sled_rot)',
    ],
    [
      'files larger than allowed together',
      { artifacts: sampleArtifacts('1.1.0').map((each) => ({ ...each, bytes: new Uint8Array(MiB / 2) })) },
      'larger than 1048576 bytes together',
    ],
    [
      'the signature of another key',
      { key: signingKey(new Uint8Array(32).fill(8)) },
      'is not signed by any trust root',
    ],
  ])('%s', async (_, more, message) => {
    await expect(verify(await zipFiles(filesOf(more)))).rejects.toThrow(message)
  })
})

describe('root roles', () => {
  const problem = (root: unknown) => {
    const read = RootRole.parse(root)
    return signatureProblem(read.signed, 'root', read)
  }

  test('verify with their own keys', () => {
    expect(problem(publishersRoot)).toBeUndefined()
    expect(problem({ ...publishersRoot, signatures: [] })).toBe(
      '0 of 1 required signatures of role root are valid',
    )
    const changed = { ...publishersRoot, signed: { ...publishersRoot.signed, version: 2 } }
    expect(problem(changed)).toBe('0 of 1 required signatures of role root are valid')
  })

  test('one key counts once, whatever the threshold', () => {
    const { signed } = publishersRoot
    const twice = { ...signed, roles: { ...signed.roles, root: { ...signed.roles.root, threshold: 2 } } }
    const { signatures } = signWith([publisher, publisher], twice)
    expect(problem({ signed: twice, signatures })).toBe('1 of 2 required signatures of role root are valid')
  })

  test('an id that belongs to another key does not count', () => {
    const thief = signingKey(new Uint8Array(32).fill(3))
    const { signed } = publishersRoot
    const swapped = { ...signed, keys: { [publisher.id]: thief.key } }
    const { signatures } = signWith([thief], swapped)
    const claimed = signatures.map((each) => ({ ...each, keyid: publisher.id }))
    expect(problem({ signed: swapped, signatures: claimed })).toBe(
      '0 of 1 required signatures of role root are valid',
    )
  })
})

test.each([
  [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
  ['say "hi" \\ there\n', '"say \\"hi\\" \\\\ there\n"'],
  [{ '\u{1f600}': 1, '\uffff': 2 }, '{"\uffff":2,"\u{1f600}":1}'],
  [1.5, undefined],
  [{ a: [{ b: 2 ** 60 }] }, undefined],
])('the canonical form of %j', (value, text) => {
  expect(canonicalJson(value)).toBe(text)
})
