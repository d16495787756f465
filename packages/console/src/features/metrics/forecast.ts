import type { Change } from './utilization-data.ts'

/** When a quota will be used up at the current pace, in seconds since 1970, or why there is no forecast. */
export type Forecast =
  | { kind: 'full'; at: number; earliest: number; latest: number | undefined }
  | { kind: 'already-full' }
  | { kind: 'not-growing' }
  | { kind: 'too-little-data' }

const day = 86_400
/** A shorter history says too little about the pace. */
const leastSeconds = 3 * day
/** One value per quarter of a day, so that bursts of changes count by their duration. */
const sampleSeconds = day / 4
/** Half-width of a 90 percent band, in standard errors (normal distribution). */
const bandErrors = 1.645
/** Growth that uses up the quota later than this is not worth reporting. */
const farSeconds = 5 * 365 * day

/**
 * Fits a line to the provisioned amounts by least squares, and extends it from the current amount to the quota. The
 * band follows from the standard error of the slope.
 */
export function forecastOf(steps: readonly Change[], quota: number): Forecast {
  const samples = sampled(steps)
  const last = samples.at(-1)
  const first = samples.find(({ amount }) => amount > 0)
  if (!last || !first || quota <= 0) return { kind: 'too-little-data' }
  if (last.amount >= quota) return { kind: 'already-full' }
  const history = samples.filter(({ time }) => time >= first.time)
  if (last.time - first.time < leastSeconds) return { kind: 'too-little-data' }

  const { slope, error } = lineOf(history)
  const after = (pace: number): number | undefined => {
    const seconds = (quota - last.amount) / pace
    return pace > 0 && seconds < farSeconds ? last.time + seconds : undefined
  }
  const at = after(slope)
  const earliest = after(slope + bandErrors * error)
  if (at === undefined || earliest === undefined) return { kind: 'not-growing' }
  return { kind: 'full', at, earliest, latest: after(slope - bandErrors * error) }
}

function sampled(steps: readonly Change[]): Change[] {
  const [first, last] = [steps[0], steps.at(-1)]
  if (!first || !last) return []
  const samples: Change[] = []
  let next = 0
  let { amount } = first
  for (let { time } = first; time <= last.time; time += sampleSeconds) {
    for (let step = steps[next]; step && step.time <= time; step = steps[next]) {
      amount = step.amount
      next += 1
    }
    samples.push({ time, amount })
  }
  return samples
}

/** Slope of the line through the samples, in amounts per second, and its standard error. */
function lineOf(samples: readonly Change[]): { slope: number; error: number } {
  const count = samples.length
  const meanTime = samples.reduce((sum, { time }) => sum + time, 0) / count
  const meanAmount = samples.reduce((sum, { amount }) => sum + amount, 0) / count
  let [across, spread] = [0, 0]
  for (const { time, amount } of samples) {
    across += (time - meanTime) * (amount - meanAmount)
    spread += (time - meanTime) ** 2
  }
  const slope = across / spread
  const residual = samples.reduce(
    (sum, { time, amount }) => sum + (amount - meanAmount - slope * (time - meanTime)) ** 2,
    0,
  )
  return { slope, error: Math.sqrt(residual / Math.max(1, count - 2) / spread) }
}
