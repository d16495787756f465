import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, said, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'

const GiB = 2 ** 30
const at = 'project=atlas'
const described = (name: string) => ({ name, description: '' })
const disk = (name: string) => ({
  ...described(name),
  size: GiB,
  disk_source: { type: 'blank', block_size: 512 },
})

let bed: TestBed
let member: Caller
let operator: Caller
/** Limited collaborators: of the silo, and of the project alone. */
let ofSilo: Caller
let ofProject: Caller & { id: string }
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  operator = await bed.signIn('admin')
  const { id: project } = (await member.post('/v1/projects', described('atlas'))).body
  ofSilo = await bed.addUser('of-silo', { roles: [{ at: 'silo', role: 'limited_collaborator' }] })
  ofProject = await bed.addUser('of-project', { roles: [{ at: { project }, role: 'limited_collaborator' }] })
})
afterAll(() => bed.stop())

const both = () => [ofSilo, ofProject]
const sent = async (who: Caller, method: string, path: string, body?: object): Promise<number> =>
  (await who.call(method, path, body)).status
const newest = async (): Promise<{ id: string }> =>
  (await member.get(`/ext/v1/activity?${at}&limit=1`)).body.items[0]
const itemOf = async (name: string): Promise<string> => {
  const { items } = (await member.get(`/ext/v1/recycle-bin?${at}`)).body
  return items.find((item: { name: string }) => item.name === name).id
}

test('create, change and delete what a project holds', async () => {
  for (const [index, who] of both().entries()) {
    const name = `own-${index}`
    await made(who, `/v1/disks?${at}`, disk(name))
    await made(who, `/v1/instances?${at}`, {
      ...described(name),
      ncpus: 1,
      memory: GiB,
      hostname: name,
      start: false,
      disks: [{ type: 'attach', name }],
      network_interfaces: {
        type: 'create',
        params: [{ ...described('net0'), vpc_name: 'default', subnet_name: 'default' }],
      },
    })
    await made(who, `/v1/snapshots?${at}`, { ...described(name), disk: name })
    await made(who, `/v1/floating-ips?${at}`, described(name))
    for (const kind of ['affinity', 'anti-affinity'])
      await made(who, `/v1/${kind}-groups?${at}`, {
        ...described(name),
        policy: 'allow',
        failure_domain: 'sled',
      })
    const nic = `/v1/network-interfaces/net0?instance=${name}&${at}`
    expect(await sent(who, 'PUT', nic, { description: 'first' })).toBe(200)
    expect(
      await sent(who, 'POST', `/v1/floating-ips/${name}/attach?${at}`, { kind: 'instance', parent: name }),
    ).toBe(202)
    expect(await sent(who, 'DELETE', `/v1/anti-affinity-groups/${name}?${at}`)).toBe(204)
    expect(
      await sent(who, 'POST', `/ext/v1/instance-actions?${at}`, {
        action: 'delete',
        filter: `name:${name}`,
      }),
    ).toBe(202)
  }
})

describe('networks', () => {
  const inVpc = `vpc=default&${at}`
  test('are read', async () => {
    for (const who of both())
      for (const path of [
        `/v1/vpcs/default?${at}`,
        `/v1/vpc-subnets?${inVpc}`,
        `/v1/vpc-routers?${inVpc}`,
        `/v1/vpc-router-routes?router=system&${inVpc}`,
        `/v1/internet-gateways?${inVpc}`,
        `/v1/vpc-firewall-rules?${inVpc}`,
      ])
        expect(await sent(who, 'GET', path)).toBe(200)
  })

  test('are not changed', async () => {
    for (const who of both()) {
      const { id } = (await who.get(`/v1/vpcs/default?${at}`)).body
      for (const [method, path, body] of [
        ['POST', `/v1/vpcs?${at}`, { ...described('mine'), dns_name: 'mine' }],
        ['PUT', `/v1/vpcs/default?${at}`, { description: 'mine' }],
        ['DELETE', `/v1/vpcs/default?${at}`, undefined],
        ['POST', `/v1/vpc-subnets?${inVpc}`, { ...described('mine'), ipv4_block: '172.30.8.0/24' }],
        ['POST', `/v1/vpc-routers?${inVpc}`, described('mine')],
        ['POST', `/v1/internet-gateways?${inVpc}`, described('mine')],
        ['PUT', `/v1/vpc-firewall-rules?${inVpc}`, { rules: [] }],
        // Ours, which change networks as well as other things.
        ['POST', `/ext/v1/bulk-deletions?${at}`, { kind: 'vpc', objects: [id] }],
        ['DELETE', `/ext/v1/objects/${id}?kind=vpc`, undefined],
        ['POST', '/ext/v1/deletions', { kind: 'vpc', object_id: id, hash: 'x' }],
        ['PUT', `/ext/v1/tags/${id}?kind=vpc`, { tags: [{ key: 'env', value: 'prod' }] }],
        ['DELETE', `/ext/v1/recycle-bin?${at}`, undefined],
      ] as const)
        expect([path, await sent(who, method, path, body)]).toEqual([path, 403])
    }
  })

  test('are not reverted', async () => {
    await member.call('PUT', `/v1/vpcs/default?${at}`, { description: 'before' })
    const entry = `/ext/v1/activity/${(await newest()).id}/revert`
    expect((await member.get(entry)).body.why_not).toBe(null)
    const { why_not, hash } = (await ofProject.get(entry)).body
    expect(why_not).toBe('Reverting it requires the role project collaborator or silo collaborator.')
    expect(await sent(ofProject, 'POST', entry, { hash, keep: [] })).toBe(400)
  })

  test('neither come out of the recycle bin nor leave it for good, while disks do', async () => {
    const vpc = await made(member, `/v1/vpcs?${at}`, { ...described('gone'), dns_name: 'gone' })
    await member.call('DELETE', `/v1/vpc-subnets/default?vpc=gone&${at}`)
    await member.call('DELETE', `/v1/vpcs/${vpc}`)
    const ofVpc = `/ext/v1/recycle-bin/${await itemOf('gone')}`
    for (const who of both()) {
      expect(await sent(who, 'POST', `${ofVpc}/restore-plan`)).toBe(403)
      expect(await sent(who, 'POST', `${ofVpc}/restore`, {})).toBe(403)
      expect(await sent(who, 'DELETE', ofVpc)).toBe(403)
      await made(who, `/v1/disks?${at}`, disk('passing'))
      await who.call('DELETE', `/v1/disks/passing?${at}`)
      expect(await sent(who, 'POST', `/ext/v1/recycle-bin/${await itemOf('passing')}/restore`, {})).toBe(201)
      await who.call('DELETE', `/v1/disks/passing?${at}`)
      expect(await sent(who, 'DELETE', `/ext/v1/recycle-bin/${await itemOf('passing')}`)).toBe(204)
    }
    // Of one deletion, all goes together or nothing.
    await made(ofProject, `/v1/disks?${at}`, disk('together'))
    await ofProject.call('DELETE', `/v1/disks/together?${at}`)
    const deletion_id = crypto.randomUUID()
    await bed.db
      .updateTable('recycled')
      .set({ deletion_id })
      .where('name', 'in', ['gone', 'together'])
      .execute()
    const whole = `/ext/v1/recycle-bin/${await itemOf('together')}?whole=true`
    expect(await sent(ofProject, 'DELETE', whole)).toBe(403)
    expect(await sent(member, 'DELETE', whole)).toBe(204)
  })
})

