import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type CertificateFiles, readCertificateFiles } from '../tls/certificate-files.ts'
import { browserKeysInWords, canBrowsersUse } from '@gantry/api/people/certificate.rules'
import { dayOf, keyOf, type Pair, pairSpan } from '../tls/pair.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Renewal takes days; most tools begin a month before the end. */
const SOON_MS = 30 * 24 * 3_600_000

/** Checks the server's TLS certificate: usability, remaining time, key, and names. */
export async function certificateChecks(
  files: CertificateFiles,
  origins: readonly string[],
  now: Date,
): Promise<Finding[]> {
  const check = 'certificate'
  try {
    const pair = await readCertificateFiles(files, now)
    return [expiry(pair, now), ...kindOf(pair), ...namesOf(pair, origins)]
  } catch (error) {
    return [problem(check, (error as Error).message, 'A server does not start with it.')]
  }
}

function expiry(pair: Pair, now: Date): Finding {
  const { until: end } = pairSpan(pair)
  const message = `good until ${dayOf(end)}`
  return end.getTime() - now.getTime() > SOON_MS
    ? ok('certificate', message)
    : warning('certificate', message, 'Renew it. A running server takes the new files within seconds.')
}

function kindOf(pair: Pair): Finding[] {
  const key = keyOf(pair)
  if (canBrowsersUse(key)) return []
  return [warning('certificate', `browsers cannot use its key (${key})`, `Use ${browserKeysInWords}.`)]
}

function namesOf({ cert }: Pair, origins: readonly string[]): Finding[] {
  const own = new X509Certificate(cert)
  const missing = origins
    .map((origin) => new URL(origin).hostname.replace(/^\[|\]$/g, ''))
    .filter((host) => (isIP(host) ? own.checkIP(host) : own.checkHost(host)) === undefined)
  if (missing.length === 0) return []
  return [
    warning(
      'certificate',
      `it is not for ${missing.join(', ')}, and browsers refuse it there`,
      "Use a certificate that names each host of --origin; a silo's own host may have one that the silo keeps.",
    ),
  ]
}
