import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GiB, groupOf, machine, newDisk } from '../../testing/case-values.ts'
import { type Caller, said, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { rounds } from '../../testing/rounds.ts'
import { dice } from '../packets/random-network.fixtures.ts'

/*
 * Tags are ours, and clients of the reference know nothing of them: whatever such a client edits, deletes or restores, an
 * object has the tags that it was given last.
 */

let bed: TestBed
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
})
afterAll(() => bed.stop())

interface Thing {
  kind: TaggedKind
  id: string
  /** What a client of the reference sends to edit it. */
  edit: (word: string) => object
  /** The reference cannot edit it. */
  isFixed?: true
  /** Where that is, and where it is deleted. */
  path: string
  isRecycled?: true
  /** Those that are deleted and restored with it. */
  holds?: readonly Thing[]
}

const described = (word: string) => ({ description: word })

async function things(project: string): Promise<Thing[]> {
  const at = `project=${project}`
  const own = await made(member, '/v1/projects', { name: project, description: '' })
  const create = (path: string, body: object, query = at) => made(member, `/v1/${path}?${query}`, body)
  const named = (name: string) => ({ name, description: '' })
  const thing = async (
    kind: TaggedKind,
    path: string,
    id: string | Promise<string>,
    more: Partial<Thing> = {},
  ): Promise<Thing> => ({ kind, id: await id, path, edit: described, ...more })
  const inVpc = `${at}&vpc=lone`
  const vpc = create('vpcs', { ...named('lone'), dns_name: 'lone' })
  await vpc
  const router = await create('vpc-routers', named('custom'), inVpc)
  const route = {
    ...named('out'),
    target: { type: 'drop' },
    destination: { type: 'ip_net', value: '203.0.113.0/24' },
  }
  const holds = [
    await thing('vpc-router', 'vpc-routers', router),
    await thing('router-route', 'vpc-router-routes', create('vpc-router-routes', route, `router=${router}`), {
      edit: (word) => ({ ...route, name: undefined, description: word }),
    }),
    await thing(
      'vpc-subnet',
      'vpc-subnets',
      create('vpc-subnets', { ...named('sub'), ipv4_block: '172.30.64.0/22' }, inVpc),
    ),
    await thing('internet-gateway', 'internet-gateways', create('internet-gateways', named('gate'), inVpc), {
      isFixed: true,
    }),
  ]
  const web = await create('instances', machine('web'))
  const nic = (await member.get(`/v1/network-interfaces?instance=${web}`)).body.items[0].id
  return [
    await thing('project', 'projects', own),
    await thing('vpc', 'vpcs', vpc, { isRecycled: true, holds }),
    ...holds,
    await thing('instance', 'instances', web, {
      edit: (word) => ({
        ncpus: 1 + word.length,
        memory: GiB,
        boot_disk: null,
        auto_restart_policy: 'never',
      }),
    }),
    await thing('instance-network-interface', 'network-interfaces', nic),
    await thing('affinity-group', 'affinity-groups', create('affinity-groups', groupOf('together'))),
    await thing(
      'anti-affinity-group',
      'anti-affinity-groups',
      create('anti-affinity-groups', groupOf('apart')),
    ),
    await thing('floating-ip', 'floating-ips', create('floating-ips', named('address')), {
      isRecycled: true,
    }),
    await thing('disk', 'disks', create('disks', newDisk('data')), {
      isFixed: true,
      isRecycled: true,
    }),
  ]
}

type Model = Map<string, Record<string, string>>
const listOf = (tags: Record<string, string>) =>
  Object.entries(tags)
    .map(([key, value]) => ({ key, value }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))

async function expectAsGiven(all: readonly Thing[], model: Model, what: string): Promise<void> {
  for (const { kind, id } of all) {
    const tags = listOf(model.get(id) ?? {})
    expect((await member.get(`/ext/v1/tags/${id}?kind=${kind}`)).body.tags, `${kind} after ${what}`).toEqual(
      tags,
    )
    const rows = await bed.db
      .selectFrom('tag')
      .select(['key', 'value'])
      .where('object_id', '=', id)
      .orderBy('key')
      .execute()
    expect(rows, `rows of ${kind} after ${what}`).toEqual(tags)
  }
}

async function send(method: string, path: string, status: number, body?: object): Promise<void> {
  const answer = await member.call(method, path, body)
  if (answer.status !== status) throw new Error(`${method} ${path}: ${said(answer)}`)
}

async function expectFoundNoMore({ id, holds = [] }: Thing): Promise<void> {
  const ids = [id, ...holds.map((each) => each.id)]
  expect(await bed.db.selectFrom('tag').select('key').where('object_id', 'in', ids).execute()).toEqual([])
}

async function restoreAll(id: string): Promise<void> {
  const items = async () =>
    (await member.get('/ext/v1/recycle-bin?project=random')).body.items as { id: string; object_id: string }[]
  const item = (await items()).find(({ object_id }) => object_id === id)
  const plan = (await member.post(`/ext/v1/recycle-bin/${item?.id}/restore-plan`)).body
  const together = plan.together.map((each: { id: string }) => each.id)
  await send('POST', `/ext/v1/recycle-bin/${item?.id}/restore`, 201, { together })
}

test('tags survive every edit by clients that know nothing of them, and come back from the bin', async () => {
  const all = await things('random')
  const model: Model = new Map()
  const roll = dice(44)
  const pick = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item
  for (let step = 0; step < rounds({ sample: 40, all: 1000 }); step++) {
    const thing = pick(all)
    const { kind, id, path, edit, isFixed, isRecycled } = thing
    const chance = roll(isRecycled ? 4 : 3)
    if (chance === 0) {
      const tags = Object.fromEntries(
        Array.from({ length: roll(4) }, () => [`key${roll(5)}`, pick(['', 'prod', 'Größe', '💾'])]),
      )
      await send('PUT', `/ext/v1/tags/${id}?kind=${kind}`, 200, { tags: listOf(tags) })
      model.set(id, tags)
    } else if (chance === 1) {
      const key = `key${roll(5)}`
      const other = pick(all.filter((each) => each !== thing))
      const edits = [thing, other].map((each) => ({
        kind: each.kind,
        id: each.id,
        set: [{ key, value: 'both' }],
      }))
      await send('POST', '/ext/v1/tags', 200, { edits })
      for (const each of [thing, other]) model.set(each.id, { ...model.get(each.id), [key]: 'both' })
    } else if (chance === 2 && !isFixed) {
      await send('PUT', `/v1/${path}/${id}`, 200, edit(pick(['a', 'bc', 'def'])))
    } else if (chance === 3) {
      if (kind === 'vpc') {
        // A VPC is deleted once it has no subnets, and what was in it is restored with it.
        const { items } = (await member.get(`/v1/vpc-subnets?vpc=${id}`)).body
        for (const subnet of items) await send('DELETE', `/v1/vpc-subnets/${subnet.id}`, 204)
      }
      await send('DELETE', `/v1/${path}/${id}`, 204)
      await expectFoundNoMore(thing)
      await restoreAll(id)
    }
    await expectAsGiven([thing, ...(thing.holds ?? [])], model, `step ${step}`)
  }
  await expectAsGiven(all, model, 'everything')
})
