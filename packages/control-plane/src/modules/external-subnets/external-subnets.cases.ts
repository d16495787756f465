import type { externalSubnetOps } from '@gantry/api/network/external-subnet'
import { atlas, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, listProject, readChild } from '@gantry/control-plane/testing/operation-case'

export const externalSubnetCases: CasesOf<typeof externalSubnetOps> = {
  externalSubnetList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/v1/external-subnets?${atlas}`],
  },
  instanceExternalSubnetList: {
    sent: { path: { instance: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/v1/instances/web/external-subnets?${atlas}`],
  },
}
