import * as op from '@gantry/api/client/operations.gen'
import { expect, test } from 'vitest'
import { type KnownObject, stepOf } from '#/data/recording/recorded.ts'
import { scriptOf } from './script.ts'

const server = 'https://gantry.example'
const id = (digit: number) => `3e2c6e84-bed8-4c94-afc3-10320000000${digit}`
const none = {}

const project = stepOf(op.projectCreate, { body: { name: 'atlas', description: '' } }, none, {
  id: id(1),
  name: 'atlas',
})
const disk = stepOf(
  op.diskCreate,
  {
    query: { project: 'atlas' },
    body: {
      name: 'data',
      description: `Anna's $HOME`,
      size: 2 ** 30,
      diskBackend: { type: 'distributed', diskSource: { type: 'image', imageId: id(7) } },
    },
  },
  { tags: [{ key: 'env', value: 'prod' }] },
  { id: id(2), name: 'data' },
)
const grown = stepOf(op.diskGrow, { path: { disk: id(2) }, body: { size: 2 ** 31 } }, none, { id: id(2) })
const image: KnownObject = {
  kind: 'image',
  name: 'debian-13',
  request: { op: op.imageView, input: { path: { image: 'debian-13' } } },
}
const steps = [project, disk, grown].flatMap((step) => step ?? [])
const scripts = scriptOf(steps, { server, known: { [id(7)]: image } })

/** What follows the program's own functions. */
const stepsOf = (script: string): string => script.split('\n\n').slice(2).join('\n\n')

test('ids are variables that the answers of earlier requests fill, or requests by name', () => {
  expect(stepsOf(scripts.gantry)).toBe(`run project create \\
  --name atlas \\
  --description ''

run image view debian-13
image_debian_13_id=$(answered id)

run disk create \\
  --project atlas \\
  --tag 'env=prod' \\
  --body - <<END
{
  "name": "data",
  "description": "Anna's \\$HOME",
  "size": 1073741824,
  "disk_backend": {
    "type": "distributed",
    "disk_source": {
      "type": "image",
      "image_id": "\${image_debian_13_id}"
    }
  }
}
END
disk_data_id=$(answered id)

run disk grow "\${disk_data_id}" \\
  --size 2147483648
`)
  expect(stepsOf(scripts.curl)).toContain(
    `send_with POST "/ext/v1/disks/\${disk_data_id}/grow" <<END\n{\n  "size": 2147483648\n}\nEND`,
  )
  expect(stepsOf(scripts.curl)).toContain(`send GET /v1/images/debian-13\nimage_debian_13_id=$(answered id)`)
  expect(scripts.TypeScript).toContain(
    'await sent(() => client(op.diskGrow, {\n  path: { disk: diskData.id },\n  body: { size: 2147483648 },\n}))',
  )
  expect(scripts.TypeScript).toContain('imageId: imageDebian13.id')
  for (const script of Object.values(scripts)) expect(script).not.toMatch(/3e2c6e84/)
})

test('an id that no request finds is set at the beginning, and said whose it is', () => {
  const policy = stepOf(
    op.projectPolicyUpdate,
    {
      path: { project: 'atlas' },
      body: { roleAssignments: [{ identityType: 'silo_user', identityId: id(3), roleName: 'viewer' }] },
    },
    none,
    {},
  )
  const known = { [id(3)]: { kind: 'silo-user', name: 'anna\nrm -rf' } }
  const { gantry, TypeScript } = scriptOf(
    [policy].flatMap((step) => step ?? []),
    { server, known },
  )
  // A name of several lines stays a comment.
  expect(gantry).toContain(`# silo-user anna\n# rm -rf\nsilo_user_anna_rm_rf_id=${id(3)}\n`)
  expect(gantry).toContain('"identity_id": "${silo_user_anna_rm_rf_id}"')
  expect(TypeScript).toContain(`const siloUserAnnaRmRf = '${id(3)}'`)
  expect(TypeScript).toContain('identityId: siloUserAnnaRmRf')
})

test('an id in an object of the answer is a variable, too', () => {
  const invited = stepOf(op.siloUserInvite, { path: { silo: 'lab' }, body: { externalId: 'anna' } }, none, {
    user: { id: id(4), displayName: 'anna' },
    password: 'one-time',
  })
  const ended = stepOf(
    op.userSessionsEnd,
    { path: { userId: id(4) }, query: { silo: 'lab' } },
    none,
    undefined,
  )
  const { gantry, curl, TypeScript } = scriptOf(
    [invited, ended].flatMap((step) => step ?? []),
    { server },
  )
  expect(gantry).toContain('silo_user_id=$(answered user.id)\n\nrun user-sessions end "${silo_user_id}"')
  expect(curl).toContain(
    'silo_user_id=$(answered user.id)\n\nsend POST "/ext/v1/users/${silo_user_id}/end-sessions?silo=lab"',
  )
  expect(TypeScript).toContain('path: { userId: siloUser.user.id }')
  expect(gantry + curl).not.toContain(id(4))
})

