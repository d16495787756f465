const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A rounded duration in the largest unit that fits, such as `5 minutes`; seconds if under a minute. */
export function longDistance(ms: number): string {
  const away = Math.max(0, ms)
  const [name, size] = units.find(([, size]) => away >= size - 500) ?? (['second', 1000] as const)
  const count = Math.round(away / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
