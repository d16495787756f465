import { CannotPlug, type MachineCd, type MachineDisk, type PlugProgress } from '../fleet.ts'
import type { GuestFacts } from '../simulated-guest.ts'
import { advance } from './guest/machine.ts'
import { lockVm, type Rack, type RackChange, transact } from './rows.ts'

type GuestDisk = GuestFacts['disks'][number]

export const guestDisk = ({ id, name, size, block_size, is_boot, read_only }: MachineDisk): GuestDisk => ({
  id,
  name,
  size,
  block_size,
  is_boot,
  read_only,
})

export const plugDisk = (rack: Rack, id: string, disk: MachineDisk): Promise<PlugProgress> =>
  transact(rack, (tx) =>
    exchanged(tx, id, (disks) =>
      disks.some((one) => one.id === disk.id) ? disks : [...disks, guestDisk(disk)],
    ),
  )

/** A guest releases a disk once it has booted. */
export const unplugDisk = (rack: Rack, id: string, diskId: string): Promise<PlugProgress> =>
  transact(rack, (tx) =>
    exchanged(tx, id, (disks, mode) => {
      if (disks.every((one) => one.id !== diskId)) return disks
      return mode === 'booting' || mode === 'halted' ? undefined : disks.filter((one) => one.id !== diskId)
    }),
  )

export async function heldDisks({ db }: Rack, id: string): Promise<string[] | undefined> {
  const guest = await db.selectFrom('guest').select('facts').where('vmm_id', '=', id).executeTakeFirst()
  return guest?.facts.disks.flatMap((disk) => disk.id ?? [])
}

type GuestCds = NonNullable<GuestFacts['cds']>

export const guestCds = (cds: readonly (MachineCd | null)[]): GuestCds =>
  cds.map((cd) => cd && { name: cd.name, content_id: cd.content_id, size: cd.size })

export const changeCds = (
  rack: Rack,
  id: string,
  cds: readonly (MachineCd | null)[],
): Promise<PlugProgress> =>
  transact(rack, (tx) =>
    ofGuest(tx, id, (facts) => {
      if (!facts.cds || facts.cds.length < cds.length) throw new CannotPlug('no_drive')
      return { ...facts, cds: guestCds(cds) }
    }),
  )

export async function heldCds({ db }: Rack, id: string): Promise<(string | null)[] | undefined> {
  const guest = await db
    .selectFrom('guest')
    .innerJoin('simulated_vm', 'simulated_vm.id', 'guest.vmm_id')
    .select(['guest.facts', 'simulated_vm.phase'])
    .where('guest.vmm_id', '=', id)
    .executeTakeFirst()
  if (!guest || guest.phase === 'off' || guest.phase === 'crashed') return undefined
  return (guest.facts.cds ?? []).map((cd) => cd?.content_id ?? null)
}

/** Changes the disks of a guest; undefined leaves them for now. */
const exchanged = (
  tx: RackChange,
  id: string,
  change: (disks: GuestDisk[], mode: string) => GuestDisk[] | undefined,
): Promise<PlugProgress> =>
  ofGuest(tx, id, (facts, mode) => {
    const disks = change(facts.disks, mode)
    if (!disks) return undefined
    return disks === facts.disks ? facts : { ...facts, disks }
  })

async function ofGuest(
  tx: RackChange,
  id: string,
  change: (facts: GuestFacts, mode: string) => GuestFacts | undefined,
): Promise<PlugProgress> {
  const vm = await lockVm(tx, id)
  if (!vm || vm.phase === 'off' || vm.phase === 'crashed') return 'ended'
  const guest = await tx.plain
    .selectFrom('guest')
    .selectAll()
    .where('vmm_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!guest) return 'ended'
  const { facts, state } = guest
  // The end of its boot is printed with the next read of its console.
  const next = change(facts, advance(facts, state, tx.cx.now()).state.mode)
  if (!next) return 'pending'
  if (next !== facts)
    await tx.plain
      .updateTable('guest')
      .set({ facts: JSON.stringify(next), generation: guest.generation + 1 })
      .where('vmm_id', '=', id)
      .execute()
  return 'done'
}