test('a limited collaborator of the silo handles its images, one of a project does not', async () => {
  await made(member, `/v1/disks?${at}`, disk('base'))
  const { id } = (await member.post(`/v1/snapshots?${at}`, { ...described('base'), disk: 'base' })).body
  const image = { os: 'a', version: '1', source: { type: 'snapshot', id } }
  await made(ofProject, `/v1/images?${at}`, { ...described('ours'), ...image })
  expect(await sent(ofProject, 'POST', `/v1/images/ours/promote?${at}`)).toBe(403)
  expect(await sent(ofSilo, 'POST', `/v1/images/ours/promote?${at}`)).toBe(202)
  expect(await sent(ofProject, 'POST', `/v1/images/ours/demote?${at}`)).toBe(404)
  expect(await sent(ofSilo, 'POST', `/v1/images/ours/demote?${at}`)).toBe(202)
  await made(ofSilo, '/v1/images', { ...described('everybodys'), ...image })
  expect(await sent(ofProject, 'POST', '/v1/images', { ...described('theirs'), ...image })).toBe(403)
})

test('neither creates projects nor gives roles, and no project comes back through them', async () => {
  for (const who of both()) {
    expect(await sent(who, 'POST', '/v1/projects', described('mine'))).toBe(403)
    expect(await sent(who, 'PUT', '/v1/projects/atlas', { description: 'mine' })).toBe(403)
    expect(await sent(who, 'PUT', '/v1/projects/atlas/policy', { role_assignments: [] })).toBe(403)
    expect(await sent(who, 'PUT', '/v1/policy', { role_assignments: [] })).toBe(403)
    expect(await sent(who, 'POST', `/ext/v1/service-accounts?${at}`, described('robot'))).toBe(403)
  }
  const { id } = (await member.post('/v1/projects', described('short'))).body
  for (const path of ['/v1/vpc-subnets/default?vpc=default&', '/v1/vpcs/default?'])
    await member.call('DELETE', `${path}project=short`)
  expect(await sent(member, 'DELETE', '/v1/projects/short')).toBe(204)
  const item = (await ofSilo.get(`/ext/v1/recycle-bin?object=${id}`)).body.items[0].id
  expect(await sent(ofSilo, 'POST', `/ext/v1/recycle-bin/${item}/restore`, {})).toBe(403)
  expect(await sent(member, 'POST', `/ext/v1/recycle-bin/${item}/restore`, {})).toBe(201)
})

test('the role is read and written by its name, on silos and projects and not on the fleet', async () => {
  const given = { identity_type: 'silo_user', identity_id: ofProject.id, role_name: 'limited_collaborator' }
  expect((await member.get('/v1/projects/atlas/policy')).body.role_assignments).toEqual([given])
  const silo = (await operator.get('/v1/policy')).body.role_assignments
  expect(await sent(operator, 'PUT', '/v1/policy', { role_assignments: [...silo, given] })).toBe(200)
  expect((await operator.get('/v1/policy')).body.role_assignments).toContainEqual(given)
  await operator.call('PUT', '/v1/policy', { role_assignments: silo })
  const refused = await operator.call('PUT', '/v1/system/policy', { role_assignments: [given] })
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('collaborator')
})

test('what is missing is named as people say it', async () => {
  const viewer = await bed.signIn('viewer')
  const checks = ['project', 'project_network'].map((object) => ({
    action: 'create_child',
    object,
    id: 'atlas',
  }))
  const reasons = async (who: Caller) =>
    (await who.post('/ext/v1/can', { checks })).body.verdicts.map((one: { reason: string }) => one.reason)
  const network = 'You need the role collaborator on project atlas or silo demo'
  expect(await reasons(viewer)).toEqual([
    'You need the role limited collaborator on project atlas or silo demo',
    network,
  ])
  expect(await reasons(ofProject)).toEqual([null, network])
  expect(await reasons(ofSilo)).toEqual([null, network])
  expect(said(await viewer.post(`/v1/disks?${at}`, disk('never')))).toContain('Forbidden')
})
