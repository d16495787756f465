import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { BlockStore } from '../blocks/block-store.ts'
import type { Fleet, MachineReport, MachineSpec } from '../fleet/fleet.ts'
import { eventually } from './control-plane.ts'
import { RfbClient } from './rfb-client.ts'

/** An idle driver. */
export interface TestedFleet {
  fleet: Fleet
  /** At least two. */
  hosts: readonly string[]
  /** The driver in a new process. */
  restarted: () => Promise<Fleet>
  /** Gives a machine a guest that prints, echoes input, and obeys the power button. */
  bootable: (spec: MachineSpec) => Promise<MachineSpec>
  /** The store of its snapshots. */
  blocks: BlockStore
  /** Writes to a disk as a guest, which only the driver notices. */
  machineWrites: (volume: string, offset: number, bytes: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Advances simulated time; real time needs no help. */
  pass: (ms: number) => void
  stop: () => Promise<void>
}

/** The behaviour of every driver of the fleet. */
export function fleetConformance(open: () => Promise<TestedFleet>): void {
  let tested: TestedFleet
  let fleet: Fleet
  beforeAll(async () => {
    tested = await open()
    ;({ fleet } = tested)
  })
  afterAll(() => tested.stop())
  const made: string[] = []
  // Real machines take memory and time.
  afterEach(() => fleet.machines.destroy(made.splice(0)))

  const report = async (id: string): Promise<MachineReport | undefined> =>
    (await fleet.machines.states([id])).get(id)
  const becomes = (id: string, state: MachineReport['state']) =>
    eventually(
      () => {
        tested.pass(500)
        return report(id)
      },
      (seen) => seen?.state === state,
    )
  const spec = (...disks: MachineSpec['disks'][number][]): Promise<MachineSpec> => {
    const id = crypto.randomUUID()
    made.push(id)
    return tested.bootable({
      id,
      instance_id: crypto.randomUUID(),
      host_id: tested.hosts[0] ?? '',
      name: 'conforming',
      hostname: 'conforming',
      ncpus: 1,
      memory: GiB,
      user_data: '',
      ssh_keys: [],
      disks,
      interfaces: [],
      hardware: { ...usualHardware, variables_id: null, tpm_id: null },
      cds: [null, null],
      os: '',
      version: '',
    })
  }
  const running = async (): Promise<string> => {
    const wanted = await spec()
    await fleet.machines.ensure(wanted)
    await becomes(wanted.id, 'running')
    return wanted.id
  }
  const soon = () => new Date(Date.now() + 60_000)
  const isPending = async (id: string) => (await fleet.machines.pending(1000)).ids.includes(id)
  const acknowledge = async (id: string): Promise<void> => {
    await fleet.machines.acknowledge(await fleet.machines.states([id]))
  }

  describe('a machine', () => {
    test('boots once it is ensured, and is unchanged when ensured again', async () => {
      const wanted = await spec()
      expect(await report(wanted.id)).toBeUndefined()
      await fleet.machines.ensure(wanted)
      expect(await report(wanted.id)).toMatchObject({ state: 'starting', by_guest: false, reason: null })
      await becomes(wanted.id, 'running')
      await fleet.machines.ensure({ ...wanted, hostname: 'other' })
      expect(await report(wanted.id)).toMatchObject({ state: 'running' })
    })

    test('that several processes ensure at once exists once', async () => {
      const wanted = await spec()
      await Promise.all([1, 2, 3, 4].map(() => fleet.machines.ensure(wanted)))
      await becomes(wanted.id, 'running')
      await fleet.machines.destroy([wanted.id])
      expect(await report(wanted.id)).toBeUndefined()
    })

    test('is stopping as soon as that is accepted, then stopped, however often it is asked', async () => {
      const id = await running()
      await Promise.all([fleet.machines.stop(id, soon()), fleet.machines.stop(id, soon())])
      expect(['stopping', 'stopped']).toContain((await report(id))?.state)
      await becomes(id, 'stopped')
      await fleet.machines.stop(id, soon())
      await fleet.machines.reboot(id, 1)
      expect(await report(id)).toMatchObject({ state: 'stopped', reason: null })
    })

    test('loses its power at once when the deadline has passed, also while it stops', async () => {
      const [one, other] = [await running(), await running()]
      await fleet.machines.stop(other, soon())
      await Promise.all([one, other].map((id) => fleet.machines.stop(id, new Date(0))))
      for (const id of [one, other])
        expect(await becomes(id, 'stopped')).toMatchObject({ by_guest: false, reason: null })
    })

    test('that is still starting can be stopped', async () => {
      const wanted = await spec()
      await fleet.machines.ensure(wanted)
      await fleet.machines.stop(wanted.id, soon())
      expect(['stopping', 'stopped']).toContain((await report(wanted.id))?.state)
      await becomes(wanted.id, 'stopped')
    })

    test('reboots once for each request', async () => {
      const id = await running()
      await Promise.all([fleet.machines.reboot(id, 1), fleet.machines.reboot(id, 1)])
      expect(await report(id)).toMatchObject({ state: 'rebooting', by_guest: false })
      await becomes(id, 'running')
      await fleet.machines.reboot(id, 1)
      expect(await report(id)).toMatchObject({ state: 'running' })
      await fleet.machines.reboot(id, 2)
      expect(await report(id)).toMatchObject({ state: 'rebooting' })
    })

    test('moves to another host, and not again when it is there, if the driver can', async () => {
      const id = await running()
      const { migrate } = fleet.machines
      if (!migrate) return
      const target = tested.hosts[1] ?? ''
      await Promise.all([migrate(id, target), migrate(id, target)])
      expect(await report(id)).toMatchObject({ state: 'migrating' })
      await becomes(id, 'running')
      await migrate(id, target)
      expect(await report(id)).toMatchObject({ state: 'running' })
    })

    test('that is unknown is omitted, and no call for it fails', async () => {
      const id = crypto.randomUUID()
      await fleet.machines.stop(id, soon())
      await fleet.machines.reboot(id, 1)
      await fleet.machines.migrate?.(id, tested.hosts[1] ?? '')
      await fleet.machines.destroy([id])
      await fleet.machines.destroy([])
      await fleet.serial.write(id, Uint8Array.of(13))
      expect(await fleet.machines.states([id])).toEqual(new Map())
      expect(await fleet.machines.states([])).toEqual(new Map())
      expect(await fleet.serial.written([id])).toEqual(new Map())
      expect((await fleet.serial.read(id, 0, 10)).bytes).toHaveLength(0)
    })

    test('is listed in the order of ids, page by page, until it is destroyed', async () => {
      const ids = [await running(), await running(), await running()].sort()
      const listed: string[] = []
      for (let page: string[] | undefined; page?.length !== 0; listed.push(...page))
        page = await fleet.machines.list(listed.at(-1), 2)
      expect(listed).toEqual([...new Set(listed)].sort())
      expect(listed).toEqual(expect.arrayContaining(ids))
      await fleet.machines.destroy(ids)
      const left = await fleet.machines.list(undefined, 1000)
      expect(left.filter((id) => ids.includes(id))).toEqual([])
    })

    test('leaves nothing when it is destroyed, and others alone', async () => {
      const [id, other] = [await running(), await running()]
      await fleet.serial.written([id, other])
      await Promise.all([fleet.machines.destroy([id]), fleet.machines.destroy([id])])
      expect([...(await fleet.machines.states([id, other])).keys()]).toEqual([other])
      expect([...(await fleet.serial.written([id, other])).keys()]).toEqual([other])
      expect((await fleet.serial.read(id, 0, 10)).bytes).toHaveLength(0)
      expect(await isPending(id)).toBe(false)
    })
  })

  describe('disks that come and go while a machine runs', () => {
    const dataDisk = async (slot: number, more: Partial<MachineSpec['disks'][number]> = {}) => {
      const content_id = crypto.randomUUID()
      await fleet.volumes.create(content_id, MiB)
      const disk = { id: crypto.randomUUID(), name: `data-${slot}`, content_id, size: MiB, block_size: 512 }
      return { ...disk, slot, is_boot: false, read_only: false, ...more }
    }
    const plug = (id: string, disk: MachineSpec['disks'][number]) =>
      eventually(
        async () => fleet.machines.plug?.(id, disk),
        (progress) => progress !== 'pending',
      )
    /** Once the guest has booted. */
    const unplug = (id: string, disk: { id: string }) =>
      eventually(
        async () => {
          tested.pass(5000)
          return fleet.machines.unplug?.(id, disk.id)
        },
        (progress) => progress !== 'pending',
        60_000,
      )
    const held = async (id: string, among: readonly { id: string }[]) => {
      const all = (await fleet.machines.disks?.(id)) ?? []
      return among.map((disk) => all.includes(disk.id))
    }

    test('are there once, keep what was written, and are others again after a restart', async () => {
      if (!fleet.machines.plug) return
      const [first, read_only] = [await dataDisk(3), await dataDisk(4, { read_only: true })]
      await tested.machineWrites(first.content_id, 0, Uint8Array.of(7))
      const machine = await spec(await dataDisk(2))
      const [initial] = machine.disks
      if (!initial) throw new Error('the machine has no disk')
      await fleet.machines.ensure(machine)
      await becomes(machine.id, 'running')
      const all = [initial, first, read_only]
      expect(await Promise.all([plug(machine.id, first), plug(machine.id, first)])).toEqual(['done', 'done'])
      expect(await plug(machine.id, read_only)).toBe('done')
      expect(await held(machine.id, all)).toEqual([true, true, true])
      fleet = await tested.restarted()
      expect(await held(machine.id, all)).toEqual([true, true, true])
      // As a job does that was killed.
      expect(await plug(machine.id, first)).toBe('done')
      await fleet.volumes.grow(first.content_id, 2 * MiB)
      const content_id = crypto.randomUUID()
      await fleet.volumes.snapshot(first.content_id, { content_id, size: 2 * MiB })
      expect((await tested.blocks.read(content_id, 0, 1))[0]).toBe(7)

      for (const disk of [initial, first]) expect(await unplug(machine.id, disk)).toBe('done')
      expect(await unplug(machine.id, first)).toBe('done')
      expect(await held(machine.id, all)).toEqual([false, false, true])
      fleet = await tested.restarted()
      expect(await held(machine.id, all)).toEqual([false, false, true])
      // Nothing uses it, so that it can be copied and be removed.
      await fleet.volumes.write(first.content_id, 1, Uint8Array.of(8))
      expect(await plug(machine.id, { ...first, size: 2 * MiB, slot: 5 })).toBe('done')
      expect(await report(machine.id)).toMatchObject({ state: 'running', reason: null })
    })

    test('are of no machine that has ended or is unknown', async () => {
      if (!fleet.machines.plug) return
      const id = await running()
      const disk = await dataDisk(3)
      await fleet.machines.stop(id, new Date(0))
      await becomes(id, 'stopped')
      for (const machine of [id, crypto.randomUUID()]) {
        expect(await plug(machine, disk)).toBe('ended')
        expect(await fleet.machines.unplug?.(machine, disk.id)).toBe('ended')
      }
    })
  })

  describe('the CDs of a machine', () => {
    const cd = async (name: string) => {
      const content_id = crypto.randomUUID()
      await tested.blocks.create(content_id, 2 * MiB)
      return { name, content_id, size: 2 * MiB, boots: false }
    }

    test('are those that it started with, and change while it runs', async () => {
      const [installer, drivers] = [await cd('installer'), await cd('drivers')]
      const machine = { ...(await spec()), cds: [installer, null] }
      const held = () => fleet.machines.cds(machine.id)
      const set = (...cds: MachineSpec['cds'][number][]) =>
        eventually(
          async () => fleet.machines.setCds(machine.id, cds),
          (progress) => progress !== 'pending',
        )
      await fleet.machines.ensure(machine)
      await becomes(machine.id, 'running')
      expect(await held()).toEqual([installer.content_id, null])
      expect(await set(installer, drivers)).toBe('done')
      expect(await held()).toEqual([installer.content_id, drivers.content_id])
      fleet = await tested.restarted()
      expect(await held()).toEqual([installer.content_id, drivers.content_id])
      // The same CD in both drives, and then in none.
      expect(await Promise.all([set(drivers, drivers), set(drivers, drivers)])).toEqual(['done', 'done'])
      expect(await held()).toEqual([drivers.content_id, drivers.content_id])
      expect(await set(null, { ...installer, boots: true })).toBe('done')
      expect(await held()).toEqual([null, installer.content_id])
      expect(await set(null, null)).toBe('done')
      expect(await held()).toEqual([null, null])
      expect(await report(machine.id)).toMatchObject({ state: 'running', reason: null })
      await fleet.machines.stop(machine.id, new Date(0))
      await becomes(machine.id, 'stopped')
      expect([await set(installer, null), await held()]).toEqual(['ended', undefined])
    })

    test('need drives, which machines of before do not have', async () => {
      const machine = { ...(await spec()), cds: [] }
      await fleet.machines.ensure(machine)
      await becomes(machine.id, 'running')
      await expect(fleet.machines.setCds(machine.id, [null, null])).rejects.toThrow('no CD drives')
      expect(await fleet.machines.setCds(crypto.randomUUID(), [null, null])).toBe('ended')
    })
  })

  describe('pending reports', () => {
    test('remain until they are acknowledged, also after a restart', async () => {
      const id = await running()
      expect(await isPending(id)).toBe(true)
      fleet = await tested.restarted()
      expect(await isPending(id)).toBe(true)
      expect(await report(id)).toMatchObject({ state: 'running' })
      await acknowledge(id)
      await acknowledge(id)
      expect(await isPending(id)).toBe(false)
      expect(await report(id)).toMatchObject({ state: 'running' })
    })

    test('that came after a report remain when only that one is acknowledged', async () => {
      const id = await running()
      const old = await fleet.machines.states([id])
      await fleet.machines.stop(id, soon())
      await becomes(id, 'stopped')
      await fleet.machines.acknowledge(old)
      expect(await isPending(id)).toBe(true)
      expect(await report(id)).toMatchObject({ state: 'stopped' })
    })

    test('of an end remain when a reboot that came too late is requested', async () => {
      const id = await running()
      await acknowledge(id)
      await fleet.machines.stop(id, soon())
      await becomes(id, 'stopped')
      await fleet.machines.reboot(id, 1)
      expect(await isPending(id)).toBe(true)
      await acknowledge(id)
      expect(await isPending(id)).toBe(false)
    })

    test('are hinted at until the watch is aborted', async () => {
      const watching = new AbortController()
      let hints = 0
      fleet.machines.watch(() => hints++, watching.signal)
      const id = await running()
      await eventually(
        async () => hints,
        (count) => count > 0,
      )
      watching.abort()
      await fleet.machines.stop(id, soon())
      await becomes(id, 'stopped')
      const before = hints
      await running()
      expect(hints).toBe(before)
    })
  })

  describe('the screen', () => {
    /** A viewer of a machine's screen, and what it was shown. */
    async function watching(id: string) {
      const line = await fleet.screens?.open(id, () => {})
      if (!line) throw new Error('the machine has no screen')
      const viewer = new RfbClient((bytes) => void line.send(bytes))
      const take = () => {
        viewer.receive(line.take(64 * 1024))
        return viewer
      }
      return { line, viewer, take: async () => take() }
    }

    test('is shown to each viewer until the machine is gone', async () => {
      const id = await running()
      const [one, other] = [await watching(id), await watching(id)]
      for (const { viewer, take } of [one, other]) {
        await eventually(take, ({ updates }) => updates > 0)
        // Something is written on it.
        await eventually(take, ({ picture }) => new Set(picture).size > 1)
        expect(viewer.width * viewer.height).toBeGreaterThan(0)
      }
      one.line.close()
      other.viewer.key(0x61, true)
      other.viewer.key(0x61, false)
      other.viewer.pointer(0, 1, 1)
      await other.take()
      expect(other.line.hasEnded()).toBe(false)
      await fleet.machines.destroy([id])
      await eventually(
        async () => {
          await other.take()
          return other.line.hasEnded()
        },
        (hasEnded) => hasEnded,
      )
      expect(await fleet.screens?.open(id, () => {})).toBeUndefined()
    })

    test('a machine that is unknown has none', async () => {
      expect(await fleet.screens?.open(crypto.randomUUID(), () => {})).toBeUndefined()
    })
  })

  describe('the serial console', () => {
    const printed = async (id: string): Promise<number> => (await fleet.serial.written([id])).get(id) ?? -1

    test('is read from any byte, alike after a restart', async () => {
      const id = await running()
      const end = await eventually(
        () => printed(id),
        (count) => count > 20,
      )
      const { bytes: whole } = await fleet.serial.read(id, 0, end)
      expect(whole).toHaveLength(end)
      fleet = await tested.restarted()
      expect(await printed(id)).toBeGreaterThanOrEqual(end)
      expect(await fleet.serial.read(id, 7, 5)).toEqual({ from: 7, bytes: whole.slice(7, 12) })
      expect(await fleet.serial.read(id, 7, 0)).toEqual({ from: 7, bytes: new Uint8Array() })
    })

    test('keeps the output of a machine that has ended until it is destroyed', async () => {
      const id = await running()
      const before = await eventually(
        () => printed(id),
        (count) => count > 20,
      )
      const { bytes } = await fleet.serial.read(id, 0, before)
      await fleet.machines.stop(id, soon())
      await becomes(id, 'stopped')
      expect(await printed(id)).toBeGreaterThanOrEqual(before)
      expect((await fleet.serial.read(id, 0, before)).bytes).toEqual(bytes)
      await fleet.machines.destroy([id])
      expect(await printed(id)).toBe(-1)
    })

    test('takes input, and hints at the output', async () => {
      const id = await running()
      const watching = new AbortController()
      let hints = 0
      fleet.serial.watch(() => hints++, watching.signal)
      const before = await printed(id)
      await fleet.serial.write(id, new TextEncoder().encode('x\r'))
      const after = await eventually(
        () => printed(id),
        (count) => count > before && hints > 0,
      )
      watching.abort()
      expect((await fleet.serial.read(id, before, after)).bytes).toHaveLength(after - before)
    })
  })

  describe('a volume', () => {
    const size = 3 * MiB
    const volume = async (from?: string): Promise<string> => {
      const id = crypto.randomUUID()
      await fleet.volumes.create(id, size, from)
      return id
    }
    const copyOf = async (id: string): Promise<string> => {
      const content_id = crypto.randomUUID()
      await fleet.volumes.snapshot(id, { content_id, size })
      return content_id
    }
    const read = (id: string, offset: number, length: number) => tested.blocks.read(id, offset, length)

    test('is empty or begins with the bytes of an image, and is unchanged when created again', async () => {
      const image = crypto.randomUUID()
      await tested.blocks.create(image, MiB)
      await tested.blocks.write(image, 5, Uint8Array.of(7))
      const [empty, filled] = [await volume(), await volume(image)]
      await fleet.volumes.write(filled, size - 1, Uint8Array.of(9))
      await Promise.all([fleet.volumes.create(filled, size), fleet.volumes.create(filled, size, image)])
      expect([await fleet.volumes.size(empty), await fleet.volumes.size(filled)]).toEqual([size, size])
      const [none, some] = [await copyOf(empty), await copyOf(filled)]
      expect(await read(none, 0, 8)).toEqual(new Uint8Array(8))
      expect([...(await read(some, 4, 3)), ...(await read(some, size - 1, 1))]).toEqual([0, 7, 0, 9])
      await tested.blocks.remove(image)
      expect((await read(await copyOf(filled), 5, 1))[0]).toBe(7)
    })

    test('has a snapshot with everything a machine wrote before it, and nothing later', async () => {
      const id = await volume()
      await tested.machineWrites(id, 2 * MiB - 1, Uint8Array.of(1, 2))
      const snapshot = await copyOf(id)
      await tested.machineWrites(id, 2 * MiB, Uint8Array.of(8))
      await fleet.volumes.snapshot(id, { content_id: snapshot, size })
      expect([...(await read(snapshot, 2 * MiB - 2, 4))]).toEqual([0, 1, 2, 0])
      expect(await tested.blocks.size(snapshot)).toBe(size)
      const copy = await copyOf(await volume(snapshot))
      expect([...(await read(copy, 2 * MiB - 2, 4))]).toEqual([0, 1, 2, 0])
    })

    test('has snapshots of several volumes, all of them of the same time or all made anew', async () => {
      const [one, other] = [await volume(), await volume()]
      await tested.machineWrites(one, 0, Uint8Array.of(1))
      await tested.machineWrites(other, 1, Uint8Array.of(2))
      const copies = [one, other].map((from) => ({ from, content_id: crypto.randomUUID(), size }))
      const [first = '', second = ''] = copies.map(({ content_id }) => content_id)
      const both = async () => [(await read(first, 0, 1))[0], (await read(second, 1, 1))[0]]
      await fleet.volumes.snapshotTogether(copies)
      expect(await both()).toEqual([1, 2])
      await tested.machineWrites(one, 0, Uint8Array.of(3))
      await tested.machineWrites(other, 1, Uint8Array.of(4))
      await fleet.volumes.snapshotTogether(copies)
      expect(await both()).toEqual([1, 2])
      // As a process leaves it that ends in between.
      await tested.blocks.remove(second)
      await fleet.volumes.snapshotTogether(copies)
      expect(await both()).toEqual([3, 4])
      const gone = { from: crypto.randomUUID(), content_id: crypto.randomUUID(), size }
      await expect(fleet.volumes.snapshotTogether([...copies, gone])).rejects.toThrow(gone.from)
    })

    test('has snapshots of all disks of a running machine at once', async () => {
      if (!fleet.volumes.snapshotsLive) return
      const contents = [await volume(), await volume(), await volume()]
      const machine = await spec(
        ...contents.map((content_id, at) => ({
          id: crypto.randomUUID(),
          name: `data-${at}`,
          content_id,
          size,
          block_size: 512,
          slot: at,
          is_boot: false,
          read_only: at === 2,
        })),
      )
      for (const [at, id] of contents.entries()) await tested.machineWrites(id, 0, Uint8Array.of(at + 1))
      await fleet.machines.ensure(machine)
      await becomes(machine.id, 'running')
      // Twice, so that nothing of the first is in the way of the second.
      for (let round = 0; round < 2; round++) {
        const copies = contents.map((from) => ({ from, content_id: crypto.randomUUID(), size }))
        await fleet.volumes.snapshotTogether(copies)
        for (const [at, { content_id }] of copies.entries())
          expect([await tested.blocks.size(content_id), (await read(content_id, 0, 1))[0]]).toEqual([
            size,
            at + 1,
          ])
      }
      expect(await report(machine.id)).toMatchObject({ state: 'running', reason: null })
    })

    test('keeps what was written over a restart', async () => {
      const id = await volume()
      await fleet.volumes.write(id, 1, Uint8Array.of(4))
      await tested.machineWrites(id, 2, Uint8Array.of(5))
      fleet = await tested.restarted()
      expect([...(await read(await copyOf(id), 0, 4))]).toEqual([0, 4, 5, 0])
    })

    test('grows, keeps its bytes, and is copied with its new size', async () => {
      const id = await volume()
      await fleet.volumes.write(id, size - 1, Uint8Array.of(5))
      const larger = size + MiB
      // An idempotent call, as a job repeats it.
      for (let round = 0; round < 2; round++) await fleet.volumes.grow(id, larger)
      await fleet.volumes.grow(id, size)
      expect(await fleet.volumes.size(id)).toBe(larger)
      await fleet.volumes.write(id, larger - 1, Uint8Array.of(7))
      const content_id = crypto.randomUUID()
      await fleet.volumes.snapshot(id, { content_id, size: larger })
      const ends = [
        await tested.blocks.read(content_id, size - 1, 2),
        await tested.blocks.read(content_id, larger - 1, 1),
      ]
      expect(ends).toEqual([Uint8Array.of(5, 0), Uint8Array.of(7)])
      const missing = crypto.randomUUID()
      await expect(fleet.volumes.grow(missing, larger)).rejects.toThrow(missing)
    })

    test('grows while a machine uses it, also right after it was copied, and still belongs to that machine', async () => {
      if (!fleet.volumes.growsLive) return
      const id = await volume()
      const disk = { id: crypto.randomUUID(), name: 'data', content_id: id, size, block_size: 512, slot: 0 }
      const machine = await spec({ ...disk, is_boot: false, read_only: false })
      await fleet.machines.ensure(machine)
      await becomes(machine.id, 'running')
      const larger = size + MiB
      await Promise.all([copyOf(id), fleet.volumes.grow(id, larger), fleet.volumes.grow(id, larger)])
      expect(await fleet.volumes.size(id)).toBe(larger)
      await fleet.volumes.grow(id, size)
      expect(await fleet.volumes.size(id)).toBe(larger)
      const content_id = crypto.randomUUID()
      await fleet.volumes.snapshot(id, { content_id, size: larger })
      expect(await tested.blocks.size(content_id)).toBe(larger)
      expect(await report(machine.id)).toMatchObject({ state: 'running', reason: null })
    })

    test('is removed once, and its snapshots stay', async () => {
      const id = await volume()
      await fleet.volumes.write(id, 0, Uint8Array.of(6))
      const snapshot = await copyOf(id)
      await Promise.all([fleet.volumes.remove(id), fleet.volumes.remove(id)])
      expect(await fleet.volumes.size(id)).toBeUndefined()
      expect((await read(snapshot, 0, 1))[0]).toBe(6)
      await expect(fleet.volumes.write(id, 0, Uint8Array.of(1))).rejects.toThrow(id)
      await expect(copyOf(id)).rejects.toThrow(id)
    })
  })
}
