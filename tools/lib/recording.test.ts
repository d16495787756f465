// What is recorded in the console of one installation does the same in another one.
import {
  createClient,
  type InputOf,
  type LooseInput,
  type OpRef,
  type OutputOf,
} from '../../packages/api/src/client/client.ts'
import * as op from '../../packages/api/src/client/operations.gen.ts'
import { RefusedError, unwrap } from '../../packages/api/src/client/items.ts'
import type { OpName } from '../../packages/api/src/registry.ts'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { transformWithOxc } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idsIn } from '../../packages/console/src/data/recording/ids-in.ts'
import {
  knownObjects,
  type RecordedStep,
  stepOf,
} from '../../packages/console/src/data/recording/recorded.ts'
import { filled, isRequest, planFileOf, readPlan } from '../../packages/console/src/kit/code/plan-file.ts'
import { sentBy } from '../../packages/console/src/features/recording/plan-run.ts'
import { scriptOf } from '../../packages/console/src/kit/code/script.ts'

const server = 'https://gantry.example'
const GiB = 1024 ** 3

interface Installation {
  bed: TestBed
  admin: Caller
  member: string
}
const installation = async (): Promise<Installation> => {
  const bed = await testControlPlane()
  const admin = await bed.signIn('admin')
  const { body } = await (await bed.signIn('member')).get('/v1/me')
  return { bed, admin, member: body.id }
}

let first: Installation
let second: Installation
let third: Installation
beforeAll(async () => {
  ;[first, second, third] = await Promise.all([installation(), installation(), installation()])
})
afterAll(() => Promise.all([first, second, third].map(({ bed }) => bed.stop())))

/** The client of an installation, as `admin`. */
const clientOf = ({ bed, admin }: Installation) =>
  createClient({
    base: server,
    fetch: (url, init) => {
      const headers = { ...(init.headers as Record<string, string>), cookie: admin.cookie }
      return bed.plane.fetch(new Request(url, { ...init, headers }), { address: '127.0.0.1' })
    },
  })

/** What a user does in the console: requests, of which each waits until the work of the one before allows it. */
function recorder(at: Installation) {
  const client = clientOf(at)
  const steps: RecordedStep[] = []
  const known: Record<string, Awaited<ReturnType<typeof knownObjects>>[string]> = {}
  async function act<Name extends OpName>(
    ref: OpRef<Name>,
    input: InputOf<Name>,
    options: Parameters<typeof client>[2] = {},
  ): Promise<OutputOf<Name>> {
    const data = await eventually(() => unwrap(client(ref, input, options)))
    const step = stepOf(ref, input as LooseInput, options, data)
    if (!step) throw new Error(`${ref.name} is not recorded`)
    steps.push(step)
    const answered = new Set(steps.map((each) => each.answered?.id))
    Object.assign(
      known,
      await knownObjects(
        client,
        idsIn(step.input).filter((id) => !answered.has(id)),
        [step],
      ),
    )
    return data
  }
  return { act, steps, known }
}

const shortly = () => new Promise((resolve) => setTimeout(resolve, 20))

async function eventually<T>(send: () => Promise<T>, tries = 500): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (tries === 0 || !(error instanceof RefusedError) || error.errorCode === 'ObjectNotFound') throw error
    await shortly()
    return eventually(send, tries - 1)
  }
}

/** Runs a script of TypeScript against an installation, without its pauses. */
async function replay(script: string, at: Installation): Promise<void> {
  const [, names = ''] = /^import \{ (.*) \} from '@gantry\/client'$/m.exec(script) ?? []
  expect(names).toBe('type ApiResult, createClient, op, RefusedError, unwrap')
  const { code } = await transformWithOxc(script.replace(/^import .*$/m, ''), 'recorded.ts')
  const body = `return (async () => {\n${code}\n})()`
  const parameters = ['createClient', 'op', 'RefusedError', 'unwrap', 'process', 'setTimeout']
  // oxlint-disable-next-line no-implied-eval, no-new-func -- the code under test is text
  const run = new Function(...parameters, body) as (...given: unknown[]) => Promise<void>
  const again = (resolve: () => void) => setTimeout(resolve, 500)
  await run(() => clientOf(at), op, RefusedError, unwrap, { env: {} }, again)
}

