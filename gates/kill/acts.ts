import { type Chance, oneOf } from './chance.ts'
import type { Kind, LedgerObject } from './ledger.ts'
import { ask, type Load } from './load.ts'
import { replaceDocument } from './documents.ts'

interface Act {
  weight: number
  run: (load: Load) => Promise<void>
}

const GiB = 1024 ** 3
const blank = { type: 'blank', block_size: 512 }
/** Maximum number of each kind: beyond that the load deletes. */
const limits: Record<Kind, number> = {
  instances: 30,
  disks: 60,
  snapshots: 16,
  images: 6,
  'floating-ips': 16,
  'anti-affinity-groups': 5,
  'ssh-keys': 10,
}

const inProject = (load: Load, path: string): string => `/v1/${path}?project=${load.project}`
const pathOf = (load: Load, kind: Kind): string =>
  kind === 'ssh-keys' ? '/v1/me/ssh-keys' : inProject(load, kind)
const pathTo = (kind: Kind, id: string): string =>
  kind === 'ssh-keys' ? `/v1/me/ssh-keys/${id}` : `/v1/${kind}/${id}`

async function create(load: Load, kind: Kind, fields: (name: string) => object): Promise<void> {
  if (load.ledger.of(kind).length >= limits[kind]) return remove(load, kind)
  const name = load.nextName(kind)
  const body = { name, description: '', ...fields(name) }
  const answer = await ask(load, `create ${kind}`, 'POST', pathOf(load, kind), { body })
  if (!answer.ok) return
  const { id, boot_disk_id } = answer.body as { id: string; boot_disk_id?: string }
  if (load.ledger.objects.has(id)) load.ledger.faults.push(`${kind} ${id} was created twice`)
  load.ledger.add(kind, id, name)
  if (boot_disk_id) load.ledger.add('disks', boot_disk_id, `${name}-boot`)
}

async function remove(load: Load, kind: Kind): Promise<void> {
  await withFree(load, kind, async (known) => {
    known.state = 'leaving'
    const answer = await ask(load, `delete ${kind}`, 'DELETE', pathTo(kind, known.id))
    if (answer.ok) known.state = 'gone'
    // Refused because of its state: it still exists and can be retried.
    else if (answer.status < 500 && answer.status !== 404) known.state = 'there'
  })
}

/** Acts on one that no other client uses. Without an answer, its state is read later. */
async function withFree(load: Load, kind: Kind, run: (known: LedgerObject) => Promise<void>): Promise<void> {
  const known = oneOf(load.chance, load.ledger.free(kind))
  if (!known) return
  known.isTaken = true
  await run(known)
  known.isTaken = false
}

/** Attaches unattached ones, and detaches the others. */
async function attachOrDetach(load: Load, kind: 'disks' | 'floating-ips'): Promise<void> {
  await withFree(load, kind, async (known) => {
    const isAttached = typeof known.attachedTo === 'string'
    const instance = isAttached ? known.attachedTo : oneOf(load.chance, load.ledger.of('instances'))?.id
    if (!instance) return
    const before = known.attachedTo
    known.attachedTo = undefined
    const verb = isAttached ? 'detach' : 'attach'
    const path =
      kind === 'disks' ? `/v1/instances/${instance}/disks/${verb}` : `/v1/floating-ips/${known.id}/${verb}`
    const body = kind === 'disks' ? { disk: known.id } : { kind: 'instance', parent: instance }
    const sent = isAttached && kind === 'floating-ips' ? {} : { body }
    const answer = await ask(load, `${verb} ${kind}`, 'POST', path, sent)
    if (answer.ok) known.attachedTo = isAttached ? null : instance
    else if (answer.status < 500) known.attachedTo = before
  })
}

async function power(load: Load): Promise<void> {
  const instance = oneOf(load.chance, load.ledger.of('instances'))
  if (!instance) return
  const verb = oneOf(load.chance, ['start', 'start', 'stop', 'reboot'])
  await ask(load, `${verb} instances`, 'POST', `/v1/instances/${instance.id}/${verb}`)
}

