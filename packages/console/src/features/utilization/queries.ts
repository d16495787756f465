import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '#/data/queries.ts'

export const utilizationView = opQuery(op.utilizationView, {})
