import * as op from '@gantry/api/client/operations.gen'
import { allQuery } from '../../data/queries.ts'

export const allAntiAffinityGroups = (project: string) =>
  allQuery(op.antiAffinityGroupList, { query: { project } })
