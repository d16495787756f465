import { GiB, MiB } from '@gantry/api/base/bytes.rules'
import { usualHardware } from '@gantry/api/storage/hardware.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fleet, MachineSpec } from '../../fleet/fleet.ts'
import { GuestAgentFailed, type GuestAgents, type GuestAnswer } from '../../fleet/guest-agents.ts'
import { eventually } from '../control-plane.ts'
import type { TestedFleet } from '../fleet-conformance.ts'

export interface FleetWithAgents extends TestedFleet {
  /** Gives a machine a guest with an agent, and with a user `root`. */
  withAgent: (spec: MachineSpec) => Promise<MachineSpec>
  /** How long that guest may take to boot. */
  bootMs: number
}

/** The behaviour of every driver that reaches agents in guests. */
export function guestAgentConformance(open: () => Promise<FleetWithAgents>): void {
  let tested: FleetWithAgents
  let fleet: Fleet
  let id = ''
  let volume = ''
  const size = 3 * MiB
  const made: string[] = []
  beforeAll(async () => {
    tested = await open()
    ;({ fleet } = tested)
    volume = crypto.randomUUID()
    await fleet.volumes.create(volume, size)
    const wanted = await tested.withAgent(spec(volume))
    await fleet.machines.ensure(wanted)
    ;({ id } = wanted)
    await answers(tested.bootMs)
  })
  afterAll(async () => {
    await fleet.machines.destroy(made)
    await tested.stop()
  })

  function spec(...volumes: string[]): MachineSpec {
    const one = crypto.randomUUID()
    made.push(one)
    return {
      id: one,
      instance_id: crypto.randomUUID(),
      host_id: tested.hosts[0] ?? '',
      name: 'conforming',
      hostname: 'conforming',
      ncpus: 1,
      memory: GiB,
      user_data: '',
      ssh_keys: [],
      disks: volumes.map((content_id, slot) => ({
        id: crypto.randomUUID(),
        name: `data-${slot}`,
        content_id,
        size,
        block_size: 512,
        slot,
        is_boot: false,
        read_only: false,
      })),
      interfaces: [],
      hardware: { ...usualHardware, variables_id: null, tpm_id: null },
      cds: [null, null],
      os: '',
      version: '',
    }
  }
  function agents(): GuestAgents {
    if (!fleet.agents) throw new Error('the fleet reaches no agents')
    return fleet.agents
  }
  const becomes = (state: GuestAnswer['state'], ms?: number): Promise<GuestAnswer> =>
    eventually(
      () => {
        tested.pass(500)
        return agents().view(id)
      },
      (answer) => answer.state === state,
      ms,
    )
  const answers = (ms?: number) => becomes('answers', ms)
  const whyFailed = (order: Promise<void>): Promise<unknown> =>
    order.then(
      () => undefined,
      (error: unknown) => (error instanceof GuestAgentFailed ? error.why : error),
    )

  test('reports addresses, file systems and what it offers', async () => {
    const answer = await answers()
    expect(answer).toMatchObject({
      report: {
        agent_version: expect.stringMatching(/^\d+\./),
        hostname: 'conforming',
        offers: expect.arrayContaining(['freeze', 'shutdown', 'password']),
      },
    })
    const { report } = answer as GuestAnswer & { state: 'answers' }
    expect(report.interfaces).toContainEqual(
      expect.objectContaining({ name: 'lo', addresses: expect.arrayContaining(['127.0.0.1/8']) }),
    )
    expect(report.file_systems.length).toBeGreaterThan(0)
    for (const { size: whole, used } of report.file_systems)
      expect(whole).toBeGreaterThanOrEqual(used ?? Infinity)
  })

  test('is absent from a guest without one, which is worked on all the same', async () => {
    const wanted = await tested.bootable(spec())
    await fleet.machines.ensure(wanted)
    await eventually(
      () => {
        tested.pass(500)
        return fleet.machines.states([wanted.id])
      },
      (states) => states.get(wanted.id)?.state === 'running',
    )
    expect(await agents().view(wanted.id)).toEqual({ state: 'absent' })
    expect(await agents().whileFrozen(wanted.id, async () => 7)).toEqual({ result: 7, wasFrozen: false })
    expect(await whyFailed(agents().setPassword(wanted.id, 'root', 'secret'))).toBe('absent')
    await fleet.machines.destroy([wanted.id])
    expect(await agents().view(wanted.id)).toEqual({ state: 'not_running' })
    expect(await agents().whileFrozen(wanted.id, async () => 8)).toEqual({ result: 8, wasFrozen: false })
  })

  test('sets the password of a user, and refuses unknown users', async () => {
    await agents().setPassword(id, 'root', 'pebble "quarry" $lamp')
    expect(await whyFailed(agents().setPassword(id, 'nobody-known', 'x'))).toBe('refused')
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFPPcLSJSgrPEfGJ0wVQ2HmS9YzGWlo0Y0jCGMmW9EXM me'
    await agents().addSshKeys(id, 'root', [key])
    expect(await whyFailed(agents().addSshKeys(id, 'nobody-known', [key]))).toBe('refused')
  })

  describe('freezes its guest', () => {
    test('while work is done, and thaws it afterwards', async () => {
      const { result, wasFrozen } = await agents().whileFrozen(
        id,
        async () => (await agents().view(id)).state,
      )
      expect([result, wasFrozen]).toEqual(['frozen', true])
      await answers()
    })

    test('and thaws it when the work fails', async () => {
      const failing = agents().whileFrozen(id, async () => {
        throw new Error('no room')
      })
      await expect(failing).rejects.toThrow('no room')
      await answers()
    })

    test('until the deadline, whatever the work does', async () => {
      const { result, wasFrozen } = await agents().whileFrozen(id, () => answers(), 1000)
      expect([result.state, wasFrozen]).toEqual(['answers', false])
    })

    test('and thaws it after a restart in the middle', async () => {
      const begun = new Promise<void>((resolve) => {
        void agents().whileFrozen(id, () => {
          resolve()
          return new Promise<void>(() => {})
        })
      })
      await begun
      fleet = await tested.restarted()
      expect((await answers()).state).toBe('answers')
    })

    test('for a snapshot, and when that fails', async () => {
      const copy = (from: string) => ({ from, content_id: crypto.randomUUID(), size })
      expect(await fleet.volumes.snapshotTogether([copy(volume)], { machine: id })).toEqual({
        wasFrozen: true,
      })
      await answers()
      const missing = crypto.randomUUID()
      await expect(
        fleet.volumes.snapshotTogether([copy(volume), copy(missing)], { machine: id }),
      ).rejects.toThrow(missing)
      await answers()
    })
  })
}
