import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'
import { Client } from '../../e2e/support/client.ts'
import { pause, seeded } from './chance.ts'
import type { Database, Installation } from './installation.ts'

const GiB = 1024 ** 3
const disks = ['one', 'two', 'three', 'four']
const names = ['first', 'rest', 'bundles', 'morning']
/** What is kept of each disk, and of the whole instance. */
const hourly = 2
/** Kills while the runs of a round are in progress. */
const killsEach = 3

interface Wrong {
  what: string
}

/**
 * Makes schedules due while the server is down, and kills it at random moments until their runs have ended, round after
 * round. Returns what was run twice, lost, or deleted though it should have been kept.
 */
export async function schedulesThroughKills(installation: Installation, rounds: number): Promise<string[]> {
  const { gantry, look } = installation
  const chance = seeded(20_261_129)
  await gantry.start()
  const client = new Client(gantry)
  await prepare(client)
  await gantry.kill('SIGKILL')
  for (let round = 1; round <= rounds; round++) {
    await look((db) => makeDue(db, round))
    for (let kill = 0; kill < killsEach; kill++) {
      await gantry.start()
      await pause(chance() * 1500)
      await gantry.kill('SIGKILL')
    }
    await gantry.start()
    await untilEnded(client, round)
    await gantry.kill('SIGKILL')
  }
  return look(async (db) => {
    const wrong: string[] = []
    for (const [rule, statement] of Object.entries(rules(rounds)))
      for (const { what } of (await statement.execute(db)).rows) wrong.push(`not true that ${rule}: ${what}`)
    return wrong
  })
}

async function prepare(client: Client): Promise<void> {
  await client.signIn()
  const send = async (path: string, body: object): Promise<void> => {
    const response = await client.send('POST', path, body)
    expect(response.status, await response.text()).toBeLessThan(300)
  }
  await send('/v1/projects', { name: 'scheduled', description: '' })
  const at = (path: string): string => `${path}?project=scheduled`
  const disk_source = { type: 'blank', block_size: 512 }
  const newDisk = (name: string) => send(at('/v1/disks'), { name, description: '', size: GiB, disk_source })
  for (const name of disks) {
    await newDisk(name)
    await send(at('/v1/snapshots'), { name: `by-hand-${name}`, description: '', disk: name })
  }
  const machine = { description: '', ncpus: 1, memory: GiB, start: false }
  await send(at('/v1/instances'), { ...machine, name: 'server', hostname: 'server' })
  const own = ['own-boot', 'own-data']
  for (const name of own) await newDisk(name)
  const held = { disks: own.map((name) => ({ type: 'attach', name })) }
  await send(at('/v1/instances'), { ...machine, name: 'stopped', hostname: 'stopped', ...held })
  const whole = { name: 'by-hand-whole', description: '', instance: 'stopped' }
  await send(at('/ext/v1/instance-snapshots'), whole)
  const keep = { hourly, daily: 0, weekly: 0, monthly: 0 }
  const when = { description: '', timing: { type: 'hourly', minute: 0 }, timezone: 'UTC' }
  const schedules = [
    { name: 'first', action: 'snapshot_disk', objects: disks.slice(0, 2), keep },
    { name: 'rest', action: 'snapshot_disk', filter: 'name:three,four', keep },
    { name: 'bundles', action: 'snapshot_instance', objects: ['stopped'], keep },
    { name: 'morning', action: 'start', objects: ['server'] },
  ]
  for (const schedule of schedules) await send(at('/ext/v1/schedules'), { ...when, ...schedule })
}

/**
 * Moves what has been run into the past, each round twice as far, so that no run gets the time that another has until
 * then, and makes everything due at the last full hour.
 */
async function makeDue(db: Database, round: number): Promise<void> {
  await sql`UPDATE schedule_run SET due = due - make_interval(hours => ${1000 * 2 ** round})`.execute(db)
  await sql`UPDATE schedule_made SET time = time - interval '1 hour'`.execute(db)
  await sql`UPDATE schedule_clock SET next_run = date_trunc('hour', now())`.execute(db)
}

