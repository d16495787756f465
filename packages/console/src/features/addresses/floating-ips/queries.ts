import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

/** Path and query of a floating IP, shared by all its operations. */
export const floatingIpAt = (project: string, floatingIp: string) => ({
  path: { floatingIp },
  query: { project },
})

export const floatingIpsIn = (project: string) => listQuery(op.floatingIpList, { query: { project } })
export const floatingIpView = (project: string, floatingIp: string) =>
  opQuery(op.floatingIpView, floatingIpAt(project, floatingIp))