/** Runs a plan from its file, in a project of another name. */
async function run(file: string, at: Installation, projects: Record<string, string>): Promise<void> {
  const plan = readPlan(file)
  const ids = Object.fromEntries(plan.ids.map(({ name }) => [name, at.member]))
  const answers: Record<string, string> = {}
  for (const step of plan.steps.filter(isRequest)) {
    const { op: ref, input, options } = sentBy(filled(step, { projects, ids, secrets: {} }, answers))
    const data: unknown = await eventually(() => unwrap(clientOf(at)(ref, input, options)))
    if (step.gives) answers[step.gives.name] = (data as Record<string, string>)[step.gives.field] ?? ''
  }
}

/** The objects of a project as the API shows them, without what differs from one installation to another. */
async function contentsOf({ admin }: Installation, project: string) {
  const read = async (path: string) => {
    const { body } = await admin.get(path)
    return body.items ?? body.rules ?? body
  }
  const query = `project=${project}`
  const vpcs = (await read(`/v1/vpcs?${query}`)) as { name: string }[]
  const instances = (await read(`/v1/instances?${query}`)) as { name: string; id: string }[]
  const inEach = async (items: readonly { name: string }[], path: (name: string) => string) =>
    Object.fromEntries(await Promise.all(items.map(async ({ name }) => [name, await read(path(name))])))
  return withoutIds({
    project: await read(`/v1/projects/${project}`),
    disks: await read(`/v1/disks?${query}`),
    snapshots: await read(`/v1/snapshots?${query}`),
    images: await read(`/v1/images?${query}`),
    floatingIps: await read(`/v1/floating-ips?${query}`),
    groups: await read(`/v1/anti-affinity-groups?${query}`),
    vpcs,
    subnets: await inEach(vpcs, (vpc) => `/v1/vpc-subnets?${query}&vpc=${vpc}`),
    routers: await inEach(vpcs, (vpc) => `/v1/vpc-routers?${query}&vpc=${vpc}`),
    rules: await inEach(vpcs, (vpc) => `/v1/vpc-firewall-rules?${query}&vpc=${vpc}`),
    instances,
    disksOf: await inEach(instances, (name) => `/v1/instances/${name}/disks?${query}`),
    interfaces: await inEach(instances, (name) => `/v1/network-interfaces?${query}&instance=${name}`),
    tags: Object.fromEntries(
      await Promise.all(
        instances.map(async ({ name, id }) => [name, await read(`/ext/v1/tags/${id}?kind=instance`)]),
      ),
    ),
    policy: (await read(`/v1/projects/${project}/policy`)).role_assignments.map(
      ({ role_name, identity_type }: { role_name: string; identity_type: string }) => [
        identity_type,
        role_name,
      ],
    ),
  })
}

const differing = /^(?:id|.*_id|time_.*|mac|ipv6_prefix|ipv6_block|value)$/

const withoutIds = <Value>(value: Value): Value => strippedOf(value) as Value

const strippedOf = (value: unknown): unknown => {
  if (typeof value === 'string' && idsIn(value).length > 0) return 'an id'
  if (Array.isArray(value)) return value.map(strippedOf)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !differing.test(key))
      .map(([key, inner]) => [key, strippedOf(inner)]),
  )
}

