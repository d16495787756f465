/** The window over which the speed is measured. */
const windowMs = 5000
/** Shorter measurements are noise. */
const minWindowMs = 500

export interface Pace {
  bytesPerSecond: number
  secondsLeft: number
}

/** The speed of a growing amount and the time left, from samples of the last seconds. */
export function createPace(whole: number, now: () => number) {
  let samples: { at: number; bytes: number }[] = []
  return {
    note(bytes: number): void {
      const at = now()
      samples = [...samples.filter((each) => at - each.at <= windowMs), { at, bytes }]
    },
    /** Call it after a pause, which says nothing about the speed. */
    restart(): void {
      samples = []
    },
    measure(): Pace | undefined {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || last.at - first.at < minWindowMs || last.bytes <= first.bytes) return undefined
      const bytesPerSecond = ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
      return { bytesPerSecond, secondsLeft: (whole - last.bytes) / bytesPerSecond }
    },
  }
}

/** Rounded down: 100 means that nothing is missing. */
export const percentOf = (bytes: number, size: number): number =>
  size === 0 ? 0 : Math.floor((bytes / size) * 100)
