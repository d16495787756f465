import type { imageHardwareOps } from '@gantry/api/storage/image-hardware'
import { atlas, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

export const imageHardwareCases: CasesOf<typeof imageHardwareOps> = {
  imageHardwareUpdate: {
    sent: { path: { image: 'nobody' }, query: project, body: { firmware: 'uefi' } },
    rule: modifyChild,
    allowed: async ({ freshImage, ids }) => [
      `/ext/v1/images/${await freshImage(ids.project)}/hardware?${atlas}`,
      { firmware: 'uefi', secure_boot: true },
    ],
  },
}
