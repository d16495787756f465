/** As far back as one looks to tell how fast it goes. */
const windowMs = 5000
/** What less time says is noise. */
const leastMs = 500

export interface Pace {
  bytesPerSecond: number
  secondsLeft: number
}

/** How fast something grows toward its whole, by what was noted in the last seconds. */
export function createPace(whole: number, now: () => number) {
  let noted: { at: number; bytes: number }[] = []
  return {
    note(bytes: number): void {
      const at = now()
      noted = [...noted.filter((each) => at - each.at <= windowMs), { at, bytes }]
    },
    /** After a pause, which says nothing about the speed. */
    restart(): void {
      noted = []
    },
    tell(): Pace | undefined {
      const [first, last] = [noted[0], noted.at(-1)]
      if (!first || !last || last.at - first.at < leastMs || last.bytes <= first.bytes) return undefined
      const bytesPerSecond = ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
      return { bytesPerSecond, secondsLeft: (whole - last.bytes) / bytesPerSecond }
    },
  }
}
