import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { rmSync } from 'node:fs'
import { serve } from './fleet.ts'
import { changeRows, changes, type Taken } from './samples/changes.ts'
import { type BenchDatabase, instances, withDatabases } from './databases.ts'
import { intake } from './samples/intake.ts'
import { measurePage, print, settingsFile } from './samples/page.ts'
import { fillRunning, hours } from './samples/running.ts'

/** `intake`, `page` and `changes`; fewer for a quick look: `GANTRY_BENCH_PARTS=page`. */
const parts = (process.env['GANTRY_BENCH_PARTS'] ?? 'intake,page,changes').split(',')
/** Starts and stops are measured so often without samples and with them, in turn. */
const turns = Number(process.env['GANTRY_BENCH_TURNS'] ?? 2)

/**
 * What samples cost: bytes each and how many are taken in a second, the queries of an instance's page, and the effect on
 * starts and stops.
 */
export default async function measure(): Promise<void> {
  const load = (): string =>
    loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')
  console.log(`${instances.toLocaleString()} running instances; load average ${load()} at the beginning`)
  if (parts.includes('intake')) await withDatabases(intake)
  if (parts.includes('page') || parts.includes('changes'))
    await withDatabases(async (databases) => {
      for (const database of databases) await onServer(database)
    })
  console.log(`\nload average ${load()} at the end`)
}

async function onServer({ name, open, args }: BenchDatabase): Promise<void> {
  const { dialect, close } = await open()
  print(`${name}, ${hours} hours of samples`, [await fillRunning(dialect, instances)])
  await close()
  const file = path.join(tmpdir(), `gantry-bench-${process.pid}.json`)
  const withSettings = (sampling: boolean) => serve([...args, '--settings', settingsFile(file, sampling)])
  try {
    if (parts.includes('page')) {
      const server = await withSettings(true)
      try {
        print(`${name}, queries over ${hours} hours, with samples taken`, await measurePage(server.port))
      } finally {
        await server.stop()
      }
    }
    if (!parts.includes('changes')) return
    const taken: Record<'false' | 'true', Taken> = {
      false: { start: [], stop: [] },
      true: { start: [], stop: [] },
    }
    for (let turn = 0; turn < 2 * turns; turn++) {
      const sampling = turn % 2 === 1
      const server = await withSettings(sampling)
      try {
        const { start, stop } = await changes(server.port)
        taken[`${sampling}`].start.push(...start)
        taken[`${sampling}`].stop.push(...stop)
      } finally {
        await server.stop()
      }
    }
    print(`${name}, changes`, changeRows(taken.false, taken.true))
  } finally {
    rmSync(file, { force: true })
  }
}
