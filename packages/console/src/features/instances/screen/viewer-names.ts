import type { ScreenSeats } from '@gantry/api/compute/screen.rules'

/** So many are named. */
const NAMED = 3

/** Who watches besides the viewer and who is at the keyboard, as a sentence; empty without any. */
export function namesOf({ viewers, you, keyboard }: ScreenSeats): string {
  const names = viewers.filter(({ id }) => id !== you && id !== keyboard).map(({ name }) => name)
  const [last, ...others] = names.slice(0, NAMED).toReversed()
  if (last === undefined) return ''
  const more = names.length - NAMED
  if (more > 0) return `${[last, ...others].toReversed().join(', ')} and ${more} more watch.`
  return others.length > 0 ? `${others.toReversed().join(', ')} and ${last} watch.` : `${last} watches.`
}