async function untilEnded(client: Client, round: number): Promise<void> {
  const endings = async (): Promise<string[]> => {
    const all: string[] = []
    for (const name of names) {
      const path = `/ext/v1/schedules/${name}/runs?project=scheduled`
      const { items } = await client.read<{ items: { state: string; time_ended: string | null }[] }>(path)
      const ended = items.filter(({ time_ended }) => time_ended !== null)
      all.push(`${name}: ${ended.length} of ${items.length}`)
    }
    return all
  }
  const wanted = names.map((name) => `${name}: ${round} of ${round}`)
  await expect.poll(endings, { timeout: 60_000 }).toEqual(wanted)
}

/** Each statement finds violations, in words. */
const rules = (rounds: number): Record<string, RawBuilder<Wrong>> => ({
  'each due time was run once': sql`
    SELECT s.name || ': ' || count(r.id) || ' runs' AS what FROM schedule s
    LEFT JOIN schedule_run r ON r.schedule_id = s.id GROUP BY s.id HAVING count(r.id) <> ${rounds}`,
  'every run did all of it': sql`
    SELECT schedule_name || ' ' || state || ' ' || coalesce(reason, '') || ': ' || done || ' of ' || coalesce(total, -1) AS what
    FROM schedule_run WHERE state <> 'done' OR done <> total OR total = 0`,
  'each snapshot was taken once': sql`
    SELECT i.name || ': ' || count(c.id) AS what FROM schedule_run_item i
    LEFT JOIN change c ON c.kind IN ('snapshot', 'instance-snapshot') AND c.object_id = i.snapshot_id AND c.op = 'create' AND c.request_id = i.run_id || '/' || i.position
    WHERE i.snapshot_id IS NOT NULL GROUP BY i.run_id, i.position, i.name HAVING count(c.id) <> 1`,
  'an instance was started once': sql`
    SELECT 'generation ' || generation AS what FROM change WHERE kind = 'instance' AND name = 'server'
      AND operation = 'instance_start'
      AND after ->> 'run_state' = 'starting' OFFSET 1`,
  'of each disk so many stay': sql`
    SELECT d.name || ': ' || count(s.id) AS what FROM disk d
    LEFT JOIN snapshot s ON s.disk_id = d.id AND s.time_deleted IS NULL AND s.name NOT LIKE 'by-hand%'
    WHERE d.project_id IN (SELECT id FROM project WHERE name = 'scheduled') AND d.instance_id IS NULL
    GROUP BY d.id HAVING count(s.id) <> ${Math.min(rounds, hourly)}`,
  'of the instance so many stay, each with all of its disks': sql`
    SELECT count(w.id) || ' with ' || sum(of_disks) AS what FROM (
      SELECT w.id, (SELECT count(*) FROM snapshot s WHERE s.instance_snapshot_id = w.id AND s.state = 'ready'
        AND s.time_deleted IS NULL) AS of_disks
      FROM instance_snapshot w WHERE w.time_deleted IS NULL AND w.name NOT LIKE 'by-hand%') w
    HAVING count(w.id) <> ${Math.min(rounds, hourly)} OR sum(of_disks) <> ${2 * Math.min(rounds, hourly)}`,
  'what users took stays': sql`
    SELECT name AS what FROM snapshot WHERE name LIKE 'by-hand%' AND time_deleted IS NOT NULL
    UNION ALL SELECT name FROM instance_snapshot WHERE name LIKE 'by-hand%' AND time_deleted IS NOT NULL`,
  'the newest stay': sql`
    SELECT s.name AS what FROM (SELECT id, name, time_deleted FROM snapshot
      UNION ALL SELECT id, name, time_deleted FROM instance_snapshot) s JOIN schedule_made m ON m.snapshot_id = s.id
    WHERE s.time_deleted IS NULL AND m.time < now() - make_interval(hours => ${hourly + 1})`,
  'what was deleted was counted': sql`
    SELECT sum(removed)::text AS what FROM schedule_run
    HAVING sum(removed) <> ${(disks.length + 1) * Math.max(0, rounds - hourly)}`,
})
