/** A machine's place for its boot disk, so that its guest finds it first. */
export const bootSlot = 0
/** All places for disks, more than an instance can have: the place of a detached disk stays empty for a while. */
export const diskSlots = 19

/** The slot of a disk to be attached, which it keeps until it is detached. It comes after those attached before. */
export function nextSlot(held: readonly number[]): number {
  const last = Math.max(bootSlot, ...held)
  if (last + 1 < diskSlots) return last + 1
  const isFree = (slot: number): boolean => !held.includes(slot)
  const slots = Array.from({ length: diskSlots }, (_, slot) => slot).filter((slot) => slot !== bootSlot)
  const free = slots.filter(isFree)
  // Without a selected boot disk the first one boots, so that one remains the first.
  const chosen = free.find((slot) => slot > Math.min(...held)) ?? free[0]
  if (chosen === undefined) throw new Error(`A machine has at most ${diskSlots - 1} slots for disks.`)
  return chosen
}

/**
 * Disks in the order in which a guest finds them, each with its slot in the machine: the boot disk, or the first one if
 * none is selected, takes the slot for boot disks unless another disk was attached there before slots were recorded.
 */
export function disksInSlots<Disk extends { id: string; slot: number }>(
  disks: readonly Disk[],
  bootDisk: string | null,
): (Disk & { is_boot: boolean })[] {
  const ordered = disks.toSorted((a, b) => a.slot - b.slot)
  const boot = ordered.find(({ id }) => id === bootDisk) ?? ordered[0]
  const isFree = ordered.every(({ id, slot }) => slot !== bootSlot || id === boot?.id)
  return ordered
    .map((disk) => {
      const is_boot = disk.id === boot?.id
      return { ...disk, is_boot, slot: is_boot && isFree ? bootSlot : disk.slot }
    })
    .toSorted((a, b) => a.slot - b.slot)
}
