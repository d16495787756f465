import { type Dated, without } from '../dated.ts'

const assignment = without('assignment')

export const assignmentOfPools: Dated = {
  version: 2026061100,
  types: { IpPool: assignment, IpPoolCreate: assignment },
}
