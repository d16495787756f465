/**
 * A process for tests to kill: opens the fleet in the data directory of its first argument and does random things with
 * its machines, until it is killed. It writes each thing to stdout before it begins, and again once it is done.
 */
import { readSpec } from '../fleet/qemu/machine/record.ts'
import { DISK_BYTES, pattern, type Said } from './machine-acts.ts'
import { bootDisk, machineFolderIn, machinesOf, machineSpec, realFleet, type RealFleet } from './qemu.ts'

const MACHINES = 3

async function run(real: RealFleet): Promise<void> {
  const on = machinesOf(real)
  const { machines, volumes } = real.fleet

  const doing = async (said: Omit<Said, 'isDone'>, work: () => Promise<void>): Promise<void> => {
    process.stdout.write(`${JSON.stringify({ ...said, isDone: false })}\n`)
    await work()
    process.stdout.write(`${JSON.stringify({ ...said, isDone: true })}\n`)
  }
  const some = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(Math.random() * items.length)]
  const bootVolume = async (id: string): Promise<string> =>
    (await readSpec(machineFolderIn(real.dataDir, id))).disks[0]?.content_id ?? ''

  const acts: Readonly<Record<Exclude<Said['what'], 'ensure'>, (id: string) => Promise<void>>> = {
    stop: (id) => doing({ what: 'stop', id }, () => machines.stop(id, new Date(Date.now() + 5000))),
    destroy: (id) => doing({ what: 'destroy', id }, () => machines.destroy([id])),
    async remove(id) {
      const volume = await bootVolume(id)
      await doing({ what: 'destroy', id }, () => machines.destroy([id]))
      await doing({ what: 'remove', id: volume }, () => volumes.remove(volume))
    },
    async reboot(id) {
      const boots = (await on.text(id)).split('guest ready').length - 1
      // One that is not over would be lost among the next.
      if ((await on.report(id))?.state !== 'running' || boots === 0) return
      await doing({ what: 'reboot', id }, () => machines.reboot(id, boots))
    },
    async snapshot(machine) {
      const [volume, id] = [await bootVolume(machine), crypto.randomUUID()]
      await doing({ what: 'snapshot', id, volume }, () =>
        volumes.snapshot(volume, { content_id: id, size: DISK_BYTES }),
      )
    },
  }
  const ensure = async (): Promise<void> => {
    const disk = await bootDisk(real.fleet, DISK_BYTES)
    await volumes.write(disk.content_id, pattern.offset, pattern.of(disk.content_id))
    const spec = machineSpec({ disks: [disk] })
    await doing({ what: 'ensure', id: spec.id, volume: disk.content_id }, () => machines.ensure(spec))
  }
  const often = ['reboot', 'reboot', 'snapshot', 'snapshot', 'stop', 'destroy', 'remove'] as const
  for (;;) {
    const ids = await machines.list(undefined, 100)
    const id = some(ids)
    // An entry that disappears meanwhile was taken by another one of these loops.
    await (ids.length < MACHINES || id === undefined ? ensure() : acts[some(often) ?? 'stop'](id)).catch(
      (error: unknown) => process.stderr.write(`${(error as Error).message}\n`),
    )
    await new Promise((resolve) => setTimeout(resolve, 50 * Math.random()))
  }
}

const real = await realFleet({ dataDir: process.argv[2] ?? '' })
await Promise.all([run(real), run(real)])
