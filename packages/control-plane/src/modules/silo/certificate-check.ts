import type { CertificateCreate } from '@gantry/api/people/certificate'
import { placeInChain } from '@gantry/api/people/certificate.rules'
import { privateKeyIn } from '@gantry/api/base/private-key.rules'
import { siloDnsName } from '@gantry/api/people/silo.rules'
import type { Cx } from '../../context/cx.ts'
import { invalid, invalidValue, refuseIf, type Refusal } from '../../context/refusal.ts'

/** The key purposes of server authentication, and of every use (RFC 5280, 4.2.1.12). */
const serverPurposes: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.1', '2.5.29.37.0'])

/**
 * Refuses a chain and key that could not serve the silo, by the first problem (control plane reference, A
 * 10).
 */
export function checkCertificate(cx: Cx, siloName: string, { cert, key }: CertificateCreate): void {
  const { certificates, dnsZone } = cx.services
  if (!certificates)
    throw invalid(
      'certificates cannot be checked here',
      'Use a server. The preview in a browser cannot read certificates.',
    )
  const chain = certificates.readChain(cert)
  if (!chain) throw refused('Failed to parse certificate', 'Paste the unmodified chain as PEM.')
  const [leaf] = chain
  if (!leaf)
    throw refused(
      'Certificate exists, but is empty',
      privateKeyIn(cert) === undefined
        ? 'Paste the chain as PEM, starting with the server certificate.'
        : 'This is the private key. Paste the chain here, starting with the server certificate.',
    )
  refuseIf(
    chain.some(({ notAfter }) => notAfter <= cx.now()) &&
      refused('Certificate exists, but is expired', 'Renew it, and every certificate of its chain.'),
  )
  const host = siloDnsName(siloName, dnsZone)
  const place = chain.findIndex((one) => one.isFor(host))
  refuseIf(
    !leaf.isFor(host) &&
      refused(
        `Certificate not valid for given hostnames: ${host}`,
        place > 0
          ? `The chain is in the wrong order: the ${placeInChain(place)} is for this host. Put that one first, then the others in order.`
          : `Use a certificate that names ${host} or a wildcard for it.`,
      ),
  )
  refuseIf(
    leaf.purposes &&
      !leaf.purposes.some((purpose) => serverPurposes.has(purpose)) &&
      refused('Unsupported certificate purpose', 'Use a certificate for server authentication.'),
  )
  const fits = leaf.hasKey(key)
  if (fits === undefined)
    throw invalidValue(
      'private-key',
      'Failed to parse private key',
      'Paste the key as PEM, without a passphrase.',
    )
  refuseIf(
    !fits &&
      refused(
        'Certificate and private key do not match',
        'Use the private key of the first certificate in the chain.',
      ),
  )
}

const refused = (text: string, help: string): Refusal => invalidValue('certificate', text, help)
