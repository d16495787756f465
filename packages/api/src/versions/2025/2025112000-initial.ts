import { type Dated, object, ref, undescribed, without } from '../dated.ts'

/** The first dated version, and how it differs from the edition of August 2025. */
export const initial: Dated = {
  version: 2025112000,
  types: {
    Disk: without('disk_type'),
    IpPoolUtilization: {
      schema: () => object({ ipv4: ref('Ipv4Utilization'), ipv6: ref('Ipv6Utilization') }),
      down: ({ ipv4, ipv6 }) => ({ ipv4, ipv6 }),
    },
    ProjectRole: undescribed('limited_collaborator'),
    SiloRole: undescribed('limited_collaborator'),
  },
}
