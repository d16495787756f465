import { ipBatch, ipList, type IpRoute } from './ip.ts'
import type { SavedHost } from './saved-host.ts'

/** External addresses that the host answers for. */
export class HostProxy {
  readonly #host: readonly string[]
  readonly #externalInterface: string | undefined
  readonly #saved: SavedHost
  /** The last ones set; unknown at the start, and after a failure. */
  #proxied: ReadonlySet<string> | undefined

  constructor(host: readonly string[], externalInterface: string | undefined, saved: SavedHost) {
    this.#host = host
    this.#externalInterface = externalInterface
    this.#saved = saved
  }

  /** Stops answering on an interface that the setting no longer names: another one may need the addresses. */
  async releaseFormerInterface(interfaces: readonly string[]): Promise<void> {
    const { interface: former, proxied } = this.#saved.state
    if (former !== undefined && former !== this.#externalInterface && interfaces.includes(former)) {
      const answered = await this.#answeredOn(former)
      await ipBatch(
        this.#host,
        proxied.filter((ip) => answered.has(ip)).map((ip) => `neigh del proxy ${ip} dev ${former}`),
      )
    }
    await this.#saved.save({ interface: this.#externalInterface })
  }

  /** Makes the next `reconcile` restore entries that were removed. */
  async check(): Promise<void> {
    if (!this.#proxied || this.#externalInterface === undefined) return
    const answered = await this.#answeredOn(this.#externalInterface)
    if (![...this.#proxied].every((ip) => answered.has(ip))) this.#proxied = undefined
  }

  /**
   * Answers for these addresses, and not for `refused` ones, which another installation answers for. All possible ones
   * are saved first; with `keepsOthers`, those known before stay.
   */
  async reconcile(
    addresses: readonly string[],
    { refused, keepsOthers }: { refused: ReadonlyMap<string, unknown>; keepsOthers: boolean },
  ): Promise<void> {
    const known = new Set(this.#saved.state.proxied)
    const all = keepsOthers ? [...addresses, ...known] : addresses
    const wanted = new Set(this.#externalInterface === undefined ? [] : all)
    const done = this.#proxied
    if (done && wanted.size === done.size && [...wanted].every((ip) => done.has(ip))) return
    this.#proxied = undefined
    await this.#saved.save({ proxied: [...new Set([...known, ...wanted])] })
    if (this.#externalInterface !== undefined) {
      // A killed process may have saved addresses without answering for them.
      const answered = await this.#answeredOn(this.#externalInterface)
      // Another installation that uses an address also answers for it.
      const over = [...known].filter((ip) => answered.has(ip) && !wanted.has(ip) && !refused.has(ip))
      await ipBatch(this.#host, [
        ...[...wanted].map((ip) => `neigh replace proxy ${ip} dev ${this.#externalInterface}`),
        ...over.map((ip) => `neigh del proxy ${ip} dev ${this.#externalInterface}`),
      ])
    }
    await this.#saved.save({ proxied: [...wanted] })
    this.#proxied = wanted
  }

  /** Addresses that the host answers for on an interface, including those of other installations. */
  async #answeredOn(name: string): Promise<Set<string>> {
    const [found = []] = await ipList(this.#host, [`neigh show proxy dev ${name}`])
    return new Set((found as IpRoute[]).map(({ dst }) => dst))
  }
}
