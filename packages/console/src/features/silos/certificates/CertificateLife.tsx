import type { CertificateDescription } from '@gantry/api/silo-contents'
import type { StateFamily } from '#/ui/StatePlate.tsx'
import { StatePlate } from '#/ui/StatePlate.tsx'

type Life = CertificateDescription['life']

const looks: Record<Life, readonly [StateFamily, string]> = {
  valid: ['ok', 'Valid'],
  expiring: ['care', 'Expires soon'],
  expired: ['fail', 'Expired'],
}

/** Whether a certificate still serves: 30 days before its end it is told of. */
export function CertificateLife({ life }: { life: Life }) {
  const [family, words] = looks[life]
  return <StatePlate family={family}>{words}</StatePlate>
}
