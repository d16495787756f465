import type { siloContentsOps } from '@gantry/api/people/silo-contents'
import { fresh, named, plain, silo } from '../../testing/case-values.ts'
import { certificateFor } from '../../testing/certificates.ts'
import { type CasesOf, withinNamedSilo } from '../../testing/operation-case.ts'

export const siloContentsCases: CasesOf<typeof siloContentsOps> = {
  siloProjectList: {
    sent: { path: silo },
    rule: withinNamedSilo('list_children', 'siloUsage'),
    allowed: () => ['/ext/v1/system/silos/demo/projects'],
  },
  siloCertificateList: {
    sent: { path: silo },
    rule: withinNamedSilo('list_children', 'certificate'),
    allowed: () => ['/ext/v1/system/silos/demo/certificates'],
  },
  siloCertificateCreate: {
    sent: { path: silo, body: { ...named, cert: 'c', key: 'k', service: 'external_api' } },
    rule: withinNamedSilo('create_child', 'certificate'),
    allowed: () => [
      '/ext/v1/system/silos/demo/certificates',
      { ...plain(), ...certificateFor('demo.sys.test') },
    ],
  },
  siloCertificateDelete: {
    sent: { path: { ...silo, certificate: 'nobody' } },
    rule: withinNamedSilo('modify', 'certificate'),
    allowed: async ({ madeCertificate }) => [
      `/ext/v1/system/silos/demo/certificates/${await madeCertificate(fresh())}`,
    ],
  },
}
