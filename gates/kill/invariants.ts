import { expect } from 'vitest'
import { documents } from './documents.ts'
import { type Kind, kinds, type Ledger } from './ledger.ts'
import type { Load } from './load.ts'

interface Item {
  id: string
  name: string
  run_state?: string
  state?: { state: string; instance?: string } | string
  instance_id?: string | null
  size?: number
  ncpus?: number
  memory?: number
}
interface Action {
  id: string
  action: string
  state: string
  items: { instance: { id: string | null }; state: string }[]
}
interface Deletion {
  id: string
  state: string
}
type Lists = Record<Kind, Item[]>

const GiB = 1024 ** 3
/** States that end automatically. */
const transientStates = new Set(
  'creating starting stopping rebooting attaching detaching maintenance finalizing completing'.split(' '),
)

const stateOf = ({ run_state, state }: Item): string =>
  run_state ?? (typeof state === 'string' ? state : state?.state) ?? ''

async function listOf({ client, project }: Load, kind: Kind | 'image-uploads'): Promise<Item[]> {
  const path =
    kind === 'ssh-keys'
      ? '/v1/me/ssh-keys?limit=1000'
      : `/${kind === 'image-uploads' ? 'ext/v1' : 'v1'}/${kind}?project=${project}&limit=1000`
  return (await client.read<{ items: Item[] }>(path)).items
}

async function everything(load: Load): Promise<Lists> {
  const entries = await Promise.all(kinds.map(async (kind) => [kind, await listOf(load, kind)] as const))
  return Object.fromEntries(entries) as Lists
}

/** Invariants at any moment between two kills, even while work continues. */
export async function expectConsistent(load: Load): Promise<Lists> {
  const { ledger } = load
  const lists = await everything(load)
  const wrong = kinds.flatMap((kind) => compare(ledger, kind, lists[kind]))
  wrong.push(...(await committedPlans(load)))
  wrong.push(...attachments(ledger, lists), ...(await replacements(load)), ...(await memberships(load)))
  expect([...ledger.faults, ...wrong]).toEqual([])
  return lists
}

/** What a plan does is there if it is committed, and only then. */
async function committedPlans({ client, ledger }: Load): Promise<string[]> {
  const wrong: string[] = []
  for (const { id, project, isCommitted } of ledger.plans.slice(-20)) {
    const stateOfPlan = async () => (await client.read<{ state: string }>(`/ext/v1/saved-plans/${id}`)).state
    const before = await stateOfPlan()
    const { items } = await client.read<{ items: Item[] }>('/v1/projects?limit=1000')
    const isThere = items.some(({ name }) => name === project)
    // It may have been committed between the two reads.
    const after = await stateOfPlan()
    if (isCommitted && after !== 'committed') wrong.push(`plan ${id} was acknowledged and is ${after}`)
    if (before === 'committed' && !isThere) wrong.push(`plan ${id} is committed and half done`)
    if (after !== 'committed' && isThere) wrong.push(`plan ${id} is ${after} and done`)
  }
  return wrong
}

function compare({ objects }: Ledger, kind: Kind, items: Item[]): string[] {
  const ids = new Set(items.map(({ id }) => id))
  const names = new Set(items.map(({ name }) => name))
  const known = [...objects.values()].filter((object) => object.kind === kind)
  const twice = ids.size < items.length || names.size < items.length
  return [
    ...known.flatMap(({ id, name, state }) => {
      if (state === 'there' && !ids.has(id)) return [`${kind} ${name} was acknowledged and is missing`]
      return state === 'gone' && ids.has(id) ? [`${kind} ${name} was deleted and still exists`] : []
    }),
    ...(twice ? [`two ${kind} have the same name`] : []),
  ]
}

const instanceOf = ({ state, instance_id }: Item): string | null =>
  (typeof state === 'object' ? state.instance : instance_id) ?? null

/** An acknowledged attachment is unchanged, unless its instance was deleted. */
const attachments = (ledger: Ledger, lists: Lists): string[] =>
  (['disks', 'floating-ips'] as const).flatMap((kind) =>
    lists[kind].flatMap((item) => {
      const expected = ledger.objects.get(item.id)?.attachedTo
      const isKept = expected === null || (expected !== undefined && ledger.isThere(expected))
      const found = instanceOf(item)
      return isKept && found !== expected
        ? [`${kind} ${item.name} is attached to ${found}; the last response said ${expected}`]
        : []
    }),
  )

async function replacements({ client, ledger, ...load }: Load): Promise<string[]> {
  const wrong: string[] = []
  for (const { name, path, valueOf } of documents) {
    const known = ledger.documents.get(name)
    if (!known) continue
    const response = await client.send('GET', path({ client, ledger, ...load }))
    const generation = Number(response.headers.get('etag')?.replaceAll('"', ''))
    const value = JSON.stringify(valueOf(await response.json()))
    const isOther = generation === known.generation && value !== known.value
    if (isOther || !(generation >= known.generation))
      wrong.push(
        `${name} is ${value} at generation ${generation}; the last response said ${JSON.stringify(known)}`,
      )
  }
  return wrong
}

