import type { Numbers, VpcRecord } from './vpc-record.ts'

/** The host's own number, and the first and last of links and transit addresses. */
export const HOST_NUMBER = 1
const FIRST = 2
const LAST = 65_534

/** Allocates unused numbers to links and transit addresses, and reuses a released one as late as possible. */
export class NumberPool implements Numbers {
  #used = new Set<number>()
  #reserved: readonly number[] = []
  #last = FIRST - 1

  constructor(records: Iterable<VpcRecord>) {
    this.releaseAllBut(records)
    for (const number of this.#used) this.#last = Math.max(this.#last, number)
  }

  allocate(): number {
    if (this.#used.size > LAST - FIRST)
      throw new Error('This host has no number left for another VPC or another shared external address.')
    do this.#last = this.#last >= LAST ? FIRST : this.#last + 1
    while (this.#used.has(this.#last))
    this.#used.add(this.#last)
    return this.#last
  }

  /** Excludes these numbers from allocation until the next call. */
  reserve(numbers: readonly number[]): void {
    this.#reserved = numbers
    for (const number of numbers) this.#used.add(number)
  }

  /** Releases every number that neither these records have nor is reserved. */
  releaseAllBut(records: Iterable<VpcRecord>): void {
    const used = [...records].flatMap(({ link, transit }) => [link, ...Object.values(transit)])
    this.#used = new Set([...used, ...this.#reserved])
  }
}