async function bulk(load: Load): Promise<void> {
  const { chance, ledger } = load
  const action = oneOf(chance, ['start', 'stop', 'reboot', 'stop', 'delete']) ?? 'stop'
  const some = several(chance, ledger.free('instances'), action === 'delete' ? 3 : 8)
  if (some.length === 0) return
  if (action === 'delete') for (const known of some) known.state = 'leaving'
  const body = { action, instances: some.map(({ id }) => id) }
  const path = `/ext/v1/instance-actions?project=${load.project}`
  const answer = await ask(load, `bulk ${action}`, 'POST', path, { body })
  if (answer.ok) ledger.actions.push((answer.body as { id: string }).id)
}

const several = <Item>(chance: Chance, items: readonly Item[], count: number): Item[] =>
  [...new Set(Array.from({ length: count }, () => oneOf(chance, items)))].filter((item) => item !== undefined)

async function member(load: Load): Promise<void> {
  const { chance, ledger } = load
  const group = oneOf(chance, ledger.of('anti-affinity-groups'))
  const instance = oneOf(chance, ledger.free('instances'))
  if (!group || !instance) return
  instance.isTaken = true
  const key = `${group.id} ${instance.id}`
  const before = ledger.members.get(key)
  const isMember = before === true
  ledger.members.delete(key)
  const path = `/v1/anti-affinity-groups/${group.id}/members/instance/${instance.id}`
  const answer = await ask(load, 'group member', isMember ? 'DELETE' : 'POST', path)
  if (answer.ok) ledger.members.set(key, !isMember)
  else if (before !== undefined && answer.status < 500) ledger.members.set(key, before)
  instance.isTaken = false
}

/**
 * Creates a project with contents and deletes it whole, as one task. Nothing in it has a size: a project whose
 * deletion was never accepted stays, and must not count in the silo's usage.
 */
async function deleteWhole(load: Load): Promise<void> {
  const name = load.nextName('whole')
  const project = await ask(load, 'create projects', 'POST', '/v1/projects', {
    body: { name, description: '' },
  })
  if (!project.ok) return
  const inside = `project=${name}`
  for (const own of ['one', 'two', 'three']) {
    const body = { name: own, description: '', hostname: own, ncpus: 1, memory: GiB, start: false }
    await ask(load, 'create in whole', 'POST', `/v1/instances?${inside}`, { body })
  }
  const { id } = project.body as { id: string }
  const plan = await ask(load, 'plan deletion', 'GET', `/ext/v1/deletion-plans/${id}?kind=project`)
  if (!plan.ok) return
  const { hash } = plan.body as { hash: string }
  const body = { kind: 'project', object_id: id, hash }
  const answer = await ask(load, 'delete whole', 'POST', '/ext/v1/deletions', { body })
  if (!answer.ok) return
  const deletion_id = (answer.body as { id: string }).id
  load.ledger.deletions.push(deletion_id)
  if (load.chance() < 0.8) await restoreWhole(load, deletion_id)
}

/** Restores all that a deletion took, once it is done: kills end both of them in the middle. */
async function restoreWhole(load: Load, deletion_id: string): Promise<void> {
  for (let state = 'running'; state === 'running';) {
    const read = await ask(load, 'read deletion', 'GET', `/ext/v1/deletions/${deletion_id}`)
    if (!read.ok) return
    state = (read.body as { state: string }).state
  }
  await ask(load, 'plan restoration', 'POST', `/ext/v1/deletions/${deletion_id}/restoration-plan`)
  const answer = await ask(load, 'restore whole', 'POST', '/ext/v1/restorations', { body: { deletion_id } })
  if (answer.ok) load.ledger.restorations.push((answer.body as { id: string }).id)
}

/** Restores one that was deleted, or deletes it for good. */
async function restoreOrPurge(load: Load): Promise<void> {
  const { chance, ledger } = load
  const gone = [...ledger.objects.values()].filter(
    ({ kind, state, isTaken }) =>
      (kind === 'disks' || kind === 'floating-ips') && state === 'gone' && !isTaken,
  )
  const known = oneOf(chance, gone)
  if (!known || ledger.of(known.kind).length >= limits[known.kind]) return
  known.isTaken = true
  const bin = await ask(
    load,
    'read bin',
    'GET',
    `/ext/v1/recycle-bin?project=${load.project}&object=${known.id}`,
  )
  const [item] = bin.ok ? (bin.body as { items: { id: string }[] }).items : []
  if (item && chance() < 0.25) await ask(load, 'purge', 'DELETE', `/ext/v1/recycle-bin/${item.id}`)
  else if (item) {
    // Without an answer, its state is read later.
    known.state = 'leaving'
    const answer = await ask(
      load,
      `restore ${known.kind}`,
      'POST',
      `/ext/v1/recycle-bin/${item.id}/restore`,
      {
        body: {},
      },
    )
    if (answer.ok) Object.assign(known, { state: 'there', attachedTo: null })
    else if (answer.status < 500) known.state = 'gone'
  }
  known.isTaken = false
}

