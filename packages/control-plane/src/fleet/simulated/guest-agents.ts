import { guestAgentOffers, type GuestReport } from '@gantry/api/compute/guest-agent.rules'
import type { Row } from '../../db/tables.ts'
import { frozenMsMax, GuestAgentFailed, type GuestAgents, type GuestAnswer } from '../guest-agents.ts'
import type { GuestFacts } from '../simulated-guest.ts'
import { advance } from './guest/machine.ts'
import { hostnameOf, linksOf, releaseOf } from './guest/system.ts'
import { filesystems } from './guest/usage.ts'
import { later, type SimulatedVm } from './phases.ts'
import { lockVm, type Rack, type RackChange, transact, withGuest } from './rows.ts'

/** As of the distributions that simulated guests resemble. */
const VERSION = '7.2.0'
/** The users of simulated guests. */
const knownUsers = /^(root|debian|ubuntu|alpine|fedora|rocky)$/

/**
 * Agents of simulated guests. A guest with a disk has one, and one that runs from memory has none. What is frozen thaws by the clock, so that the end of a process leaves nothing frozen.
 */
export function simulatedGuestAgents(rack: Rack): GuestAgents {
  const stateOf = (
    vm: SimulatedVm | undefined,
    guest: Row<'guest'> | undefined,
    now: Date,
  ): GuestAnswer['state'] => {
    if (vm?.phase !== 'running' || !guest) return 'not_running'
    const { has_agent } = guest.facts
    if (has_agent === undefined) return 'no_channel'
    const { mode } = advance(guest.facts, guest.state, now).state
    if (!has_agent || mode === 'booting' || mode === 'halted') return 'absent'
    const left = new Date(guest.state.frozen_until ?? 0).getTime() - now.getTime()
    // One that is further away was stored while the clock was ahead.
    return left > 0 && left <= frozenMsMax ? 'frozen' : 'answers'
  }
  /** Runs with the state of a guest, whose rows are locked. */
  const at = <Result>(
    id: string,
    run: (tx: RackChange, state: GuestAnswer['state'], guest: Row<'guest'> | undefined) => Promise<Result>,
  ): Promise<Result> =>
    transact(rack, async (tx) => {
      const vm = await lockVm(tx, id)
      const guest = await tx.plain
        .selectFrom('guest')
        .selectAll()
        .where('vmm_id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      return run(tx, stateOf(vm, guest, tx.cx.now()), guest)
    })
  const order = (id: string, user: string): Promise<void> =>
    at(id, async (_tx, state) => {
      if (state !== 'answers') throw new GuestAgentFailed(state)
      if (!knownUsers.test(user)) throw new GuestAgentFailed('refused', `user '${user}' does not exist`)
    })
  const setFrozen = (tx: RackChange, id: string, until: Date | null): Promise<unknown> =>
    withGuest(tx, id, ({ state }) => ({
      state: { ...state, frozen_until: until?.toISOString() ?? null },
      output: new Uint8Array(),
    }))

  return {
    view: (id) =>
      at(id, async (_tx, state, guest): Promise<GuestAnswer> =>
        state === 'answers' && guest
          ? { state, report: reportOf(guest.facts) }
          : { state: unanswered(state) },
      ),

    setPassword: (id, user) => order(id, user),
    addSshKeys: (id, user) => order(id, user),

    async whileFrozen(id, work, withinMs = frozenMsMax) {
      const until = await at(id, async (tx, state) => {
        if (state !== 'answers') return undefined
        const end = later(tx.cx.now(), withinMs)
        await setFrozen(tx, id, end)
        return end
      })
      if (!until) return { result: await work(), wasFrozen: false }
      try {
        const result = await work()
        return { result, wasFrozen: rack.clock() < until }
      } finally {
        await at(id, async (tx, state) => {
          if (state === 'frozen') await setFrozen(tx, id, null)
        })
      }
    },
  }
}

const unanswered = (state: GuestAnswer['state']): Exclude<GuestAnswer['state'], 'answers'> =>
  state === 'answers' ? 'silent' : state

function reportOf(facts: GuestFacts): GuestReport {
  const release = releaseOf(facts)
  return {
    agent_version: VERSION,
    hostname: hostnameOf(facts),
    os: release.pretty,
    kernel: release.kernel,
    interfaces: [
      { name: 'lo', mac: '00:00:00:00:00:00', addresses: ['127.0.0.1/8', '::1/128'] },
      ...linksOf(facts).map(({ device, mac, ip, ipv6, prefix_length }) => ({
        name: device,
        mac: mac.toLowerCase(),
        addresses: [`${ip}/${prefix_length}`, ...(ipv6 ? [`${ipv6}/64`] : [])],
      })),
    ],
    // As the agent of a real guest, it tells of those on disks.
    file_systems: filesystems(facts)
      .filter(({ source }) => source.startsWith('/dev/'))
      .map(({ mount, type, size, used }) => ({ mount_point: mount, type, size, used })),
    offers: [...guestAgentOffers],
    is_truncated: false,
  }
}
