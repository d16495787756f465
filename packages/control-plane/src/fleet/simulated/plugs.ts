import type { MachineDisk, PlugProgress } from '../fleet.ts'
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

/** Changes the disks of a guest; undefined leaves them for now. */
async function exchanged(
  tx: RackChange,
  id: string,
  change: (disks: GuestDisk[], mode: string) => GuestDisk[] | undefined,
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
  const disks = change(facts.disks, advance(facts, state, tx.cx.now()).state.mode)
  if (!disks) return 'pending'
  if (disks !== facts.disks)
    await tx.plain
      .updateTable('guest')
      .set({ facts: JSON.stringify({ ...facts, disks }), generation: guest.generation + 1 })
      .where('vmm_id', '=', id)
      .execute()
  return 'done'
}