/** Saves a plan, and commits it twice at once: it must happen once, with the plan, or not at all. */
async function commitPlan(load: Load): Promise<void> {
  const project = load.nextName('planned')
  const request = {
    method: 'POST',
    path: '/v1/projects',
    body: JSON.stringify({ name: project, description: '' }),
  }
  const answer = await ask(load, 'save plan', 'POST', '/ext/v1/saved-plans', { body: request })
  if (!answer.ok) return
  const { id } = answer.body as { id: string }
  const known = { id, project, isCommitted: false }
  load.ledger.plans.push(known)
  const check = await ask(load, 'check plan', 'POST', `/ext/v1/saved-plans/${id}/check`)
  if (!check.ok) return
  const { current } = check.body as { current: { hash: string } | null }
  if (!current) return
  const body = { hash: current.hash }
  const commits = await Promise.all(
    [1, 2].map(() => ask(load, 'commit plan', 'POST', `/ext/v1/saved-plans/${id}/commit`, { body })),
  )
  const done = commits.filter(({ ok }) => ok).length
  if (done > 1) load.ledger.faults.push(`plan ${id} was committed twice`)
  known.isCommitted = done > 0
}

const instanceFields = (chance: Chance) => (name: string) => ({
  hostname: name,
  ncpus: 1,
  memory: GiB,
  boot_disk: { type: 'create', name: `${name}-boot`, description: '', size: GiB, disk_source: blank },
  external_ips: chance() < 0.3 ? [{ type: 'ephemeral' }] : [],
  start: chance() < 0.6,
})

/** The clients' actions, with their frequency. */
export const acts: readonly Act[] = [
  { weight: 8, run: (load) => create(load, 'instances', instanceFields(load.chance)) },
  { weight: 10, run: power },
  { weight: 3, run: (load) => remove(load, 'instances') },
  { weight: 5, run: (load) => create(load, 'disks', () => ({ size: GiB, disk_source: blank })) },
  { weight: 8, run: (load) => attachOrDetach(load, 'disks') },
  { weight: 4, run: (load) => remove(load, 'disks') },
  {
    weight: 2,
    run: async (load) => {
      const disk = oneOf(load.chance, load.ledger.of('disks'))
      if (disk) await create(load, 'snapshots', () => ({ disk: disk.id }))
    },
  },
  { weight: 1, run: (load) => remove(load, 'snapshots') },
  {
    weight: 0.3,
    run: async (load) => {
      const snapshot = oneOf(load.chance, load.ledger.of('snapshots'))
      const source = { type: 'snapshot', id: snapshot?.id }
      if (snapshot) await create(load, 'images', () => ({ os: 'Linux', version: '1', source }))
    },
  },
  { weight: 0.3, run: (load) => remove(load, 'images') },
  { weight: 4, run: (load) => create(load, 'floating-ips', () => ({})) },
  { weight: 8, run: (load) => attachOrDetach(load, 'floating-ips') },
  { weight: 2, run: (load) => remove(load, 'floating-ips') },
  { weight: 6, run: replaceDocument },
  {
    weight: 2,
    run: (load) => create(load, 'ssh-keys', (name) => ({ public_key: `ssh-ed25519 AAAA ${name}` })),
  },
  {
    weight: 1,
    run: (load) => create(load, 'anti-affinity-groups', () => ({ policy: 'allow', failure_domain: 'sled' })),
  },
  { weight: 4, run: member },
  { weight: 3, run: bulk },
  { weight: 2, run: deleteWhole },
  { weight: 1, run: commitPlan },
  { weight: 4, run: restoreOrPurge },
]
