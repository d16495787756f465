import type { CertificateDescription } from '@gantry/api/silo-contents'
import type { StateFamily } from '#/ui/StatePlate.tsx'
import { StatePlate } from '#/ui/StatePlate.tsx'

type Life = CertificateDescription['life']

const looks: Record<Life, readonly [StateFamily, string]> = {
  valid: ['ok', 'Valid'],
  expiring: ['care', 'Expires soon'],
  expired: ['fail', 'Expired'],
}

/** Whether a certificate is still valid, with a warning 30 days before it expires. */
export function CertificateLife({ life }: { life: Life }) {
  const [family, words] = looks[life]
  return <StatePlate family={family}>{words}</StatePlate>
}