test('a session of work is repeated in an installation that has none of it', async () => {
  const { act, steps, known } = recorder(first)
  const project = await act(op.projectCreate, { body: { name: 'atlas', description: "Anna's" } })
  const query = { project: 'atlas' }
  const { items: images } = await unwrap(clientOf(first)(op.imageList, { query: { limit: 1 } }))
  const [image] = images
  if (!image) throw new Error('the installation has no image')

  await act(op.vpcCreate, { query, body: { name: 'back', description: '', dnsName: 'back' } })
  const inVpc = { ...query, vpc: 'back' }
  await act(op.vpcSubnetCreate, {
    query: inVpc,
    body: { name: 'rows', description: '', ipv4Block: '10.9.0.0/24' },
  })
  await act(op.vpcFirewallRulesUpdate, {
    query: inVpc,
    body: {
      rules: [
        {
          name: 'allow-web',
          description: '',
          status: 'enabled',
          direction: 'inbound',
          action: 'allow',
          priority: 100,
          targets: [{ type: 'subnet', value: 'rows' }],
          filters: { ports: ['443'], protocols: [{ type: 'tcp' }] },
        },
      ],
    },
  })
  await act(op.antiAffinityGroupCreate, {
    query,
    body: { name: 'apart', description: '', policy: 'allow', failureDomain: 'sled' },
  })
  const web = await act(
    op.instanceCreate,
    {
      query,
      body: {
        name: 'web',
        description: '$HOME',
        hostname: 'web',
        ncpus: 2,
        memory: 2 * GiB,
        start: true,
        bootDisk: {
          type: 'create',
          name: 'web-boot',
          description: '',
          size: 20 * GiB,
          diskBackend: { type: 'distributed', diskSource: { type: 'image', imageId: image.id } },
        },
        networkInterfaces: {
          type: 'create',
          params: [{ name: 'net0', description: '', vpcName: 'back', subnetName: 'rows' }],
        },
        antiAffinityGroups: ['apart'],
      },
    },
    { tags: [{ key: 'env', value: 'test' }] },
  )
  const data = await act(op.diskCreate, {
    query,
    body: {
      name: 'data',
      description: '',
      size: GiB,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 4096 } },
    },
  })
  // Not before the instance stopped, which the replay waits for, too.
  await act(op.instanceStop, { path: { instance: 'web' }, query })
  await act(op.instanceDiskAttach, { path: { instance: web.id }, body: { disk: data.id } })
  await act(op.instanceUpdate, {
    path: { instance: 'web' },
    query,
    body: { ncpus: 4, memory: 4 * GiB, bootDisk: 'web-boot', autoRestartPolicy: 'never' },
  })
  await act(op.floatingIpCreate, {
    query,
    body: { name: 'front', description: '' },
  })
  await act(op.floatingIpAttach, {
    path: { floatingIp: 'front' },
    query,
    body: { kind: 'instance', parent: web.id },
  })
  const snapshot = await act(op.snapshotCreate, {
    query,
    body: { name: 'first', description: '', disk: 'data' },
  })
  await act(op.imageCreate, {
    query,
    body: {
      name: 'golden',
      description: '',
      os: 'debian',
      version: '13',
      source: { type: 'snapshot', id: snapshot.id },
    },
  })
  await act(op.projectPolicyUpdate, {
    path: { project: project.id },
    body: { roleAssignments: [{ identityType: 'silo_user', identityId: first.member, roleName: 'viewer' }] },
  })
  await act(op.tagsUpdate, {
    path: { objectId: web.id },
    query: { kind: 'instance' },
    body: { tags: [{ key: 'team', value: 'rows' }] },
  })
  await act(op.projectUpdate, { path: { project: 'atlas' }, body: { description: 'of the second edit' } })
  await act(op.diskCreate, {
    query,
    body: {
      name: 'spare',
      description: '',
      size: GiB,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
    },
  })
  await act(op.diskDelete, { path: { disk: 'spare' }, query })

  const { TypeScript } = scriptOf(steps, { server, known })
  // Only the user of the policy has an id that another installation must replace.
  expect(TypeScript.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g)).toEqual([first.member])
  expect(TypeScript).toContain('// silo-user member')
  await replay(TypeScript.replace(first.member, second.member), second)

  const made = await contentsOf(second, 'atlas')
  expect(made).toEqual(await contentsOf(first, 'atlas'))
  expect(made).toMatchObject({
    project: { description: 'of the second edit' },
    disks: [{ name: 'data' }, { name: 'web-boot' }],
    images: [{ name: 'golden' }],
    instances: [{ name: 'web', ncpus: 4, run_state: 'stopped' }],
    policy: [['silo_user', 'viewer']],
  })

  const plan = planFileOf(steps, { server, known })
  await run(JSON.stringify(plan), third, { atlas: 'repeated' })
  const again = await contentsOf(third, 'repeated')
  expect(again).toEqual({ ...made, project: { ...(made.project as object), name: 'repeated' } })
})

test('an object is deleted by the plan of the place where the script runs', async () => {
  const { act, steps, known } = recorder(first)
  const project = await act(op.projectCreate, { body: { name: 'short-lived', description: '' } })
  const query = { project: 'short-lived' }
  await act(op.diskCreate, {
    query,
    body: {
      name: 'inside',
      description: '',
      size: GiB,
      diskBackend: { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } },
    },
  })
  const plan = await eventually(() =>
    unwrap(
      clientOf(first)(op.deletionPlanView, { path: { objectId: project.id }, query: { kind: 'project' } }),
    ),
  )
  await act(op.deletionCreate, {
    body: { kind: 'project', objectId: project.id, hash: plan.hash, forGood: true },
  })
  await replay(scriptOf(steps, { server, known }).TypeScript, second)
  for (const { admin } of [first, second])
    await expect
      .poll(async () => (await admin.get('/v1/projects/short-lived')).status, { timeout: 20_000 })
      .toBe(404)
})
