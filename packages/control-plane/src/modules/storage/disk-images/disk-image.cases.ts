import type { diskImageOps } from '@gantry/api/storage/disk-image'
import { atlas, fresh, named, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, createInProject } from '@gantry/control-plane/testing/operation-case'

export const diskImageCases: CasesOf<typeof diskImageOps> = {
  diskImageCreate: {
    sent: { path: { disk: 'nobody' }, query: project, body: { ...named, os: 'Linux', version: '1' } },
    rule: createInProject,
    allowed: () => [
      `/ext/v1/disks/loose/images?${atlas}`,
      { name: fresh(), description: '', os: '', version: '' },
    ],
  },
}
