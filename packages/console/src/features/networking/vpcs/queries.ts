import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '../../../data/queries.ts'

export type Vpc = OutputOf<'vpcView'>

/** How a VPC is named in a call: all that have a path and a project. */
export const vpcAt = (project: string, vpc: string) => ({ path: { vpc }, query: { project } })

export const vpcsIn = (project: string) => listQuery(op.vpcList, { query: { project } })
export const vpcView = (project: string, vpc: string) => opQuery(op.vpcView, vpcAt(project, vpc))
