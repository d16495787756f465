import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { opQuery } from '../../data/queries.ts'

export type LoginMethods = OutputOf<'loginMethodView'>

/** Silos that anybody may find; a server that lacks the list leaves it to people to know their silo. */
export const loginSilos = opQuery(op.loginSiloList, {})

export const loginMethods = (siloName: string) => opQuery(op.loginMethodView, { path: { siloName } })
