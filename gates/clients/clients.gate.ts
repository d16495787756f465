import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { device } from '../../e2e/support/device-steps.ts'
import { Gantry } from '../../e2e/support/gantry.ts'
import { compileClient, generateClient } from './generate.ts'
import type { Methods, NewestMethods, Result, Rule } from './methods.ts'

const GiB = 1024 ** 3
const patience = { timeout: 60_000, interval: 500 }

let folder: string
let gantry: Gantry
let api: string
let token: string
let me: Methods
let clientOf: (token: string) => Methods

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'gantry-clients-'))
  gantry = await new Gantry().start()
  const document = await fetch(`${gantry.url}/openapi.json`)
  api = generateClient(await document.text(), mkdtempSync(path.join(folder, 'base-')))
  // The module is generated; `compileClient` checks that it has these methods.
  const { default: Api } = (await import(api)) as {
    default: new (config: { host: string; token: string }) => { methods: Methods }
  }
  clientOf = (token) => new Api({ host: gantry.url, token }).methods
  token = await tokenOf(gantry)
  me = clientOf(token)
})
afterAll(async () => {
  await gantry.remove()
  rmSync(folder, { recursive: true, force: true })
})

async function tokenOf(served: Gantry): Promise<string> {
  const caller = new Client(served)
  await caller.signIn()
  const { code, token: granted } = await device(served)
  await caller.send('POST', '/device/confirm', { user_code: code })
  return (await granted()).access_token ?? ''
}

async function done<Data>(result: Promise<Result<Data>>): Promise<Data> {
  const answer = await result
  if (answer.type === 'success') return answer.data
  throw new Error(answer.type === 'error' ? answer.data.message : answer.text)
}

/** The contents of a refusal, after checking its common shape. */
async function refusal(result: Promise<Result<unknown>>) {
  const answer = await result
  if (answer.type !== 'error') throw new Error(`${answer.type} is not a refusal`)
  const { errorCode, message, requestId } = answer.data
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  return { status: answer.response.status, errorCode, message }
}

test('the existing client generator reads the document, and its client compiles', () => {
  expect(() => compileClient(api, 'Methods')).not.toThrow()
})

test('it reads the newest document too, whose client names its version in each request', async () => {
  const headers = { [versionHeader]: newestVersionText }
  const document = await (await fetch(`${gantry.url}/openapi.json`, { headers })).text()
  const newest = generateClient(document, mkdtempSync(path.join(folder, 'newest-')))
  expect(() => compileClient(newest, 'NewestMethods')).not.toThrow()
  // As above.
  const { default: Api } = (await import(newest)) as {
    default: new (config: { host: string; token: string; baseParams: RequestInit }) => {
      methods: NewestMethods
    }
  }
  const client = new Api({ host: gantry.url, token, baseParams: { headers } }).methods
  const query = { project: 'newest' }
  const described = (name: string) => ({ name, description: 'made by the newest client' })
  await done(client.projectCreate({ body: described('newest') }))
  const diskBackend = { type: 'distributed', diskSource: { type: 'blank', blockSize: 512 } } as const
  const disk = await done(
    client.diskCreate({ query, body: { ...described('data'), size: GiB, diskBackend } }),
  )
  expect([disk.diskType, disk.timeCreated]).toEqual(['distributed', expect.any(Date)])
  const local = { ...described('scratch'), size: GiB, diskBackend: { type: 'local' } as const }
  expect((await done(client.diskCreate({ query, body: local }))).diskType).toBe('local')
  const size = { ncpus: 1, memory: GiB, hostname: 'web', start: true }
  const disks = [{ type: 'attach', name: 'data' } as const, { type: 'attach', name: 'scratch' } as const]
  await done(client.instanceCreate({ query, body: { ...described('web'), ...size, disks } }))
  const web = { query, path: { instance: 'web' } }
  const inState = (state: string) =>
    vi.waitFor(async () => expect((await done(client.instanceView(web))).runState).toBe(state), patience)
  await inState('running')
  expect((await done(client.externalSubnetList({ query }))).items).toEqual([])
  expect((await done(client.multicastGroupList({ query: {} }))).items).toEqual([])
  await done(client.instanceStop(web))
  await inState('stopped')
  await done(client.instanceDelete(web))
})

