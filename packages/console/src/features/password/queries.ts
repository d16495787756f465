import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '../../data/queries.ts'

/** Whether the signed-in person has a password here. */
export const myPassword = opQuery(op.currentUserPasswordView, {})
