/** More would push the images out of sight. */
const shownMax = 3

/** The unfinished uploads shown without asking: those that work, then those of this browser, then the others. */
export function shownFirst<Upload extends { id: string; state: string }>(
  uploads: readonly Upload[],
  isOwn: (id: string) => boolean,
): Upload[] {
  const rank = ({ id, state }: Upload): number => {
    if (state === 'completing' || state === 'converting') return 0
    return isOwn(id) ? 1 : 2
  }
  return uploads.toSorted((one, other) => rank(one) - rank(other)).slice(0, shownMax)
}