async function memberships({ client, ledger }: Load): Promise<string[]> {
  const wrong: string[] = []
  for (const { id } of ledger.of('anti-affinity-groups')) {
    const { items } = await client.read<{ items: { value: { id: string } }[] }>(
      `/v1/anti-affinity-groups/${id}/members?limit=1000`,
    )
    const found = items.map(({ value }) => value.id)
    if (new Set(found).size < found.length) wrong.push(`group ${id} has a member twice`)
    for (const [key, isMember] of ledger.members) {
      const [group, instance = ''] = key.split(' ')
      if (group === id && ledger.isThere(instance) && found.includes(instance) !== isMember)
        wrong.push(
          `instance ${instance} is ${isMember ? 'not a' : 'a'} member of group ${id}, unlike in the last response`,
        )
    }
  }
  return wrong
}

/** Invariants once all work has ended, including that it ends at all. */
export async function expectSettled(load: Load): Promise<void> {
  await settles(load)
  const lists = await expectConsistent(load)
  const uploads = await listOf(load, 'image-uploads')
  const running = lists.instances.filter(({ run_state }) => run_state === 'running')
  const sum = (items: Item[], of: 'ncpus' | 'memory' | 'size'): number =>
    items.reduce((total, item) => total + (item[of] ?? 0), 0)
  const open = uploads.filter((item) => stateOf(item) === 'open')
  const { provisioned } = await load.client.read<{ provisioned: object }>('/v1/utilization')
  expect(provisioned, 'counters and the rows that they count').toEqual({
    cpus: sum(running, 'ncpus'),
    memory: sum(running, 'memory'),
    storage: sum(lists.disks, 'size') + sum(lists.snapshots, 'size') + open.length * GiB,
  })
  expect(await bulkItems(load, lists)).toEqual([])
  adopt(load.ledger, lists)
}

async function settles(load: Load): Promise<void> {
  const { ledger, client } = load
  await expect
    .poll(
      async () => {
        const lists = { ...(await everything(load)), uploads: await listOf(load, 'image-uploads') }
        const moving = Object.values(lists)
          .flat()
          .filter((item) => transientStates.has(stateOf(item)))
        const actions = await Promise.all(
          ledger.actions.slice(-20).map((id) => client.read<Action>(`/ext/v1/instance-actions/${id}`)),
        )
        const deletions = await Promise.all(
          ledger.deletions.slice(-20).map((id) => client.read<Deletion>(`/ext/v1/deletions/${id}`)),
        )
        const restorations = await Promise.all(
          ledger.restorations.slice(-20).map((id) => client.read<Deletion>(`/ext/v1/restorations/${id}`)),
        )
        return [
          ...restorations
            .filter(({ state }) => state !== 'done')
            .map(({ id, state }) => `restoration ${id} is ${state}`),
          ...deletions
            .filter(({ state }) => state !== 'done')
            .map(({ id, state }) => `deletion ${id} is ${state}`),
          ...moving.map((item) => `${item.name} is ${stateOf(item)}`),
          ...actions.filter(({ state }) => state !== 'done').map(({ id }) => `action ${id} never ended`),
        ]
      },
      { timeout: 60_000, interval: 250, message: 'work that never settles' },
    )
    .toEqual([])
}

/** Every item of an accepted action has completed, with the reported result. */
async function bulkItems({ client, ledger }: Load, { instances }: Lists): Promise<string[]> {
  const ids = new Set(instances.map(({ id }) => id))
  const wrong: string[] = []
  for (const id of ledger.actions.splice(0)) {
    const { action, items } = await client.read<Action>(`/ext/v1/instance-actions/${id}`)
    for (const { instance, state } of items) {
      if (state === 'pending') wrong.push(`${action} of ${instance.id} never ended`)
      if (action === 'delete' && state === 'done' && instance.id && ids.has(instance.id))
        wrong.push(`instance ${instance.id} was deleted by a bulk action and still exists`)
    }
  }
  return wrong
}

/** Unanswered requests are resolved by reading the state, which later rounds continue from. */
function adopt(ledger: Ledger, lists: Lists): void {
  const found = new Map(kinds.flatMap((kind) => lists[kind].map((item) => [item.id, item] as const)))
  for (const known of ledger.objects.values()) {
    if (known.state === 'leaving') known.state = found.has(known.id) ? 'there' : 'gone'
    known.isTaken = false
  }
  for (const kind of kinds)
    for (const item of lists[kind]) ledger.add(kind, item.id, item.name).attachedTo = instanceOf(item)
}
