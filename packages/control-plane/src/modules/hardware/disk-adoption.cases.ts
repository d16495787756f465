import type { diskAdoptionOps } from '@gantry/api/system/disk-adoption'
import { hardware, id, next } from '../../testing/case-values.ts'
import { addAdoptionRequest } from '../../testing/disks.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'

const disk = (serial = 'X-1') => ({ vendor: 'Norrland', serial, model: 'NU-3200' })

export const diskAdoptionCases: CasesOf<typeof diskAdoptionOps> = {
  physicalDiskListUnadopted: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${hardware}/disks-unadopted`],
  },
  physicalDiskListAdoptionRequests: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => [`${hardware}/disk-adoption-requests`],
  },
  physicalDiskEnableAdoption: {
    sent: { body: disk() },
    rule: openly('modify', 'fleet'),
    allowed: () => [`${hardware}/disk-adoption-request`, disk(`X-${next()}`)],
  },
  physicalDiskDisableAdoption: {
    sent: { path: { physical_disk_adoption_req_id: id } },
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [`${hardware}/disk-adoption-request/${await addAdoptionRequest(bed)}`],
  },
}
