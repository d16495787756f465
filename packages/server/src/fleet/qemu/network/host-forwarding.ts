import { hostCommand } from '../host/host-command.ts'
import { type Forwarding, forwardedByTag, readForwarding } from './forwarding.ts'
import { interfacesOf } from './host-interfaces.ts'
import { setKernel } from './ip.ts'
import { tagOfLink } from './names.ts'
import type { SavedHost } from './saved-host.ts'

/** The kernel's setting by which an interface forwards packets. */
export const forwarding = (name: string) => [`ipv4/conf/${name}/forwarding`, '1'] as const

/** Whether the host forwards packets, for VPCs alone or for others too. */
export class HostForwarding {
  readonly #host: readonly string[]
  readonly #saved: SavedHost
  /** The host forwards packets for others than VPCs too. */
  #isRouter = false
  /** Every interface forwards packets. */
  #isOn = false

  constructor(host: readonly string[], saved: SavedHost) {
    this.#host = host
    this.#saved = saved
  }

  get isRouter(): boolean {
    return this.#isRouter
  }

  /** Reads whether the host is a router; the next `enable` restores forwarding. */
  async check(): Promise<void> {
    const global = await hostCommand([...this.#host, 'cat', '/proc/sys/net/ipv4/ip_forward'])
    this.#isRouter = global.trim() === '1'
    this.#isOn = false
  }

  get isMissing(): boolean {
    return !this.#isRouter && !this.#isOn
  }

  /**
   * Saves the interfaces that are changed next and those that other installations have changed: the last installation
   * to leave restores them. A process that was killed may have changed fewer.
   */
  async prepare(): Promise<void> {
    const before = await this.#unforwarded(await readForwarding(this.#host))
    if (before.length > 0)
      await this.#saved.save({ forwarded: [...this.#saved.state.forwarded, ...before].sort() })
  }

  /** Interfaces that did not forward before, beyond those saved. */
  async #unforwarded({ on, off }: Forwarding): Promise<string[]> {
    const known = new Set(this.#saved.state.forwarded)
    const isOthers = (name: string): boolean => tagOfLink(name) === undefined && !known.has(name)
    const unsure = on.filter(isOthers)
    if (unsure.length === 0) return off.filter(isOthers)
    const changed = new Set([...(await forwardedByTag(this.#host)).values()].flat())
    return [...off.filter(isOthers), ...unsure.filter((name) => changed.has(name))]
  }

  /** Turns the host into a router. The rules, already in force, restrict that to VPCs. */
  async enable(): Promise<void> {
    await setKernel(this.#host, Object.fromEntries((await interfacesOf(this.#host)).map(forwarding)))
    this.#isOn = true
  }
}
