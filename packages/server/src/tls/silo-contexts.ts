import type { SecureContext } from 'node:tls'
import type { Log, SiloCertificate } from '@gantry/control-plane/environment'
import { contextOf, endOf, pairProblem } from './pair.ts'

interface Ready {
  context: SecureContext
  end: Date
}

/** The silos' certificates, prepared for handshakes: for each host the newest usable one. */
export class SiloContexts {
  /** By the certificate's id, because certificates are immutable. Null for an unusable one. */
  readonly #known = new Map<string, Ready | null>()
  #byHost = new Map<string, SecureContext>()

  constructor(private readonly log: Log) {}

  for(host: string): SecureContext | undefined {
    return this.#byHost.get(host.toLowerCase())
  }

  /** Adopts the silos' current certificates, newest first. */
  async take(listed: readonly SiloCertificate[], now: Date): Promise<void> {
    const byHost = new Map<string, SecureContext>()
    for (const certificate of listed) {
      const ready = await this.#prepare(certificate, now)
      if (ready && ready.end > now && !byHost.has(certificate.host))
        byHost.set(certificate.host, ready.context)
    }
    const ids = new Set(listed.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
    this.#byHost = byHost
  }

  async #prepare({ id, host, read }: SiloCertificate, now: Date): Promise<Ready | null> {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const pair = await read()
    // Deleted a moment ago.
    if (!pair) return null
    const problem = pairProblem(pair, now)
    if (problem !== undefined)
      this.log.warn({ host, certificate_id: id, problem }, 'a certificate of a silo is not served')
    const ready = problem === undefined ? { context: contextOf(pair), end: endOf(pair) } : null
    this.#known.set(id, ready)
    return ready
  }
}
