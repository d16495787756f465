import type { Services } from '../context/services.ts'
import { fleetSamples } from '../modules/metrics/sampling/sources.ts'
import { DatabaseWriter } from '../modules/metrics/store/database/writer.ts'
import type { Caller, TestBed } from './control-plane.ts'

const minute = 60_000

interface Machine {
  project: string
  name: string
  ncpus: number
  since: number
}

/** An instance whose machine has run since this time, without waiting for jobs; returns its id. */
export async function startedMachine(
  { db }: Pick<TestBed, 'db'>,
  who: Caller,
  { project, name, ncpus, since }: Machine,
): Promise<string> {
  const body = { name, description: '', ncpus, memory: 1024 ** 3, hostname: name, start: false }
  const { status, body: made } = await who.post(`/v1/instances?project=${project}`, body)
  if (status !== 201) throw new Error(`an instance was answered ${status}: ${JSON.stringify(made)}`)
  await runMachine(db, made.id, crypto.randomUUID(), since)
  return made.id
}

/** Gives an instance a machine that has run since this time. */
export async function runMachine(
  db: TestBed['db'],
  instance_id: string,
  id: string,
  since: number,
): Promise<void> {
  const { ncpus, memory } = await db
    .selectFrom('instance')
    .select(['ncpus', 'memory'])
    .where('id', '=', instance_id)
    .executeTakeFirstOrThrow()
  const sled = await db.selectFrom('sled').select('id').orderBy('cubby').executeTakeFirstOrThrow()
  const shared = { id, instance_id, sled_id: sled.id }
  const time = new Date(since)
  await db
    .insertInto('vmm')
    .values({ ...shared, ncpus, memory, time_created: time })
    .execute()
  await db
    .insertInto('simulated_vm')
    .values({ ...shared, phase: 'running', phase_since: time, due_at: null, by_guest: false, reason: null })
    .execute()
  await db.updateTable('instance').set({ vmm_id: id }).where('id', '=', instance_id).execute()
}

/** Writes one sample a minute of all machines in `(from, until]`, as a first start does. */
export async function writeSamples(
  on: Pick<Services, 'db' | 'fleet'>,
  { from, until }: { from: number; until: number },
): Promise<void> {
  const times = Array.from(
    { length: Math.floor((until - from) / minute) },
    (_, index) => from + (index + 1) * minute,
  )
  const writer = new DatabaseWriter(on.db)
  for await (const batch of fleetSamples(on, { fine: times, coarse: times }))
    await writer.writePast(batch, new Date(until))
}
