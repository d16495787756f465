import { certificateLife, type CertificateSpan } from '@gantry/api/people/certificate.rules'
import type { Log, SiloCertificate } from '@gantry/control-plane/environment'
import type { ClientHello } from './client-hello.ts'
import { keyOf, type Pair, pairProblem, pairSpan, plainPair, validityProblem } from './pair.ts'
import { chooseFor } from './usable-keys.ts'

interface Ready {
  pair: Pair
  key: string
  span: CertificateSpan
}

/** The silos' certificates for handshakes: for each host those valid now, newest first. */
export class SiloPairs {
  /** By the certificate's id, because certificates are immutable. Null for an unusable one. */
  readonly #known = new Map<string, Ready | null>()
  #byHost = new Map<string, Ready[]>()

  constructor(private readonly log: Log) {}

  for(hello: ClientHello): Pair | undefined {
    const kept = this.#byHost.get(hello.serverName?.toLowerCase() ?? '')
    return kept && chooseFor(kept, hello)?.pair
  }

  /** Adopts the silos' current certificates, newest first. */
  async take(listed: readonly SiloCertificate[], now: Date): Promise<void> {
    const byHost = new Map<string, Ready[]>()
    for (const certificate of listed) {
      const ready = await this.#prepare(certificate, now)
      if (!ready || !isValid(ready.span, now)) continue
      byHost.set(certificate.host, [...(byHost.get(certificate.host) ?? []), ready])
    }
    const ids = new Set(listed.map(({ id }) => id))
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id)
    this.#byHost = byHost
  }

  async #prepare({ id, host, read }: SiloCertificate, now: Date): Promise<Ready | null> {
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const kept = await read()
    // Deleted a moment ago.
    if (!kept) return null
    const pair = plainPair(kept)
    const problem = pairProblem(pair)
    const reason = problem ?? validityProblem(pair, now)
    if (reason !== undefined)
      this.log.warn({ host, certificate_id: id, problem: reason }, 'a certificate of a silo is not served')
    const ready = problem === undefined ? { pair, key: keyOf(pair), span: pairSpan(pair) } : null
    this.#known.set(id, ready)
    return ready
  }
}

function isValid(span: CertificateSpan, now: Date): boolean {
  const life = certificateLife(span, now)
  return life !== 'pending' && life !== 'expired'
}
