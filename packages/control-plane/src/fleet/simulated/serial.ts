import { sql } from 'kysely'
import type { SerialConsoles } from '../fleet.ts'
import type { GuestAction } from '../simulated-guest.ts'
import { advance, nextDue, type } from './guest/machine.ts'
import { lockVm, type Rack, restartGuest, transact, beginPhase, withGuest } from './rows.ts'
import { readSerialBytes } from './serial-log.ts'

/** Serial consoles of simulated guests, which print by the clock and answer what is typed. */
export function simulatedSerial(rack: Rack, machineHints: ReadonlySet<() => void>): SerialConsoles {
  const hints = new Set<() => void>()
  return {
    async written(ids) {
      if (ids.length === 0) return new Map()
      const guests = await rack.db
        .selectFrom('guest')
        .select(['vmm_id', 'facts', 'state', 'written'])
        .where(sql<boolean>`vmm_id = ANY (${ids}::uuid[])`)
        .execute()
      const written = new Map(guests.map((guest) => [guest.vmm_id, guest.written]))
      for (const { vmm_id, facts, state } of guests) {
        const due = nextDue(facts, state)
        if (due && due <= rack.clock())
          written.set(
            vmm_id,
            await transact(rack, (tx) =>
              withGuest(tx, vmm_id, (guest, now) => advance(guest.facts, guest.state, now)),
            ),
          )
      }
      return written
    },

    read: (id, from, max) => readSerialBytes(rack.db, id, from, max),

    async write(id, bytes) {
      const action = await transact(rack, async (tx) => {
        // Locked first, as by everything else that locks both.
        const vm = await lockVm(tx, id)
        let done: GuestAction | undefined
        await withGuest(tx, id, (guest, now) => {
          const step = type(guest.facts, guest.state, bytes, now)
          done = step.action
          return step
        })
        if (done) await beginPhase(tx, vm, done === 'poweroff' ? 'stopping' : 'rebooting', true)
        if (done === 'reboot') await restartGuest(tx, id)
        return done
      })
      hints.forEach((hint) => hint())
      if (action) machineHints.forEach((hint) => hint())
    },

    watch(hint, signal) {
      hints.add(hint)
      signal.addEventListener('abort', () => hints.delete(hint))
    },
  }
}
