import { selfSigned } from '../../packages/control-plane/src/seed/self-signed.ts'
import { device } from '../support/device-steps.ts'
import type { Served } from '../support/gantry.ts'
import type { Fill } from '../support/placeholders.ts'
import { type Api, scenesIn, withMemory } from '../support/scenes.ts'
import { furnish } from '../support/screens.ts'

interface Scene {
  api: Api
  project: string
  gantry: Served
}

const GiB = 1024 ** 3
const dayMs = 86_400_000
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2B1x0d5c5vJ1o0m1b2c3d4e5f6g7h8i9j0k1l2m3n4 ada@desk'

/** The scene of all screens, and one more of each kind that has actions. */
export async function furnishAll({ api, project, gantry }: Scene): Promise<Fill> {
  const fill = await furnish(api, project)
  const inProject = `project=${project}`
  const make = (kind: string, body: object): Promise<unknown> =>
    api('member', 'POST', `/v1/${kind}?${inProject}`, { description: '', ...body })
  const scene = scenesIn(api, project)
  await scene.disk('spare')
  await scene.disk('cargo')
  await scene.image('own', (await scene.snapshot('kept', 'spare')).id)
  await make('floating-ips', { name: 'adrift' })
  await make('anti-affinity-groups', { name: 'elsewhere', policy: 'allow', failure_domain: 'sled' })
  await api('member', 'POST', `/v1/internet-gateways?${inProject}&vpc=default`, {
    name: 'spare',
    description: '',
  })
  await make('vpcs', { name: 'bare', dns_name: 'bare' })
  // Any other VPC is deleted on a page of its own.
  await api('member', 'DELETE', `/v1/vpc-subnets/default?${inProject}&vpc=bare`)
  await api('member', 'POST', `/v1/vpc-subnets?${inProject}&vpc=default`, {
    name: 'other',
    description: '',
    ipv4_block: '172.31.0.0/22',
  })
  const machine = { ncpus: 2, memory: 2 * GiB, start: false }
  const blank = { type: 'blank', block_size: 512 }
  const bootDisk = (name: string): object => ({
    type: 'create',
    name,
    description: '',
    size: GiB,
    disk_source: blank,
  })
  await make('instances', {
    ...machine,
    name: 'sleeper',
    hostname: 'sleeper',
    boot_disk: bootDisk('sleeper-boot'),
    disks: [{ type: 'attach', name: 'cargo' }],
    network_interfaces: { type: 'default' },
  })
  await api('member', 'POST', `/v1/affinity-groups/together/members/instance/sleeper?${inProject}`)
  await api('member', 'POST', `/ext/v1/instance-snapshots?${inProject}`, {
    name: 'resting',
    description: '',
    instance: 'sleeper',
  })
  await scenesIn(api, project).leftBackup('sleeper')
  await make('affinity-groups', { name: 'near', policy: 'allow', failure_domain: 'sled' })
  await api('member', 'POST', `/v1/network-interfaces?${inProject}&instance=sleeper`, {
    name: 'second',
    description: '',
    vpc_name: 'default',
    subnet_name: 'other',
  })
  await withMemory(api, () =>
    make('instances', {
      ...machine,
      name: 'giant',
      hostname: 'giant',
      memory: 1536 * GiB,
      start: true,
      boot_disk: bootDisk('giant-boot'),
    }),
  )
  await api('member', 'POST', `/ext/v1/image-uploads?${inProject}`, {
    name: 'half',
    description: '',
    os: 'Plan 9',
    version: '4',
    block_size: 512,
    size: 1024 ** 2,
  })
  const { items } = (await api('admin', 'GET', '/v1/users?limit=100')) as {
    items: { id: string; display_name: string }[]
  }
  const viewer = items.find(({ display_name }) => display_name === 'viewer')
  const policy = `/v1/projects/${project}/policy`
  const { role_assignments } = (await api('admin', 'GET', policy)) as { role_assignments: object[] }
  await api('admin', 'PUT', policy, {
    role_assignments: [
      ...role_assignments,
      { identity_id: viewer?.id, identity_type: 'silo_user', role_name: 'viewer' },
    ],
  })
  // These belong to the user and may exist from an earlier test.
  await api('admin', 'POST', '/v1/me/ssh-keys', {
    name: 'desk',
    description: '',
    public_key: publicKey,
  }).catch(() => undefined)
  const now = Date.now()
  await api('admin', 'POST', '/v1/certificates', {
    name: 'demo-tls',
    description: '',
    service: 'external_api',
    ...(await selfSigned('demo.sys.localhost', new Date(now - dayMs), new Date(now + 12 * dayMs))),
  }).catch(() => undefined)
  const { code } = await device(gantry)
  await api('admin', 'POST', '/device/confirm', { user_code: code })
  return fill
}
