import type { certificateOps } from '@gantry/api/people/certificate'
import { fresh, named, plain } from '../../testing/case-values.ts'
import { certificateFor } from '../../testing/certificates.ts'
import { type CasesOf, on, openly } from '../../testing/operation-case.ts'

export const certificateCases: CasesOf<typeof certificateOps> = {
  certificateList: {
    sent: {},
    rule: openly('list_children', 'certificate'),
    allowed: () => ['/v1/certificates'],
  },
  // Validated before authorisation, so it must be valid.
  certificateCreate: {
    sent: { body: { ...named, cert: 'c', key: 'k', service: 'external_api' } },
    rule: openly('create_child', 'certificate'),
    allowed: ({ who }) => ['/v1/certificates', { ...plain(), ...certificateFor(`${who.silo}.sys.test`) }],
  },
  certificateView: {
    sent: { path: { certificate: 'nobody' } },
    rule: on('read', 'certificate'),
    allowed: () => ['/v1/certificates/tls'],
  },
  certificateDelete: {
    sent: { path: { certificate: 'nobody' } },
    rule: on('modify', 'certificate'),
    allowed: async ({ madeCertificate }) => [`/v1/certificates/${await madeCertificate(fresh())}`],
  },
}
