import { Kysely } from 'kysely'
import type { Tables } from '../../packages/control-plane/src/db/tables.ts'
import { runMachine, writeSamples } from '../../packages/control-plane/src/testing/sampled-machine.ts'
import { testServices } from '../../packages/control-plane/src/testing/services.ts'
import { openDatabase } from '../../packages/server/src/database/open.ts'
import { okay } from './requests.ts'
import type { Stage } from './stage.ts'

/** Of samples; a query of one machine with 64 vCPUs over them reads nearly as many points as one may. */
const hours = 5
const hourMs = 3_600_000

const usage = `get virtual_machine:vcpu_usage | filter timestamp > @now() - ${hours}h`
const summed = 'align mean_within(1m) | group_by [instance_id], sum'
export const largeQuery = `${usage} && vcpu_id < 62 | ${summed}`
export const smallQuery = `${usage} && state == "run" | ${summed}`

/** One running machine in each of the projects `large` and `small`, with hours of samples. Restarts the server. */
export async function installMachines({
  gantry,
  admin,
  location,
}: Pick<Stage, 'gantry' | 'admin' | 'location'>): Promise<void> {
  const ids: string[] = []
  for (const [project, ncpus] of [
    ['large', 64],
    ['small', 1],
  ] as const) {
    await okay(await admin.send('POST', '/v1/projects', { name: project, description: '' }))
    const body = { name: 'web', description: '', hostname: 'web', ncpus, memory: 1024 ** 3, start: false }
    const made = await admin.send('POST', `/v1/instances?project=${project}`, body)
    ids.push((await okay<{ id: string }>(made)).id)
  }
  await gantry.kill('SIGTERM')
  const { dialect, close } = await openDatabase(location)
  const db = new Kysely<Tables>({ dialect })
  const until = Math.floor(Date.now() / 60_000) * 60_000
  const from = until - hours * hourMs
  for (const id of ids) await runMachine(db, id, crypto.randomUUID(), from - hourMs)
  await writeSamples(testServices({ db }), { from, until })
  // The server would make those of a day in its second round, which takes the processor for seconds.
  await db
    .insertInto('metric_progress')
    .values({ name: 'past', until: new Date(until) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await close()
  await gantry.start()
}
