import type { HostUsage, MachineUsage } from '../fleet.ts'

/*
 * What simulated machines do, as a function of their ids and the clock: every process computes the same totals
 * at any time, without keeping any. A rate is a mean with waves on it, whose integral is known.
 */

interface Wave {
  /** Part of the mean by which the rate rises and falls; all waves together stay below 1. */
  part: number
  seconds: number
}
const daySeconds = 86_400
const waves: readonly Wave[] = [
  { part: 0.4, seconds: daySeconds },
  { part: 0.06, seconds: 7 * daySeconds },
  { part: 0.14, seconds: 47 * 60 },
  { part: 0.12, seconds: 439 },
  { part: 0.12, seconds: 71 },
  { part: 0.06, seconds: 23 },
]

/** Between 0 and 1, the same for the same text. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  // Mixes the last characters into all bits: ids and numbers at the end would otherwise hardly differ.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

interface Turns {
  cycle: number
  amplitude: number
  shift: number
}

/** A rate that varies by the time of day, with its total since any moment. */
class Rate {
  readonly #turns: readonly Turns[]

  constructor(
    key: string,
    /** Mean, in units per second. */
    readonly mean: number,
  ) {
    this.#turns = waves.map(({ part, seconds }, index) => {
      const cycle = (2 * Math.PI) / seconds
      // Days peak in the afternoon; everything else anywhere.
      const peak = index === 0 ? (11 + 6 * hashed(`${key} peak`)) / 24 : hashed(`${key} ${index}`)
      return { cycle, amplitude: part / cycle, shift: peak * seconds }
    })
  }

  #integral(seconds: number): number {
    let waved = seconds
    for (const { cycle, amplitude, shift } of this.#turns)
      waved += amplitude * Math.sin(cycle * (seconds - shift))
    return waved
  }

  /** Whole units since `since`; it never falls. */
  total(since: number, at: number): number {
    return Math.floor(this.mean * (this.#integral(at / 1000) - this.#integral(since / 1000)))
  }

  /** The rate itself. */
  now(at: number): number {
    const seconds = at / 1000
    return (
      this.mean *
      this.#turns.reduce(
        (sum, { cycle, amplitude, shift }) => sum + cycle * amplitude * Math.cos(cycle * (seconds - shift)),
        1,
      )
    )
  }
}

/** One machine in four is busy, and none ever takes all of a vCPU's time. */
function busyness(id: string): number {
  const lot = hashed(`${id} busy`)
  return lot < 0.25 ? 0.25 + 0.8 * lot : 0.02 + 0.16 * lot
}

const msToNs = 1_000_000

/** Totals of a machine at each of the times, counted since it started. */
export function vmUsage(
  vm: { id: string; ncpus: number; disks: readonly string[]; interfaces: readonly string[] },
  since: number,
  times: readonly number[],
): MachineUsage {
  const busy = busyness(vm.id)
  const vcpus = Array.from({ length: vm.ncpus }, (_, number) => {
    const key = `${vm.id} ${number}`
    const own = busy * (0.75 + 0.25 * hashed(key))
    // Milliseconds of each second.
    const run = new Rate(key, own * 1000)
    const waiting = new Rate(`${key} waiting`, own * 40)
    const emulation = new Rate(`${key} emulation`, own * 25)
    const totals = times.map((at) => {
      const spent = [run, waiting, emulation].map((rate) => rate.total(since, at))
      return [...spent, at - since - spent.reduce((sum, ms) => sum + ms, 0)].map((ms) => ms * msToNs)
    })
    const state = (index: number) => totals.map((total) => total[index] ?? 0)
    return { run: state(0), waiting: state(1), emulation: state(2), idle: state(3) }
  })
  const disks = vm.disks.map((id) => {
    const reads = new Rate(`${id} reads`, busy * 220)
    const writes = new Rate(`${id} writes`, busy * 140)
    const [readSize, writeSize] = [4096 * (1 + Math.floor(7 * hashed(id))), 4096 * 3]
    const [read, written] = [totalsOf(reads, since, times), totalsOf(writes, since, times)]
    return {
      id,
      reads: read,
      writes: written,
      bytes_read: read.map((count) => count * readSize),
      bytes_written: written.map((count) => count * writeSize),
      flushes: written.map((count) => Math.floor(count / 8)),
    }
  })
  const interfaces = vm.interfaces.map((id) => linkUsage(id, busy * 900, since, times))
  return { vcpus, disks, interfaces }
}

const totalsOf = (rate: Rate, since: number, times: readonly number[]): number[] =>
  times.map((at) => rate.total(since, at))

function linkUsage(id: string, perSecond: number, since: number, times: readonly number[]) {
  const sent = totalsOf(new Rate(`${id} sent`, perSecond), since, times)
  const received = totalsOf(new Rate(`${id} received`, perSecond * 1.3), since, times)
  const [sentSize, receivedSize] = [
    200 + Math.floor(900 * hashed(`${id} out`)),
    150 + Math.floor(900 * hashed(`${id} in`)),
  ]
  return {
    id,
    packets_sent: sent,
    packets_received: received,
    bytes_sent: sent.map((count) => count * sentSize),
    bytes_received: received.map((count) => count * receivedSize),
    packets_dropped: received.map((count) => Math.floor(count / 4_000_000)),
    errors_sent: sent.map(() => 0),
    errors_received: received.map(() => 0),
  }
}

/** Links and sensors of a sled. */
export function sledUsage(id: string, since: number, times: readonly number[]): HostUsage {
  const gauge = (sensor: string, mean: number, grain: number): number[] => {
    const rate = new Rate(`${id} ${sensor}`, 1)
    // An eighth of the load's swing: metal is slow to warm.
    return times.map((at) => Math.round((mean * (1 + (rate.now(at) - 1) / 8)) / grain) * grain)
  }
  return {
    links: ['net0', 'net1'].map((name) => ({
      ...linkUsage(`${id} ${name}`, 60_000, since, times),
      id: name,
      since: new Date(since),
    })),
    temperatures: { CPU: gauge('cpu', 54, 0.125), Inlet: gauge('inlet', 24, 0.125) },
    watts: { Input: gauge('power', 410, 0.5) },
    rpms: { 'Fan 0': gauge('fan 0', 7200, 10), 'Fan 1': gauge('fan 1', 7200, 10) },
  }
}
