import type { rackMembershipOps } from '@gantry/api/system/rack-membership'
import { hardware, id } from '../../testing/case-values.ts'
import { type CasesOf, onFleet } from '../../testing/operation-case.ts'

const rack = { path: { rack_id: id } }
const sleds = { sled_ids: [{ part_number: 'gantry-sled', serial_number: 'GS-999' }] }

export const rackMembershipCases: CasesOf<typeof rackMembershipOps> = {
  rackMembershipStatus: {
    sent: rack,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`${hardware}/racks/${ids.rack}/membership`],
  },
  rackMembershipAddSleds: {
    sent: { ...rack, body: sleds },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`${hardware}/racks/${ids.rack}/membership/add`, sleds],
  },
  rackMembershipAbort: {
    sent: rack,
    rule: onFleet('modify'),
    allowed: ({ ids }) => [`${hardware}/racks/${ids.rack}/membership/abort`, {}],
  },
}