test('a block of an address lot is found by its addresses, which name it in the answer', () => {
  const announced = stepOf(
    op.networkingBgpAnnounceSetUpdate,
    {
      body: {
        name: 'announced',
        description: '',
        announcement: [{ addressLotBlock: id(5), network: '203.0.113.128/25' }],
      },
    },
    none,
    { id: id(6) },
  )
  const blocks = [{ firstAddress: '203.0.113.0', lastAddress: '203.0.113.255' }]
  const block: KnownObject = {
    kind: 'address-lot-block',
    name: 'uplinks',
    request: {
      op: op.networkingAddressLotCreate,
      input: { body: { name: 'uplinks', description: '', kind: 'infra', blocks } },
    },
    field: 'blocks.0.id',
  }
  const { gantry, curl, TypeScript } = scriptOf(
    [announced].flatMap((step) => step ?? []),
    { server, known: { [id(5)]: block } },
  )
  expect(gantry).toContain('address_lot_block_uplinks_id=$(answered blocks.0.id)')
  expect(gantry).toContain('"address_lot_block": "${address_lot_block_uplinks_id}"')
  expect(curl).toContain("address_lot_block_uplinks_id=$(answered 'blocks[0].id')")
  expect(TypeScript).toContain('addressLotBlock: addressLotBlockUplinks.blocks[0]!.id')
})

test('secrets are not recorded, and are a variable each', () => {
  const password = 'pebble-quarry-lamp'
  const user = (name: string) =>
    stepOf(
      op.localIdpUserCreate,
      { query: { silo: 'lab' }, body: { externalId: name, password: { mode: 'password', value: password } } },
      none,
      { id: id(4) },
    )
  const recorded = [user('anna'), user('ben')].flatMap((step) => step ?? [])
  expect(JSON.stringify(recorded)).not.toContain(password)
  const { gantry, curl, TypeScript } = scriptOf(recorded, { server })
  expect(gantry).toContain('# Set PASSWORD, PASSWORD_2 first')
  expect(gantry).toContain('"value": "$PASSWORD_2"')
  expect(curl).toContain('"value": "$PASSWORD_2"')
  expect(TypeScript).toContain(`mode: 'password', value: process.env.PASSWORD_2!`)
})

test('questions, one’s own sign-in and views of the console are not recorded', () => {
  const kept = (ref: Parameters<typeof stepOf>[0]) => stepOf(ref, {}, none, undefined) !== undefined
  const left = [op.timeseriesQuery, op.permissionCheck, op.accessTokenCreate, op.totpCreate, op.diskList]
  expect(left.filter(kept)).toEqual([])
  expect(kept({ ...op.diskDelete, path: `/ext/v1/plans${op.diskDelete.path}` })).toBe(false)
  expect([op.diskDelete, op.currentUserSshKeyCreate, op.favouriteAdd].map(kept)).toEqual([true, true, false])
})

test('bytes and what only this server has are comments', () => {
  const written = stepOf(
    op.imageUploadWrite,
    { path: { upload: id(5) }, query: { offset: 0 } },
    { content: { bytes: new Blob(['secret bytes']), sha256: '' } },
    {},
  )
  const reverted = stepOf(op.activityRevert, { path: { entryId: id(6) }, body: { hash: 'x' } }, none, {})
  const { curl } = scriptOf(
    [written, reverted].flatMap((step) => step ?? []),
    { server },
  )
  expect(stepsOf(curl))
    .toBe(`# Here go the bytes of a file (imageUploadWrite). gantry cp uploads a whole file as an image.

# An edit was taken back (activityRevert). A script cannot repeat that.
`)
})

test('an upload whose bytes are not kept says where they go, once', () => {
  const complete = stepOf(op.imageUploadComplete, { path: { upload: id(5) } }, none, {})
  const written = stepOf(
    op.imageUploadWrite,
    { path: { upload: id(5) }, query: { offset: 0 } },
    { content: { bytes: new Blob(['bytes']), sha256: '' } },
    {},
  )
  const notesOf = (...steps: (typeof complete)[]) => {
    const { curl } = scriptOf(
      steps.flatMap((step) => step ?? []),
      { server },
    )
    return curl.match(/^# Here go the bytes of a file \(\w+\)/gm)
  }
  expect(notesOf(complete)).toEqual(['# Here go the bytes of a file (imageUploadComplete)'])
  expect(notesOf(written, complete)).toEqual(['# Here go the bytes of a file (imageUploadWrite)'])
})

test('a deletion asks for the plan of the place where it runs', () => {
  const deletion = stepOf(
    op.deletionCreate,
    { body: { kind: 'project', objectId: id(1), hash: 'f00d', forGood: true } },
    none,
    { id: id(8) },
  )
  const { gantry, TypeScript } = scriptOf(
    [project, deletion].flatMap((step) => step ?? []),
    { server },
  )
  expect(gantry).toContain(
    `run deletion-plan view "\${project_atlas_id}" \\\n  --kind project\nplan_hash=$(answered hash)`,
  )
  expect(gantry).toContain('--hash "${plan_hash}"')
  expect(TypeScript).toContain('hash: plan.hash')
})