describe('a workflow with the generated client', () => {
  const query = { project: 'generated' }
  const named = (name: string) => ({ name, description: 'made by a client' })
  const web = { query, path: { instance: 'web' } }
  const address = { query, path: { floatingIp: 'address' } }
  const apart = { query, path: { antiAffinityGroup: 'apart' } }
  const inState = (state: string) =>
    vi.waitFor(async () => expect((await done(me.instanceView(web))).runState).toBe(state), patience)

  test('a project, its disk, and an instance with it', async () => {
    const project = await done(me.projectCreate({ body: named('generated') }))
    expect(project.timeCreated).toBeInstanceOf(Date)
    const source = { size: GiB, diskSource: { type: 'blank', blockSize: 512 } } as const
    await done(me.diskCreate({ query, body: { ...named('data'), ...source } }))
    const disks = [{ type: 'attach', name: 'data' } as const]
    const size = { ncpus: 1, memory: GiB, hostname: 'web', start: false }
    await done(me.instanceCreate({ query, body: { ...named('web'), ...size, disks } }))
    expect((await done(me.diskView({ query, path: { disk: 'data' } }))).state.state).toBe('attached')
    await done(me.instanceStart(web))
    await inState('running')
  })

  test('a floating address', async () => {
    const { ip } = await done(me.floatingIpCreate({ query, body: named('address') }))
    await done(me.floatingIpAttach({ ...address, body: { kind: 'instance', parent: 'web' } }))
    const { items } = await done(me.instanceExternalIpList(web))
    expect(items).toContainEqual(expect.objectContaining({ kind: 'floating', ip }))
    await done(me.floatingIpDetach(address))
    await done(me.floatingIpDelete(address))
  })

  test('firewall rules', async () => {
    const vpc = { project: 'generated', vpc: 'default' }
    const rule: Rule = {
      ...named('pings'),
      status: 'enabled',
      direction: 'inbound',
      action: 'allow',
      priority: 100,
      targets: [{ type: 'vpc', value: 'default' }],
      filters: { protocols: [{ type: 'tcp' }, { type: 'icmp', value: null }] },
    }
    await done(me.vpcFirewallRulesUpdate({ query: vpc, body: { rules: [rule] } }))
    const { rules } = await done(me.vpcFirewallRulesView({ query: vpc }))
    expect(rules.map(({ name, filters }) => [name, filters.protocols?.map(({ type }) => type)])).toEqual([
      ['pings', ['tcp', 'icmp']],
    ])
  })

  test('an anti-affinity group', async () => {
    const group = { ...named('apart'), policy: 'allow', failureDomain: 'sled' } as const
    await done(me.antiAffinityGroupCreate({ query, body: group }))
    // A running instance stays where it is, so it joins stopped.
    await done(me.instanceStop(web))
    await inState('stopped')
    const joined = { query, path: { ...apart.path, instance: 'web' } }
    await done(me.antiAffinityGroupMemberInstanceAdd(joined))
    const { items } = await done(me.antiAffinityGroupMemberList(apart))
    expect(items).toMatchObject([{ type: 'instance', value: { name: 'web' } }])
    await done(me.antiAffinityGroupDelete(apart))
  })

  test('pages of a list, with each project once', async () => {
    const whole = (await done(me.projectList({ query: {} }))).items.map(({ name }) => name)
    expect(whole).toContain('generated')
    const paged: string[] = []
    let pageToken: string | null | undefined
    do {
      const page = await done(me.projectList({ query: { limit: 1, ...(pageToken && { pageToken }) } }))
      paged.push(...page.items.map(({ name }) => name))
      pageToken = page.nextPage
    } while (pageToken && paged.length <= whole.length)
    expect(paged).toEqual(whole)
  })

  test('refusals, in the shape that the client expects', async () => {
    const nowhere = { path: { project: 'nowhere' } }
    const create = (name: string) => me.projectCreate({ body: named(name) })
    expect(await refusal(me.projectView(nowhere))).toEqual({
      status: 404,
      errorCode: 'ObjectNotFound',
      message: 'not found: project with name "nowhere"',
    })
    expect(await refusal(create('generated'))).toMatchObject({
      status: 400,
      errorCode: 'ObjectAlreadyExists',
    })
    expect(await refusal(create('No Name'))).toMatchObject({ status: 400, errorCode: undefined })
    const nobody = clientOf('oxide-token-of-nobody')
    expect(await refusal(nobody.projectView(nowhere))).toMatchObject({
      status: 401,
      errorCode: 'Unauthorized',
    })
  })

  test('deleting everything', async () => {
    await done(me.instanceDelete(web))
    await done(me.diskDelete({ query, path: { disk: 'data' } }))
    expect(await refusal(me.projectDelete({ path: query }))).toMatchObject({
      status: 400,
      errorCode: 'InvalidRequest',
    })
  })
})
